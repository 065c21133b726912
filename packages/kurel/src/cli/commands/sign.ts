import { reportRegistry } from '../../artifact/index.ts';
import { signArtifact } from '../../signing/index.ts';
import { defineCommand } from '../command.ts';
import type { CommandCall, CommandResult, FlagDefinitions } from '../command.ts';
import { messageFormatFlag } from '../input-flags.ts';
import { timeLimitFlags } from '../limits.ts';
import { registryFlags } from '../registry-access.ts';
import { openArtifact } from '../signing/open-artifact.ts';
import { readKeyFile } from '../signing/read-trust.ts';
import { keyFlags } from '../signing/signing-flags.ts';

const flags = {
  ...keyFlags,
  ...registryFlags,
  ...timeLimitFlags,
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

type Call = CommandCall<typeof flags>;

export const sign = defineCommand({
  name: 'sign',
  description:
    'Writes the signature in both forms that are in use: with a tag made from the digest, which Flux reads, and as a Sigstore bundle, ' +
    'which cosign 3 reads. Signatures of other keys are kept. Sign digests, not tags: a tag can be moved before it is signed.',
  arguments: [{ name: 'REFERENCE', summary: 'artifact, as oci://HOST/PATH@sha256:… or with a tag' }],
  flags,
  examples: [
    {
      says: 'sign an artifact; COSIGN_PASSWORD has the password of the key',
      line: 'kurel sign oci://registry.example.com/apps/shop@sha256:… --key cosign.key',
    },
  ],
  run: runSign,
});

async function runSign({ positionals, flags, environment }: Call): Promise<CommandResult> {
  const key = await readKeyFile(flags, environment);
  const artifact = await openArtifact(positionals[0]!, { flags, environment }, 'pull,push');
  const { tag, bundle } = await reportRegistry(async () => await signArtifact(artifact, key));
  const isKnown = tag === 'present' && bundle === 'present';
  const { reference } = artifact;
  return { stdout: isKnown ? `${reference} is already signed with this key\n` : `signed ${reference}\n` };
}

import { reportRegistry } from '../../artifact/index.ts';
import { countNoun, escapeControls } from '../../diagnostics/index.ts';
import { isValid, verifyArtifact } from '../../signing/index.ts';
import type { CheckedArtifact, CheckedSignature } from '../../signing/index.ts';
import { defineCommand, switchFlag, textFlag } from '../command.ts';
import type { CommandCall, CommandResult, FlagDefinitions } from '../command.ts';
import { messageFormatFlag } from '../input-flags.ts';
import { timeLimitFlags } from '../limits.ts';
import { openDisk } from '../open-world.ts';
import { registryFlags } from '../registry-access.ts';
import { openArtifact, refuseUnsigned } from '../signing/open-artifact.ts';
import { readTrust } from '../signing/read-trust.ts';
import { readTrustFlags, trustFlags } from '../signing/signing-flags.ts';
import { UsageError } from '../usage-error.ts';

const flags = {
  ...trustFlags,
  rebuild: switchFlag('Also build the artifact again as its attestation says, and compare all files.'),
  source: textFlag('DIR', 'With --rebuild: the repository to build from. Defaults to that of the working directory.', {
    completes: 'path',
  }),
  ...registryFlags,
  ...timeLimitFlags,
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

type VerifyFlags = typeof flags;

export const verify = defineCommand({
  name: 'verify',
  description:
    'Checks the signatures of a key, or of an identity that Sigstore certified, in both forms that are in use. Prints what was verified, ' +
    'or why each signature does not count. Only the registry is contacted: certificates, logs and times are verified with the trusted root. ' +
    'With --rebuild, the inputs that kurel attest recorded are compared with the local ones, the build is repeated, and its files are ' +
    'compared byte for byte with those in the artifact.',
  arguments: [{ name: 'REFERENCE', summary: 'artifact, as oci://HOST/PATH@sha256:… or with a tag' }],
  flags,
  examples: [
    { says: 'signed with a key', line: 'kurel verify oci://registry.example.com/apps/shop:1.2.0 --key cosign.pub' },
    {
      says: 'signed by a workflow',
      line: 'kurel verify oci://registry.example.com/apps/shop:1.2.0 --identity https://github.com/example/shop/.github/workflows/release.yml@refs/heads/main --issuer https://token.actions.githubusercontent.com --trusted-root trusted_root.json',
    },
    {
      says: 'built from this checkout',
      line: 'kurel verify oci://registry.example.com/apps/shop:1.2.0 --key cosign.pub --rebuild',
    },
  ],
  run: runVerify,
});

async function runVerify({ positionals, flags, environment }: CommandCall<VerifyFlags>): Promise<CommandResult> {
  if (flags.source !== undefined && !flags.rebuild) throw new UsageError('--source needs --rebuild', 'add --rebuild');
  const trust = await readTrust(readTrustFlags(flags), openDisk(environment));
  const artifact = await openArtifact(positionals[0]!, { flags, environment });
  const { repository, name, manifest, reference } = artifact;
  const checked = await reportRegistry(
    async () => await verifyArtifact({ repository, name, digest: manifest.digest, trust }),
  );
  refuseUnsigned(checked, reference);
  const verified = describeVerified(checked, reference);
  if (!flags.rebuild) return { stdout: verified };
  const { rebuildArtifact } = await import('../signing/rebuild.ts');
  const { files, inputs, warnings } = await rebuildArtifact(artifact, checked, { flags, environment });
  const rebuilt = `rebuilt from ${countNoun(inputs, 'input')}: ${countNoun(files, 'file')}, all equal\n`;
  return { stdout: `${verified}${rebuilt}`, diagnostics: warnings };
}

/** What was verified, by whom, and in which form. */
function describeVerified({ signatures, attestations }: CheckedArtifact, reference: string): string {
  const signerOf = ({ verdict }: CheckedSignature): string => ('signer' in verdict ? verdict.signer : '');
  const lines = [
    `verified ${reference}`,
    ...signatures.filter(isValid).map((signature) => `  signature of ${signerOf(signature)}, ${signature.form}`),
    ...attestations
      .filter(isValid)
      .map((attestation) => `  attestation of ${signerOf(attestation)}: ${attestation.statement.predicateType}`),
  ];
  return `${[...new Set(lines)].map(escapeControls).join('\n')}\n`;
}

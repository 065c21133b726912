import { escapeControls } from '../../diagnostics/index.ts';
import { isValid, verifyArtifact } from '../../signing/index.ts';
import type { CheckedArtifact, CheckedSignature } from '../../signing/index.ts';
import { defineCommand } from '../command.ts';
import type { CommandCall, ExitCode, FlagDefinitions } from '../command.ts';
import { messageFormatFlag } from '../input-flags.ts';
import { timeLimitFlags } from '../limit-flags.ts';
import { openDisk } from '../open-world.ts';
import { registryFlags } from '../registry-access.ts';
import { atRegistry, openArtifact } from '../signing/open-artifact.ts';
import { readTrust } from '../signing/read-trust.ts';
import { refuseUnsigned } from '../signing/refuse-unsigned.ts';
import { readTrustFlags, trustFlags, withFindings } from '../signing/signing-flags.ts';

const flags = {
  ...trustFlags,
  ...registryFlags,
  ...timeLimitFlags,
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

export type VerifyFlags = typeof flags;

export const verify = defineCommand({
  name: 'verify',
  summary: 'Verify who signed an artifact in a registry.',
  description:
    'Checks the signatures of a key, or of an identity that Sigstore certified, in both forms that are in use. Prints what was verified, ' +
    'or why each signature does not count. Only the registry is contacted: certificates, logs and times are verified with the trusted root.',
  arguments: [{ name: 'REFERENCE', summary: 'artifact, as oci://HOST/PATH@sha256:… or with a tag', required: true }],
  flags,
  examples: [
    { says: 'signed with a key', line: 'kurel verify oci://registry.example.com/apps/shop:1.2.0 --key cosign.pub' },
    {
      says: 'signed by a workflow',
      line: 'kurel verify oci://registry.example.com/apps/shop:1.2.0 --identity https://github.com/example/shop/.github/workflows/release.yml@refs/heads/main --issuer https://token.actions.githubusercontent.com --trusted-root trusted_root.json',
    },
  ],
  run: async (call) => await withFindings(call.flags, call.environment, async () => await runVerify(call)),
});

async function runVerify({ positionals, flags, environment }: CommandCall<VerifyFlags>): Promise<ExitCode> {
  const trust = await readTrust(readTrustFlags(flags), openDisk(environment));
  const artifact = await openArtifact(positionals[0]!, { flags, environment });
  const { repository, name, manifest, reference } = artifact;
  const checked = await atRegistry(
    async () => await verifyArtifact({ repository, name, digest: manifest.digest, trust }),
  );
  refuseUnsigned(checked, reference);
  environment.writeStdout(describeVerified(checked, reference));
  return 0;
}

/** What was verified, by whom, and in which form. */
function describeVerified({ signatures, attestations }: CheckedArtifact, reference: string): string {
  const signerOf = ({ verdict }: CheckedSignature): string => ('signer' in verdict ? verdict.signer : '');
  const lines = [
    `verified ${reference}`,
    ...signatures.filter(isValid).map((one) => `  signature of ${signerOf(one)}, ${one.form}`),
    ...attestations.filter(isValid).map((one) => `  attestation of ${signerOf(one)}: ${one.statement.predicateType}`),
  ];
  return `${[...new Set(lines)].map(escapeControls).join('\n')}\n`;
}

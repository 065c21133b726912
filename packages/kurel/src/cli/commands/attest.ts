import { defineCommand } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';
import { build } from './build.ts';
import { registryFlags } from '../registry-access.ts';
import { keyFlags } from '../signing/signing-flags.ts';

const { output: _, check: __, watch: ___, 'allow-private': ____, ...buildFlags } = build.flags;

const flags = { ...keyFlags, ...registryFlags, ...buildFlags } as const satisfies FlagDefinitions;

export type AttestFlags = typeof flags;

export const attest = defineCommand({
  name: 'attest',
  description:
    'Builds PATH again with the same flags, and compares the files with the artifact. If they are equal, attaches two signed attestations: ' +
    'SLSA provenance with the version of kurel, its flags and the digest of every input, and the list of images in CycloneDX format. ' +
    'kurel verify --rebuild repeats the build from them. Paths are relative to the git repository, or else to the working directory.',
  arguments: [
    { name: 'REFERENCE', summary: 'artifact of kurel push --rendered, as oci://HOST/PATH@sha256:…' },
    {
      name: 'PATH',
      summary: 'any input of kurel build, except stdin',
      completes: 'path',
      inRegistry: 'content',
    },
  ],
  flags,
  examples: [
    {
      says: 'attest what was pushed with the same path and flags',
      line: 'kurel attest oci://registry.example.com/apps/shop@sha256:… shop --profile cluster.yaml --key cosign.key',
    },
  ],
  run: async (call) => (await import('../signing/run-attest.ts')).runAttest(call),
});

import { defineCommand, outputFlag } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';
import { messageFormatFlag } from '../input-flags.ts';
import { timeLimitFlags } from '../limits.ts';
import { registryFlags } from '../registry-access.ts';

const flags = {
  output: outputFlag(
    'DIR',
    'Directory for the package, which must not exist or be empty; defaults to the last part of the repository, with .kurel for a patch package.',
  ),
  ...registryFlags,
  ...timeLimitFlags,
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

export type PullFlags = typeof flags;

export const pull = defineCommand({
  name: 'pull',
  description:
    'Verifies the package and writes all of its files, or none. Files that exist are never replaced; if all of them are there already, ' +
    'nothing is done. Prints the reference with the digest.',
  arguments: [
    {
      name: 'REFERENCE',
      summary: 'the package: oci://HOST/REPOSITORY:TAG or oci://HOST/REPOSITORY@sha256:…',
    },
  ],
  flags,
  examples: [
    { says: 'a version', line: 'kurel pull oci://registry.example.com/packages/shop:1.2.0' },
    {
      says: 'into another directory',
      line: 'kurel pull oci://registry.example.com/packages/shop:1.2.0 -o vendor/shop',
    },
  ],
  run: async (call) => (await import('../packages/run-pull.ts')).runPull(call),
});

import { applicationFlags } from '../application-flags.ts';
import { defineCommand } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';
import { fileLimitFlags, packageLimitFlags, timeLimitFlags } from '../limit-flags.ts';
import { messageFormatFlag } from '../message-format-flag.ts';
import { valueFlags } from '../value-flags.ts';

// Where Flux objects live decides nothing of what is fetched.
const { offline: _, 'flux-namespace': __, ...platformFlags } = applicationFlags;

const { 'max-resources': ___, ...packageLimits } = packageLimitFlags;

const flags = {
  ...valueFlags,
  ...platformFlags,
  keep: {
    type: 'switch',
    summary: 'Keep in the lock what is not needed with these values and this profile: others may need it.',
  },
  check: {
    type: 'switch',
    summary: 'Write nothing and ask nobody; fail when the package does not hold exactly what it takes from elsewhere.',
  },
  ...timeLimitFlags,
  ...packageLimits,
  ...fileLimitFlags,
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

export type VendorFlags = typeof flags;

export const vendor = defineCommand({
  name: 'vendor',
  summary: 'Put what an application package takes from elsewhere into it, and lock it.',
  description:
    'Builds the package to find out which charts and URLs it needs with these values, fetches all of them as they are today, and ' +
    'writes them to vendor/ in the package, and their SHA-256 to kurel.lock. Files that an earlier kurel.lock names and that are no longer ' +
    'needed are removed. From then on builds take these bytes and no others, and need no network. When the package does not build, nothing is written.',
  arguments: [{ name: 'PKG', summary: 'directory of an application package', required: true, completes: 'path' }],
  flags,
  examples: [
    { says: 'fetch and lock', line: 'kurel vendor shop --profile cluster.yaml' },
    {
      says: 'and what only production needs',
      line: 'kurel vendor shop --profile cluster.yaml --values prod.yaml --keep',
    },
    { says: 'in continuous integration', line: 'kurel vendor shop --profile cluster.yaml --check' },
  ],
  async run(call) {
    const { runVendor } = await import('../run-vendor.ts');
    return runVendor(call);
  },
});

import { defineCommand } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';
import { packageFlags } from '../package-flags.ts';
import { valueFlags } from '../value-flags.ts';

const flags = {
  ...valueFlags,
  ...packageFlags,
  verbose: { type: 'switch', short: 'v', summary: 'Show the description of each patch below it.' },
  format: {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['text', 'json'],
    summary: 'text (the default) or json.',
  },
} as const satisfies FlagDefinitions;

export type PatchesFlags = typeof flags;

export const patches = defineCommand({
  name: 'patches',
  summary: 'List the patches of a patch package, and which of them the parameters enable.',
  description:
    'Patches stand in the order in which they are applied, and those that are not applied behind them. ✓ is enabled, → is enabled ' +
    'because another patch requires it, - is disabled, ✗ is enabled together with a patch that it conflicts with.',
  arguments: [
    { name: 'ACTION', summary: 'list', required: true, choices: ['list'] },
    { name: 'PKG', summary: 'directory of a patch package', required: true, completes: 'path' },
  ],
  flags,
  examples: [{ says: 'what production gets', line: 'kurel patches list shop.kurel --values production.yaml' }],
  async run(call) {
    const { runPatches } = await import('../run-patches.ts');
    return runPatches(call);
  },
});

import { defineCommand } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';
import { packageFlags } from '../package-flags.ts';
import { valueFlags } from '../value-flags.ts';

const flags = {
  all: { type: 'switch', summary: 'Patch package: show parameters whole instead of the sizes of mappings and lists.' },
  ...valueFlags,
  ...packageFlags,
  format: {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['text', 'yaml', 'json'],
    summary: 'text (the default), yaml or json.',
  },
} as const satisfies FlagDefinitions;

export type InfoFlags = typeof flags;

export const info = defineCommand({
  name: 'info',
  summary: 'Show what a package is: metadata, parameters, resources or components, and patches.',
  description:
    'Parameters of a patch package are shown as they are written, with their references; resources are what it gives with them. ' +
    'Of an application package the parameters are shown that it declares, and what it needs of a profile; nothing is built.',
  arguments: [{ name: 'PKG', summary: 'directory of a package', required: true, completes: 'path' }],
  flags,
  examples: [{ says: 'a package', line: 'kurel info shop.kurel' }],
  async run(call) {
    const { runInfo } = await import('../run-info.ts');
    return runInfo(call);
  },
});

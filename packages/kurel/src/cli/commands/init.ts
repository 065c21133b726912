import { defineCommand } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';

const flags = {
  format: {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['text', 'json'],
    summary: 'How the files that were written are listed: text (the default) or json.',
  },
} as const satisfies FlagDefinitions;

export type InitFlags = typeof flags;

export const init = defineCommand({
  name: 'init',
  summary: 'Write a new patch package that builds and validates at once.',
  description:
    'The package is the directory NAME.kurel, or DIR/NAME.kurel for DIR/NAME. It has a Deployment, a Service and an Ingress, parameters, ' +
    'patches that they enable, and a README that says what is what. Nothing that is there is overwritten.',
  arguments: [{ name: 'NAME', summary: 'name of the package', required: true, completes: 'path' }],
  flags,
  examples: [{ says: 'a package in packages/shop.kurel', line: 'kurel init packages/shop' }],
  async run(call) {
    const { runInit } = await import('../run-init.ts');
    return runInit(call);
  },
});

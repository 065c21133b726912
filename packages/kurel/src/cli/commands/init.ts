import { runInit } from '../run-init.ts';
import { defineCommand } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';

const flags = {
  form: {
    type: 'text',
    placeholder: 'FORM',
    choices: ['patch-package', 'application'],
    summary: 'What is written: a patch package (the default), or an application package.',
  },
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
  summary: 'Write a new package that builds and validates at once.',
  description:
    'A patch package is for manifests that you have already, and want variants of. It is the directory NAME.kurel, or DIR/NAME.kurel for ' +
    'DIR/NAME, with a Deployment, a Service and an Ingress, parameters, and patches that they enable. An application package is for a ' +
    'workload that you describe, and the platform decides how it is run. It is the directory NAME, with a web service, its parameters, ' +
    'and a profile to try it on. Either has a README that says what is what. Nothing that is there is overwritten.',
  arguments: [{ name: 'NAME', summary: 'name of the package', required: true, completes: 'path' }],
  flags,
  examples: [
    { says: 'a patch package in packages/shop.kurel', line: 'kurel init packages/shop' },
    { says: 'an application package in packages/shop', line: 'kurel init packages/shop --form application' },
  ],
  run: runInit,
});

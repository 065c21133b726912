import { runExplain } from '../run-explain.ts';
import { defineCommand } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';
import { inputFlags } from '../input-flags.ts';
import { messageFormatFlag } from '../message-format-flag.ts';

const flags = {
  ...inputFlags,
  format: {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['text', 'json'],
    summary: 'text (the default), or json: every field with all of its steps, for other programs.',
  },
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

export type ExplainFlags = typeof flags;

export const explain = defineCommand({
  name: 'explain',
  summary: 'Say where each field of an object comes from: file, patch, parameter, profile, flag.',
  description:
    'PATH is whatever kurel build can build, with the same flags. OBJECT is a name, kind.name or namespace/kind.name; of the kind ' +
    'a few letters are enough, as in deploy.web. FIELD is a path as patches have it, such as replicas or ' +
    'containers.name=web.image, and stands for everything below it. With FIELD each step is told, the first one first, with the ' +
    'value before and after; without it the whole object is shown with the last step first. Of an application package it is told what ' +
    'its author, a parameter, the profile, the policy and the component or trait itself have to do with a field. Of Secrets only the keys are shown.',
  arguments: [
    { name: 'PATH', summary: 'what to build', required: true, completes: 'path' },
    {
      name: 'OBJECT',
      summary: 'deployment.web, shop/deployment.web or web; the names of all objects are listed unless given',
      required: false,
    },
    { name: 'FIELD', summary: 'spec.replicas, or replicas; all fields unless given', required: false },
  ],
  flags,
  examples: [
    { says: 'who decides how many there are', line: 'kurel explain app.kurel deployment.web replicas' },
    { says: 'the whole object, as it is built for production', line: 'kurel explain app.kurel web --values prod.yaml' },
    {
      says: 'what an application package makes of a profile',
      line: 'kurel explain shop ingress.web --profile cluster.yaml',
    },
    {
      says: 'what patches make of manifests',
      line: 'kurel explain deploy/ svc.web -p prod.kpatch --set version=1.10',
    },
  ],
  run: runExplain,
});

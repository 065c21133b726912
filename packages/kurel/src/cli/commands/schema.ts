import { defineCommand } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';

const flags = {
  'kubernetes-version': {
    type: 'text',
    placeholder: 'VERSION',
    summary: 'Show it as of this version, such as 1.34; the newest that kurel knows unless given.',
  },
  crds: {
    type: 'list',
    placeholder: 'PATH',
    completes: 'path',
    summary: 'CustomResourceDefinitions to look in as well: a file, a directory or a pattern.',
  },
  recursive: { type: 'switch', summary: 'Show the names of all fields below, without their descriptions.' },
  format: {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['text', 'json'],
    summary: 'text (the default), or json: the field as a record for other programs.',
  },
} as const satisfies FlagDefinitions;

export type SchemaFlags = typeof flags;

export const schema = defineCommand({
  name: 'schema',
  summary: 'Show what is known about a kind or a field, as kubectl explain does, offline.',
  arguments: [
    { name: 'ACTION', summary: 'show', required: true, choices: ['show'] },
    { name: 'KIND[.FIELD]', summary: 'Deployment.spec.replicas, or apps/v1/Deployment.spec', required: true },
  ],
  flags,
  examples: [
    { says: 'a field', line: 'kurel schema show Deployment.spec.strategy' },
    { says: 'a kind of a project that kurel knows', line: 'kurel schema show Certificate.spec' },
  ],
  async run(call) {
    const { runSchema } = await import('../run-schema.ts');
    return runSchema(call);
  },
});

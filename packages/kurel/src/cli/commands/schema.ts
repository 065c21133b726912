import { defineCommand } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';
import { packageFlags } from '../package-flags.ts';
import { valueFlags } from '../value-flags.ts';

const flags = {
  'kubernetes-version': {
    type: 'text',
    placeholder: 'VERSION',
    summary: 'The Kubernetes version that is meant, such as 1.34; the newest that kurel knows unless given.',
  },
  crds: {
    type: 'list',
    placeholder: 'PATH',
    completes: 'path',
    summary: 'CustomResourceDefinitions to look in as well: a file, a directory or a pattern.',
  },
  recursive: { type: 'switch', summary: 'show: the names of all fields below, without their descriptions.' },
  format: {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['text', 'json'],
    summary: 'show: text (the default), or json: the field as a record for other programs. A generated schema is json.',
  },
  output: {
    type: 'text',
    short: 'o',
    placeholder: 'FILE',
    completes: 'path',
    summary: 'generate: write the schema to a file.',
  },
  write: { type: 'switch', summary: 'generate: write the schema to schemas/parameters.schema.json of the package.' },
  'no-cache': { type: 'switch', summary: 'generate: make the schema anew, even if it was made in the last hour.' },
  ...valueFlags,
  ...packageFlags,
} as const satisfies FlagDefinitions;

export type SchemaFlags = typeof flags;

export const schema = defineCommand({
  name: 'schema',
  summary: 'Show the schema of a kind or field offline, or generate that of the parameters of a package.',
  description:
    'kurel schema show KIND[.FIELD] prints what is known about a kind or a field, as kubectl explain does. kurel schema generate PKG ' +
    'prints the JSON Schema of the parameters of a patch package: their types, and what the Kubernetes fields demand that they end in. ' +
    'Editors take it to check values files. --values and --set only decide which patches are enabled.',
  arguments: [
    { name: 'ACTION', summary: 'show or generate', required: true, choices: ['show', 'generate'] },
    {
      name: 'SUBJECT',
      summary: 'show: Deployment.spec.replicas, or apps/v1/Deployment.spec; generate: directory of a patch package',
      required: true,
      completes: 'path',
    },
  ],
  flags,
  examples: [
    { says: 'a field', line: 'kurel schema show Deployment.spec.strategy' },
    { says: 'a kind of a project that kurel knows', line: 'kurel schema show Certificate.spec' },
    { says: 'the schema of the parameters of a package', line: 'kurel schema generate shop.kurel -o shop.schema.json' },
  ],
  async run(call) {
    if (call.positionals[0] === 'generate') {
      const { runSchemaGenerate } = await import('../run-schema-generate.ts');
      return runSchemaGenerate(call);
    }
    const { runSchema } = await import('../run-schema.ts');
    return runSchema(call);
  },
});

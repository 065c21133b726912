import { defineCommand } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';
import type { DocumentName } from '../../index.ts';
import { packageFlags } from '../package-flags.ts';
import { UsageError } from '../usage-error.ts';
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
    summary: 'Write a generated schema, or that of a document, to a file.',
  },
  write: {
    type: 'switch',
    summary: 'generate: write the schema to schemas/parameters.schema.json of the patch package.',
  },
  'no-cache': { type: 'switch', summary: 'generate: make the schema anew, even if it was made in the last hour.' },
  ...valueFlags,
  ...packageFlags,
} as const satisfies FlagDefinitions;

export type SchemaFlags = typeof flags;

// Written out, because help should not have to load what makes the schemas.
const documents = [
  'app',
  'profile',
  'policy',
  'package',
  'capability',
  'acceptances',
] as const satisfies readonly DocumentName[];

export const schema = defineCommand({
  name: 'schema',
  summary: 'Print the schema of a kind, a component or a field, of the values of a package, or of a document, offline.',
  description:
    'kurel schema show KIND[.FIELD] prints what is known about a kind or a field, as kubectl explain does; KIND may also be a component ' +
    'or a trait of application packages, and without it these are listed. kurel schema generate PKG ' +
    'prints the JSON Schema of the values of a package: for an application package what it declares, for a patch package the types of ' +
    'its parameters, and what the Kubernetes fields demand that they end in. --values and --set only decide which patches are ' +
    'enabled. kurel schema app, profile, policy, package, capability and acceptances print the JSON Schemas of app.yaml, ClusterProfile, Policy, ' +
    'kurel.yaml, CapabilityDefinition and kurel.accept.yaml, with every component and trait. Editors take them to complete and check what is written.',
  arguments: [
    {
      name: 'ACTION',
      summary: 'show, generate, or a document: app, profile, policy, package, capability or acceptances',
      required: true,
      choices: ['show', 'generate', ...documents],
    },
    {
      name: 'SUBJECT',
      summary:
        'show: Deployment.spec.replicas, apps/v1/Deployment.spec or webservice.image; generate: directory of a package',
      required: false,
      completes: 'path',
    },
  ],
  flags,
  examples: [
    { says: 'a field', line: 'kurel schema show Deployment.spec.strategy' },
    { says: 'a kind of a project that kurel knows', line: 'kurel schema show Certificate.spec' },
    { says: 'which components and traits there are', line: 'kurel schema show' },
    { says: 'the properties of a component', line: 'kurel schema show webservice' },
    { says: 'the schema of the parameters of a package', line: 'kurel schema generate shop.kurel -o shop.schema.json' },
    { says: 'the schema of app.yaml, for an editor', line: 'kurel schema app -o app.schema.json' },
  ],
  async run(call) {
    const { positionals } = call;
    const document = documents.find((name) => name === positionals[0]);
    if (document !== undefined) {
      const { runSchemaDocument } = await import('../run-schema-document.ts');
      return runSchemaDocument(document, call);
    }
    const [action, path] = positionals;
    if (path === undefined) {
      if (action === 'generate')
        throw new UsageError('schema generate needs PKG: directory of a package', 'see kurel schema --help');
      const { runSchemaList } = await import('../run-schema-list.ts');
      return runSchemaList(call);
    }
    if (action === 'show') {
      const { runSchema } = await import('../run-schema.ts');
      return runSchema(call);
    }
    const { runSchemaGenerate } = await import('../run-schema-generate.ts');
    return runSchemaGenerate(call);
  },
});

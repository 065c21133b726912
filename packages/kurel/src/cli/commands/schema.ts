import { join } from 'node:path';

import { didYouMean, nearest, quote } from '../../diagnostics/index.ts';
import { toSlashes, writeOutputFile } from '../../host/index.ts';
import { createCatalog, createDocumentSchema, describeType, fieldAt, findKinds, writeJson } from '../../index.ts';
import type { DescribedType, DocumentName, MissingField, SchemaStore } from '../../index.ts';
import type { JsonObject } from '../../model/index.ts';
import { createCachedGenerate } from '../parameter-schema.ts';
import { defineCommand, formatFlag, listFlag, outputFlag, switchFlag, textFlag } from '../command.ts';
import type { CommandCall, CommandResult, FlagDefinitions } from '../command.ts';
import type { Environment } from '../environment.ts';
import { fieldToJson, formatField } from '../format-field.ts';
import type { ShownField } from '../format-field.ts';
import { fit, formatRows } from '../format-help.ts';
import { valueFlags } from '../input-flags.ts';
import { timeLimitFlags } from '../limits.ts';
import { openPackage, openPackageInput } from '../open-package.ts';
import { createStore, readDefinitionFlags } from '../open-schemas.ts';
import { placeOnDisk } from '../open-world.ts';
import { packageFlags, patchPackageFlags } from '../package-flags.ts';
import { isRemotePath } from '../packages/mount-packages.ts';
import { registryFlags } from '../registry-access.ts';
import { readingWidth } from '../terminal.ts';
import { hasErrors, refuseBothFlags, refuseFlags, UsageError } from '../usage-error.ts';
import { settingsOf } from '../setting-flags.ts';

type Flags = Call['flags'];

/** Flags for patch packages only. */
const ofPatchPackages = ['write', 'no-cache', ...Object.keys(valueFlags), ...patchPackageFlags];

/** Flags for packages in registries only. */
const ofRegistries = ['timeout', ...Object.keys(registryFlags)];

/** Checks for every action except `show`. */
function checkGenerated({ recursive, format }: Flags): void {
  if (recursive)
    throw new UsageError(
      '--recursive is only for kurel schema show',
      'remove it: a generated schema is always complete',
    );
  if (format === 'text') throw new UsageError('a generated schema is always JSON', 'remove --format');
}

const flags = {
  'kubernetes-version': textFlag('VERSION', 'Kubernetes version, such as 1.34; defaults to the newest bundled one.'),
  crds: listFlag('PATH', 'Additional CustomResourceDefinitions: a file, a directory or a pattern.', {
    completes: 'path',
  }),
  recursive: switchFlag('show: print the names of all nested fields, without descriptions.'),
  format: formatFlag(
    ['text', 'json'],
    'show: output format, text (the default) or json. Other schemas are always JSON.',
  ),
  output: outputFlag('FILE', 'Write the schema to a file.'),
  write: switchFlag('generate: write to schemas/parameters.schema.json in the patch package.'),
  'no-cache': switchFlag('generate: regenerate the schema, even if it was cached in the last hour.'),
  ...valueFlags,
  ...packageFlags,
  ...registryFlags,
  ...timeLimitFlags,
} as const satisfies FlagDefinitions;

// A literal, so that help does not load the schema generators.
const documents = [
  'app',
  'profile',
  'policy',
  'package',
  'capability',
  'acceptances',
  'fleet',
] as const satisfies readonly DocumentName[];

export const schema = defineCommand({
  name: 'schema',
  description:
    'kurel schema show KIND[.FIELD] describes a kind or field like kubectl explain; KIND can also be a component or trait. kurel schema ' +
    'generate PKG prints the JSON Schema of the values of a package, derived from its declarations or, for a patch package, from the ' +
    'Kubernetes fields its parameters end up in (--values and --set decide which patches are enabled). The other actions print the ' +
    'JSON Schemas of app.yaml, ClusterProfile, Policy, kurel.yaml, CapabilityDefinition, kurel.accept.yaml and kurel.fleet.yaml for editors.',
  arguments: [
    {
      name: 'ACTION',
      summary: 'show, generate, or a document: app, profile, policy, package, capability, acceptances or fleet',
      choices: ['show', 'generate', ...documents],
    },
    {
      name: 'SUBJECT',
      summary:
        'show: Deployment.spec.replicas, apps/v1/Deployment.spec or webservice.image; generate: directory of a package',
      optional: true,
      completes: 'subject',
      inRegistry: 'content',
    },
  ],
  flags,
  examples: [
    { says: 'a field', line: 'kurel schema show Deployment.spec.strategy' },
    { says: 'a bundled CRD', line: 'kurel schema show Certificate.spec' },
    { says: 'all components and traits', line: 'kurel schema show' },
    { says: 'the properties of a component', line: 'kurel schema show webservice' },
    { says: 'the values schema of a package', line: 'kurel schema generate shop.kurel -o shop.schema.json' },
    { says: 'the schema of app.yaml, for an editor', line: 'kurel schema app -o app.schema.json' },
  ],
  async run(call) {
    const [action, subject] = call.positionals;
    const document = documents.find((name) => name === action);
    if (document !== undefined) return runSchemaDocument(document, call);
    if (action === 'show') return subject === undefined ? runSchemaList(call) : runSchema(call, subject);
    if (subject !== undefined) return runSchemaGenerate(call, subject);
    throw new UsageError('schema generate requires PKG, the directory of a package', 'see kurel schema --help');
  },
});

async function runSchemaDocument(
  name: DocumentName,
  { positionals, flags, environment }: Call,
): Promise<CommandResult> {
  checkGenerated(flags);
  const [, subject] = positionals;
  if (subject !== undefined) {
    throw new UsageError(
      `unexpected argument ${quote(subject)}`,
      `schema ${name} takes no SUBJECT: the schema is the same for all packages`,
    );
  }
  refuseFlags(flags, [...ofPatchPackages, ...ofRegistries], { owner: 'kurel schema generate', hint: 'remove it' });
  const crds = await readDefinitionFlags(flags.crds, environment);
  const store = crds.addTo(createStore(flags['kubernetes-version'], { descriptions: true }));
  const { diagnostics, sources } = crds;
  if (hasErrors(diagnostics)) return { diagnostics, sources, exitCode: 1 };
  const stdout = writeSchemaText(createDocumentSchema(name, { store }), flags.output, environment);
  return { stdout, diagnostics, sources };
}

/** Every type of the catalog, and where kinds come from. */
async function runSchemaList({ flags, environment }: Call): Promise<CommandResult> {
  checkShowUsage(flags);
  const catalog = createCatalog();
  const sections = [
    { title: 'COMPONENTS', category: 'component', types: [...catalog.components.values()] },
    { title: 'TRAITS', category: 'trait', types: [...catalog.traits.values()] },
    { title: 'POLICIES', category: 'policy', types: [...catalog.policies.values()] },
  ];
  if (flags.format === 'json') {
    const list = sections.flatMap(({ category, types }) =>
      types.map(({ type, summary }) => ({ category, type, summary })),
    );
    return { stdout: `${writeJson(list)}\n` };
  }
  const rows = sections.map(({ types }) => types.map(({ type, summary }) => [type, summary] as const));
  const terms = rows.flat().reduce((most, [type]) => Math.max(most, type.length), 0) + 2;
  const width = readingWidth(environment);
  const lines: string[] = [];
  for (const [index, { title }] of sections.entries()) {
    for (const line of [`${title}:`, ...formatRows(rows[index]!, { width, terms }), '']) lines.push(line);
  }
  const { kubernetesVersion } = createStore(flags['kubernetes-version'], { descriptions: true });
  const kinds = `KINDS: all of Kubernetes ${kubernetesVersion}, and those of well-known CRDs, as in kurel schema show Deployment.spec`;
  for (const line of fit(kinds, width)) lines.push(line);
  return { stdout: `${lines.join('\n')}\n` };
}

type Call = CommandCall<typeof flags>;

async function runSchemaGenerate(call: Call, path: string): Promise<CommandResult> {
  const { flags, environment } = call;
  const input = await openPackageInput(path, environment);
  const { form } = input;
  checkGenerated(flags);
  if (form.hasParameterSchema !== true) {
    const declares = `remove it: ${form.package.noun} declares its parameters`;
    refuseFlags(flags, [...ofPatchPackages, 'crds', 'kubernetes-version'], {
      owner: 'patch packages',
      hint: (name) => (name === 'write' ? 'use -o FILE' : declares),
    });
  }
  refuseBothFlags(flags, ['output', 'write']);
  if (flags.write && isRemotePath(path)) throw new UsageError('--write cannot write to a registry', 'use -o FILE');
  const store = createStore(flags['kubernetes-version'], { descriptions: true });
  const definitions = await readDefinitionFlags(flags.crds, environment);
  const isCached = !flags['no-cache'] && flags.crds.length === 0;
  const opened = await openPackage(input, settingsOf(flags), environment, {
    store: () => definitions.addTo(store),
    package: { schema: isCached ? { generate: createCachedGenerate(environment) } : undefined },
  });
  const more = [...definitions.diagnostics];
  let stdout: string | undefined;
  if (opened.usable !== undefined && !hasErrors(more)) {
    const schema = opened.usable.createSchema((diagnostic) => void more.push(diagnostic));
    const own = toSlashes(join(input.path, 'schemas', 'parameters.schema.json'));
    stdout = writeSchemaText(schema, flags.write ? own : flags.output, environment);
  }
  const { diagnostics, sources } = await opened.findings(more);
  return { stdout, diagnostics, sources: [...definitions.sources, ...sources] };
}

/** Writes a JSON Schema to a file; returns it if it is for stdout. */
function writeSchemaText(schema: JsonObject, target: string | undefined, environment: Environment): string | undefined {
  const text = `${writeJson(schema)}\n`;
  if (target === undefined || target === '-') return text;
  writeOutputFile(placeOnDisk(target, environment), text);
  return undefined;
}

async function runSchema({ flags, environment }: Call, subject: string): Promise<CommandResult> {
  checkShowUsage(flags);
  const crds = await readDefinitionFlags(flags.crds, environment);
  const { diagnostics, sources } = crds;
  if (hasErrors(diagnostics)) return { diagnostics, sources, exitCode: 1 };
  const store = crds.addTo(createStore(flags['kubernetes-version'], { descriptions: true }));
  const shown = findField(store, subject);
  const options = { recursive: flags.recursive, width: readingWidth(environment) };
  return { stdout: flags.format === 'json' ? fieldToJson(shown) : formatField(shown, options), diagnostics, sources };
}

function checkShowUsage(flags: Call['flags']): void {
  refuseFlags(flags, ['output', ...ofPatchPackages, ...ofRegistries], {
    owner: 'kurel schema generate',
    hint: 'remove it',
  });
}

/**
 * The field that `apps/v1/Deployment.spec.replicas` names; groups contain dots, so the kind starts after the last slash. A word such as
 * `cronjob` may be a type of the catalog and a kind that is spelt with capitals: the exact spelling is meant, unless only the other one has
 * the field.
 */
export function findField(store: SchemaStore, text: string): ShownField {
  const start = text.lastIndexOf('/') + 1;
  const [name = '', ...rest] = text.slice(start).split('.');
  const kindText = text.slice(0, start) + name;
  const steps = rest.map((step) => step.replace(/\[.*\]$/, ''));
  const [gvk] = findKinds(store, kindText);
  const kind = gvk === undefined ? undefined : store.find(gvk);
  const type = describeType(kindText, { catalog: createCatalog(), store });
  const subjects = [
    ...(type === undefined ? [] : showType(type, kind?.gvk.kind)),
    ...(kind === undefined ? [] : [{ subject: kind, schema: kind.schema }]),
  ];
  if (subjects.length === 0) throw unknownKind(store, kindText);
  let furthest: MissingField | undefined;
  for (const { subject, schema } of subjects) {
    const field = fieldAt({ schema }, steps);
    if ('found' in field) {
      return { subject, path: steps.join('.'), node: field.found, required: steps.length > 0 && field.required };
    }
    if (furthest === undefined || field.missing > furthest.missing) furthest = field;
  }
  const { missing, near } = furthest!;
  const holder = quote(missing === 0 ? kindText : steps.slice(0, missing).join('.'));
  throw new UsageError(`unknown field ${quote(steps[missing]!)} in ${holder}`, didYouMean(near, String));
}

/** Properties for authors come before those for platforms. */
function showType(type: DescribedType, namesake: string | undefined) {
  const author = { subject: { ...type, writer: 'author' as const, namesake }, schema: type.properties };
  if (type.rendering === undefined) return [author];
  return [author, { subject: { ...type, writer: 'platform' as const, namesake }, schema: type.rendering }];
}

function unknownKind(store: SchemaStore, text: string): UsageError {
  const { components, traits, policies } = createCatalog();
  const near = nearest(text.slice(text.lastIndexOf('/') + 1), [
    ...components.keys(),
    ...traits.keys(),
    ...policies.keys(),
    ...store.kinds().map(({ kind }) => kind),
  ]);
  return new UsageError(
    `unknown kind ${quote(text)}: not a component, trait, kind of Kubernetes ${store.kubernetesVersion} or known CRD`,
    didYouMean(near, String) ?? 'pass its CustomResourceDefinition with --crds',
  );
}

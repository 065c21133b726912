import {
  createValuesSchema,
  installPhaseOf,
  installPhases,
  nameOf,
  namespaceOf,
  writeJson,
  writeYaml,
} from '../../index.ts';
import type {
  ApplicationExamination,
  ExaminedPart,
  PackagePatch,
  PackageRendering,
  ParameterDeclaration,
  PatchPackage,
} from '../../index.ts';
import { isJsonArray } from '../../model/index.ts';
import type { Json, JsonObject, KubeObject, Values } from '../../model/index.ts';
import { describeRange } from '../format-field.ts';
import { shorten } from '../terminal.ts';

export function describePackage({ package: pkg, parameters, plan, objects }: PackageRendering): JsonObject {
  const enabled = new Set(plan.enabled.map(({ patch }) => patch));
  const { kurel: _, ...values } = parameters.merged;
  return withoutUndefined({
    ...pkg.metadata,
    path: pkg.path,
    local: pkg.localPath,
    parameters: values,
    resources: objects.map((object) =>
      withoutUndefined({
        apiVersion: object.apiVersion,
        kind: object.kind,
        name: nameOf(object),
        namespace: namespaceOf(object) === '' ? undefined : namespaceOf(object),
        phase: installPhaseOf(object),
      }),
    ),
    patches: pkg.patches.map((patch) =>
      withoutUndefined({
        id: patch.id,
        owner: patch.owner,
        description: patch.sidecar?.description,
        condition: patch.sidecar?.enabled,
        enabled: enabled.has(patch),
      }),
    ),
  });
}

function withoutUndefined(fields: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

export function formatPackage(rendering: PackageRendering, all: boolean): readonly string[] {
  const { package: pkg, parameters, objects } = rendering;
  const { kurel: _, ...values } = parameters.merged;
  return [
    ...headLines(pkg, [['Phases', describePhases(objects)]]),
    '',
    ...listParameters(values, all),
    `Resources (${objects.length}):`,
    ...objects.map((object) => `  - ${describeResource(object)}`),
    `Patches (${pkg.patches.length}):`,
    ...pkg.patches.map((patch) => `  - ${describePackagePatch(patch)}`),
  ];
}

type Row = readonly [label: string, text: string | undefined];

function formatRows(rows: readonly Row[]): readonly string[] {
  return rows.flatMap(([label, text]) => (text === undefined ? [] : [`${label}: ${text}`]));
}

export function headLines(
  { metadata, localPath }: Pick<PatchPackage, 'metadata' | 'localPath'>,
  more: readonly Row[],
): readonly string[] {
  const { name, version, appVersion, description, home, keywords, maintainers } = metadata;
  const people = maintainers.map((person) =>
    person.email === undefined ? person.name : `${person.name} <${person.email}>`,
  );
  const rows: readonly Row[] = [
    ['Package', name],
    ['Version', version],
    ['App version', appVersion],
    ['Description', description],
    ['Home', home],
    ['Keywords', keywords.length === 0 ? undefined : keywords.join(', ')],
    ['Maintainers', people.length === 0 ? undefined : people.join(', ')],
    ['Local extension', localPath],
    ...more,
  ];
  return formatRows(rows);
}

function describePhases(objects: readonly KubeObject[]): string | undefined {
  const phases = installPhases.map((phase) => {
    const count = objects.filter((object) => installPhaseOf(object) === phase).length;
    return count === 0 ? [] : [`${phase} (${count})`];
  });
  return objects.length === 0 ? undefined : phases.flat().join(', ');
}

export function listParameters(values: Values, all: boolean): readonly string[] {
  const names = Object.keys(values).toSorted();
  return [`Parameters (${names.length}):`, ...names.flatMap((name) => parameterLines(name, values[name]!, all))];
}

function parameterLines(name: string, value: Json, all: boolean): readonly string[] {
  if (!all)
    return [`  ${name}: ${typeOf(value)}${value === null ? '' : ` = ${shorten(writeJson(value, 0).trim(), longest)}`}`];
  return writeYaml({ [name]: value })
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`);
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'bigint' ? 'integer' : typeof value;
}

function describeResource(object: KubeObject): string {
  const namespace = namespaceOf(object);
  const phase = installPhaseOf(object);
  const facts = [
    ...(namespace === '' ? [] : [`namespace: ${namespace}`]),
    ...(phase === undefined || phase === 'main' ? [] : [`phase: ${phase}`]),
  ];
  return `${object.kind}/${nameOf(object)}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

function describePackagePatch({ id, owner, sidecar }: PackagePatch): string {
  const { description, enabled } = sidecar ?? {};
  return [
    id,
    ...(description === undefined ? [] : [`: ${description.trim().replaceAll(/\s+/g, ' ')}`]),
    ...(enabled === undefined
      ? []
      : [` [enabled: ${typeof enabled === 'string' ? enabled : JSON.stringify(enabled)}]`]),
    ...(owner === 'local' ? [' [local]'] : []),
  ].join('');
}

/** Characters of a value in a list. */
const longest = 60;

export function describeApplication(examination: ApplicationExamination): JsonObject {
  const { package: pkg, path, name, namespace, declarations, components, capabilities, patches } = examination;
  return withoutUndefined({
    name: pkg?.metadata.name,
    version: pkg?.metadata.version,
    description: pkg?.metadata.description,
    path,
    application: withoutUndefined({ name, namespace }),
    parameters: declarations.map((declaration) => describeParameter(declaration, examination)),
    components: components.map(({ traits, ...component }) =>
      withoutUndefined({ ...component, traits: traits.map((trait) => withoutUndefined({ ...trait })) }),
    ),
    capabilities,
    patches,
  });
}

function describeParameter(declaration: ParameterDeclaration, { parameters }: ApplicationExamination): JsonObject {
  const { name, type, required, default: otherwise, description } = declaration;
  return withoutUndefined({
    name,
    type,
    required,
    default: otherwise,
    value: parameters?.values.get(name)?.value,
    description,
    ...describeLimits(declaration),
  });
}

/** Constraints other than the type, as declared. */
function describeLimits({ name, ...rest }: ParameterDeclaration): JsonObject {
  const { properties } = createValuesSchema([{ ...rest, name, default: undefined }]);
  const described = (properties as Record<string, JsonObject>)[name]!;
  const { type: _type, description: _description, required: requiredKeys, ...limits } = described;
  return withoutUndefined({ ...limits, requiredKeys });
}

export function formatApplication(examination: ApplicationExamination): readonly string[] {
  const { package: pkg, name, namespace, declarations, components, capabilities, patches } = examination;
  const rows: readonly Row[] = [
    ['Package', pkg?.metadata.name],
    ['Version', pkg?.metadata.version],
    ['Description', pkg?.metadata.description],
    ['Application', namespace === undefined ? name : `${name} (namespace: ${namespace})`],
    ['Requires from the profile', capabilities.length === 0 ? undefined : capabilities.join(', ')],
  ];
  return [
    ...formatRows(rows),
    '',
    `Parameters (${declarations.length}):`,
    ...declarations.map((declaration) => `  ${formatParameter(declaration, examination)}`),
    `Components (${components.length}):`,
    ...components.map((component) => `  - ${formatComponent(component)}`),
    `Patches (${patches.length}):`,
    ...patches.map((patch) => `  - ${patch}`),
  ];
}

function formatParameter(declaration: ParameterDeclaration, { parameters, optional }: ApplicationExamination): string {
  const { name, type, required, description, default: otherwise } = declaration;
  const value = parameters?.values.get(name)?.value ?? otherwise;
  const need = optional.has(name) ? ', required where it is used' : ', required';
  const state = value === undefined ? (required ? need : '') : ` = ${shorten(writeJson(value, 0).trim(), longest)}`;
  const limits = listLimits(declaration).map((limit) => `, ${limit}`);
  const words = description === undefined ? '' : `  (${description.trim().replaceAll(/\s+/g, ' ')})`;
  return `${name}: ${type}${state}${limits.join('')}${words}`;
}

function listLimits({
  enum: words,
  pattern,
  minimum,
  maximum,
  requiredKeys = [],
}: ParameterDeclaration): readonly string[] {
  const listed = words?.map((word) => (typeof word === 'string' ? word : writeJson(word, 0).trim())).join(', ');
  const range = describeRange({ minimum, maximum });
  return [
    ...(range === undefined ? [] : [range]),
    ...(listed === undefined ? [] : [`one of ${shorten(listed, longest)}`]),
    ...(pattern === undefined ? [] : [`matching ${shorten(pattern.text, longest)}`]),
    ...(requiredKeys.length === 0 ? [] : [`with ${shorten(requiredKeys.join(', '), longest)}`]),
  ];
}

function formatComponent({ name, type, enabled, traits }: ExaminedPart): string {
  const named = traits.map((trait) => `${trait.type}${formatEnabled(trait.enabled)}`);
  return `${name}: ${type}${formatEnabled(enabled)}${named.length === 0 ? '' : ` with ${named.join(', ')}`}`;
}

function formatEnabled(enabled: Json | undefined): string {
  return enabled === undefined || typeof enabled === 'object' ? '' : ` [enabled: ${enabled}]`;
}

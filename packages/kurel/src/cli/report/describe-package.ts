import { escapeControls } from '../../diagnostics/index.ts';
import { installPhaseOf, installPhases, nameOf, namespaceOf, writeYaml } from '../../index.ts';
import type { PackagePatch, PackageRendering } from '../../index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, KubeObject } from '../../model/index.ts';

/** What a package is, as data. */
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

/** What a package is, for people. */
export function formatPackage(rendering: PackageRendering, all: boolean): string {
  const { package: pkg, parameters, objects } = rendering;
  const { kurel: _, ...values } = parameters.merged;
  const names = Object.keys(values).toSorted();
  const lines = [
    ...headLines(rendering),
    '',
    `Parameters (${names.length}):`,
    ...names.flatMap((name) => parameterLines(name, values[name]!, all)),
    `Resources (${objects.length}):`,
    ...objects.map((object) => `  - ${describeResource(object)}`),
    `Patches (${pkg.patches.length}):`,
    ...pkg.patches.map((patch) => `  - ${describePackagePatch(patch)}`),
  ];
  return lines.map((line) => `${escapeControls(line)}\n`).join('');
}

function headLines({ package: { metadata, localPath }, objects }: PackageRendering): readonly string[] {
  const { name, version, appVersion, description, home, keywords, maintainers } = metadata;
  const people = maintainers.map((one) => (one.email === undefined ? one.name : `${one.name} <${one.email}>`));
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Package', name],
    ['Version', version],
    ['App version', appVersion],
    ['Description', description],
    ['Home', home],
    ['Keywords', keywords.length === 0 ? undefined : keywords.join(', ')],
    ['Maintainers', people.length === 0 ? undefined : people.join(', ')],
    ['Local extension', localPath],
    ['Phases', describePhases(objects)],
  ];
  return rows.flatMap(([label, text]) => (text === undefined ? [] : [`${label}: ${text}`]));
}

function describePhases(objects: readonly KubeObject[]): string | undefined {
  const phases = installPhases.map((phase) => {
    const count = objects.filter((object) => installPhaseOf(object) === phase).length;
    return count === 0 ? [] : [`${phase} (${count})`];
  });
  return objects.length === 0 ? undefined : phases.flat().join(', ');
}

function parameterLines(name: string, value: Json, all: boolean): readonly string[] {
  if (!all) return [`  ${name}: ${summariseValue(value)}`];
  return writeYaml({ [name]: value })
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`);
}

function summariseValue(value: Json): string {
  if (isJsonArray(value)) return `(array with ${count(value.length, 'item')})`;
  if (isJsonObject(value)) return `(map with ${count(Object.keys(value).length, 'key')})`;
  if (typeof value !== 'string') return String(value);
  if (value.includes('\n')) return '(multiline)';
  return value === '' ? '""' : value;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
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

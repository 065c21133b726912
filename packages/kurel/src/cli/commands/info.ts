import { escapeControls } from '../../diagnostics/index.ts';
import {
  createCatalog,
  createOriginTable,
  createValuesSchema,
  examineApplication,
  installPhaseOf,
  installPhases,
  loadApplication,
  markedDirectory,
  nameOf,
  namespaceOf,
  renderPackage,
  writeJson,
  writeYaml,
} from '../../index.ts';
import type {
  ApplicationExamination,
  ExaminedPart,
  PackagePatch,
  PackageRendering,
  ParameterDeclaration,
} from '../../index.ts';
import { isJsonArray } from '../../model/index.ts';
import type { Diagnostic, Json, JsonObject, KubeObject } from '../../model/index.ts';
import { defineCommand } from '../command.ts';
import type { CommandCall, ExitCode, FlagDefinitions } from '../command.ts';
import { createStore } from '../create-store.ts';
import { refusedBy } from '../explain/answer-from-build.ts';
import { describeRange } from '../format-field.ts';
import { findGiven, UsageError } from '../usage-error.ts';
import { openDisk } from '../open-world.ts';
import { openInput } from '../open-input.ts';
import { openPackage } from '../open-package.ts';
import { packageFlags } from '../package-flags.ts';
import { recordReads } from '../../reads/index.ts';
import { paint, useColor } from '../paint.ts';
import { printDiagnostics } from '../print-diagnostics.ts';
import { fitLine, terminalWidth } from '../terminal-width.ts';
import { applicationLayers } from '../application-flags.ts';
import { readValueFlags, valueFlags } from '../value-flags.ts';

/** Reads an application package without building it. */
async function runInfoApplication(call: CommandCall<InfoFlags>): Promise<ExitCode> {
  const { positionals, flags, environment } = call;
  checkUsage(flags);
  const values = await readValueFlags(flags, openDisk(environment, { pipes: true }), {
    reading: 'declared',
    readStdin: environment.readStdin,
    paths: positionals,
  });
  const found: Diagnostic[] = [...values.diagnostics];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const texts = recordReads({ fileSystem: openDisk(environment) });
  values.sources.forEach(texts.remember);
  const path = markedDirectory(positionals[0]!);
  const limits = environment.limits?.package;
  const isRead = found.length === 0;
  const pkg = isRead
    ? await loadApplication({ fileSystem: texts.fileSystem, path, profile: false, limits }, report)
    : undefined;
  const options = { catalog: createCatalog(), layers: applicationLayers(values.given), report };
  const examination = pkg === undefined ? undefined : examineApplication(pkg, options);
  const ok = examination !== undefined && found.every(({ severity }) => severity !== 'error');
  if (ok) {
    const data = describeApplication(examination);
    const { format = 'text' } = flags;
    environment.writeStdout(
      format === 'json'
        ? `${writeJson(data)}\n`
        : format === 'yaml'
          ? writeYaml(data)
          : finish(formatApplication(examination), call),
    );
  }
  const sources = [...values.sources, ...(await texts.sourcesOf(found))];
  await printDiagnostics({ diagnostics: found, sources }, { format: 'text', color: flags.color }, environment);
  return ok ? 0 : found.some(({ code }) => code === 'set-syntax') ? 2 : 1;
}

function checkUsage(flags: CommandCall<InfoFlags>['flags']): void {
  const stranger = findGiven(flags, ['all', 'local', 'no-local', 'enable', 'max-depth', 'max-resources']);
  if (stranger !== undefined)
    throw new UsageError(`--${stranger} is only for patch packages`, 'remove it: PKG is an application package');
}

/** An application package as data. */
function describeApplication(examination: ApplicationExamination): JsonObject {
  const { package: pkg, path, name, namespace, declarations, components, capabilities, patches } = examination;
  return present({
    name: pkg?.metadata.name,
    version: pkg?.metadata.version,
    description: pkg?.metadata.description,
    path,
    application: present({ name, namespace }),
    parameters: declarations.map((declaration) => describeParameter(declaration, examination)),
    components: components.map(({ traits, ...component }) => present({ ...component, traits: traits.map(present) })),
    capabilities,
    patches,
  });
}

function describeParameter(declaration: ParameterDeclaration, { parameters }: ApplicationExamination): JsonObject {
  const { name, type, required, default: otherwise, description } = declaration;
  return present({
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
  return present({ ...limits, requiredKeys });
}

function present(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/** An application package as text. */
function formatApplication(examination: ApplicationExamination): readonly string[] {
  const { package: pkg, name, namespace, declarations, components, capabilities, patches } = examination;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Package', pkg?.metadata.name],
    ['Version', pkg?.metadata.version],
    ['Description', pkg?.metadata.description],
    ['Application', namespace === undefined ? name : `${name} (namespace: ${namespace})`],
    ['Requires from the profile', capabilities.length === 0 ? undefined : capabilities.join(', ')],
  ];
  return [
    ...rows.flatMap(([label, text]) => (text === undefined ? [] : [`${label}: ${text}`])),
    '',
    `Parameters (${declarations.length}):`,
    ...declarations.map((declaration) => `  ${formatParameter(declaration, examination)}`),
    `Components (${components.length}):`,
    ...components.map((component) => `  - ${formatComponent(component)}`),
    `Patches (${patches.length}):`,
    ...patches.map((patch) => `  - ${patch}`),
  ];
}

/** Fits the lines to the terminal, with labels in bold. */
function finish(lines: readonly string[], { flags, environment }: CommandCall<InfoFlags>): string {
  const width = terminalWidth(environment, environment.stdoutIsTerminal);
  const color = useColor(flags.color, environment, environment.stdoutIsTerminal);
  return lines
    .flatMap((line) => fitLine(escapeControls(line), width))
    .map((line) => `${line.replace(/^[A-Z][^:]*:/, (label) => paint('1', label, color))}\n`)
    .join('');
}

function formatParameter(declaration: ParameterDeclaration, { parameters, optional }: ApplicationExamination): string {
  const { name, type, required, description, default: otherwise } = declaration;
  const value = parameters?.values.get(name)?.value ?? otherwise;
  const need = optional.has(name) ? ', required where it is used' : ', required';
  const state = value === undefined ? (required ? need : '') : ` = ${shorten(writeJson(value, 0).trim())}`;
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
    ...(listed === undefined ? [] : [`one of ${shorten(listed)}`]),
    ...(pattern === undefined ? [] : [`matching ${shorten(pattern.text)}`]),
    ...(requiredKeys.length === 0 ? [] : [`with ${shorten(requiredKeys.join(', '))}`]),
  ];
}

const longest = 60;

function shorten(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

function formatComponent({ name, type, enabled, traits }: ExaminedPart): string {
  const named = traits.map((trait) => `${trait.type}${formatEnabled(trait.enabled)}`);
  return `${name}: ${type}${formatEnabled(enabled)}${named.length === 0 ? '' : ` with ${named.join(', ')}`}`;
}

function formatEnabled(enabled: Json | undefined): string {
  return enabled === undefined || typeof enabled === 'object' ? '' : ` [enabled: ${enabled}]`;
}

const flags = {
  all: {
    type: 'switch',
    section: 'package',
    summary: 'Patch package: print long parameter values in full, as YAML.',
  },
  ...valueFlags,
  ...packageFlags,
  format: {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['text', 'yaml', 'json'],
    summary: 'Output format: text (the default), yaml or json.',
  },
} as const satisfies FlagDefinitions;

export type InfoFlags = typeof flags;

export const info = defineCommand({
  name: 'info',
  summary: 'Show a package: metadata, parameters, components, patches.',
  description:
    'For a patch package: parameters with their references, and the resources it produces. For an application package: declared ' +
    'parameters, components, and what it requires from the profile.',
  arguments: [{ name: 'PKG', summary: 'directory of a package', required: true, completes: 'path' }],
  flags,
  examples: [{ says: 'a package', line: 'kurel info shop.kurel' }],
  run: runInfo,
});

type Call = CommandCall<InfoFlags>;

async function runInfo(call: Call): Promise<ExitCode> {
  const { positionals, flags, environment } = call;
  const { form } = await openInput(positionals[0]!, {}, environment);
  if (form.values === 'declared') return runInfoApplication(call);
  const opened = await openPackage(positionals[0]!, flags, environment);
  const { diagnostics, sourcesOf, failure } = opened;
  const found = [...diagnostics];
  const store = createStore(undefined);
  const rendering = opened.ok ? render() : undefined;
  const refused = rendering && (await refusedBy(opened.examined, { store, environment }));
  refused?.diagnostics.forEach((diagnostic) => found.push(diagnostic));
  if (rendering !== undefined) environment.writeStdout(print(rendering, call));
  const findings = { diagnostics: found, sources: await sourcesOf(found) };
  await printDiagnostics(findings, { format: 'text', color: flags.color }, environment);
  return rendering === undefined ? failure : 0;

  function render(): PackageRendering | undefined {
    const report = (diagnostic: Diagnostic): void => {
      // Notes are only of interest when building.
      if (diagnostic.severity !== 'note') found.push(diagnostic);
    };
    return renderPackage(opened.examined!, { origins: createOriginTable(), store, report }).rendering;
  }
}

function print(rendering: PackageRendering, call: Call): string {
  const { format, all } = call.flags;
  if (format === 'json') return `${writeJson(describePackage(rendering))}\n`;
  return format === 'yaml' ? writeYaml(describePackage(rendering)) : finish(formatPackage(rendering, all), call);
}

/** A patch package as data. */
function describePackage({ package: pkg, parameters, plan, objects }: PackageRendering): JsonObject {
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

/** A patch package as text. */
function formatPackage(rendering: PackageRendering, all: boolean): readonly string[] {
  const { package: pkg, parameters, objects } = rendering;
  const { kurel: _, ...values } = parameters.merged;
  const names = Object.keys(values).toSorted();
  return [
    ...headLines(rendering),
    '',
    `Parameters (${names.length}):`,
    ...names.flatMap((name) => parameterLines(name, values[name]!, all)),
    `Resources (${objects.length}):`,
    ...objects.map((object) => `  - ${describeResource(object)}`),
    `Patches (${pkg.patches.length}):`,
    ...pkg.patches.map((patch) => `  - ${describePackagePatch(patch)}`),
  ];
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
  if (!all) return [`  ${name}: ${typeOf(value)}${value === null ? '' : ` = ${shorten(writeJson(value, 0).trim())}`}`];
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

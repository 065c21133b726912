import { escapeControls } from '../diagnostics/index.ts';
import {
  createCatalog,
  createValuesSchema,
  examineApplication,
  loadApplication,
  markedDirectory,
  rememberTexts,
  writeJson,
  writeYaml,
} from '../index.ts';
import type { ApplicationExamination, ExaminedPart, ParameterDeclaration } from '../index.ts';
import type { Diagnostic, Json, JsonObject } from '../model/index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { InfoFlags } from './commands/info.ts';
import { findGiven } from './find-given.ts';
import { openDisk } from './open-disk.ts';
import { printDiagnostics } from './print-diagnostics.ts';
import { applicationLayers } from './read-application-flags.ts';
import { readValueFlags } from './read-value-flags.ts';
import { UsageError } from './usage-error.ts';

/** What an application package takes and is made of; nothing is built. */
export async function runInfoApplication({
  positionals,
  flags,
  environment,
}: CommandCall<InfoFlags>): Promise<ExitCode> {
  checkUsage(flags);
  const values = await readValueFlags(flags, openDisk(environment, { pipes: true }), { reading: 'declared' });
  const found: Diagnostic[] = [...values.diagnostics];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const texts = rememberTexts(openDisk(environment), values.sources);
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
      format === 'json' ? `${writeJson(data)}\n` : format === 'yaml' ? writeYaml(data) : formatApplication(examination),
    );
  }
  const sources = [...values.sources, ...(await texts.sourcesOf(found))];
  await printDiagnostics({ diagnostics: found, sources }, { format: 'text', color: flags.color }, environment);
  return ok ? 0 : found.some(({ code }) => code === 'set-syntax') ? 2 : 1;
}

function checkUsage(flags: CommandCall<InfoFlags>['flags']): void {
  const stranger = findGiven(flags, ['all', 'local', 'no-local', 'enable', 'max-depth', 'max-resources']);
  if (stranger !== undefined)
    throw new UsageError(`--${stranger} is for patch packages`, 'PKG is an application package');
}

/** What an application package is, as data. */
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

/** What a value must keep to beside its type, in the words of its declaration. */
function describeLimits({ name, ...rest }: ParameterDeclaration): JsonObject {
  const { properties } = createValuesSchema([{ ...rest, name, default: undefined }]);
  const described = (properties as Record<string, JsonObject>)[name]!;
  const { type: _type, description: _description, required: requiredKeys, ...limits } = described;
  return present({ ...limits, requiredKeys });
}

function present(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/** What an application package is, for people. */
function formatApplication(examination: ApplicationExamination): string {
  const { package: pkg, name, namespace, declarations, components, capabilities, patches } = examination;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Package', pkg?.metadata.name],
    ['Version', pkg?.metadata.version],
    ['Description', pkg?.metadata.description],
    ['Application', namespace === undefined ? name : `${name} (namespace: ${namespace})`],
    ['Needs of a profile', capabilities.length === 0 ? undefined : capabilities.join(', ')],
  ];
  const lines = [
    ...rows.flatMap(([label, text]) => (text === undefined ? [] : [`${label}: ${text}`])),
    '',
    `Parameters (${declarations.length}):`,
    ...declarations.map((declaration) => `  ${formatParameter(declaration, examination)}`),
    `Components (${components.length}):`,
    ...components.map((component) => `  - ${formatComponent(component)}`),
    `Patches (${patches.length}):`,
    ...patches.map((patch) => `  - ${patch}`),
  ];
  return lines.map((line) => `${escapeControls(line)}\n`).join('');
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
  const from = minimum === undefined ? [] : [`from ${minimum}`];
  const to = maximum === undefined ? [] : [minimum === undefined ? `up to ${maximum}` : `to ${maximum}`];
  return [
    ...(from.length + to.length === 0 ? [] : [[...from, ...to].join(' ')]),
    ...(listed === undefined ? [] : [`one of ${shorten(listed)}`]),
    ...(pattern === undefined ? [] : [`like ${shorten(pattern.text)}`]),
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

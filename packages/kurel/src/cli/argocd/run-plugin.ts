import { isAbsolute, posix, resolve } from 'node:path';

import { DiagnosticError, isSecretName, quote } from '../../diagnostics/index.ts';
import type { Spelling } from '../../diagnostics/index.ts';
import { isWithin, realPathOf } from '../../host/index.ts';
import { applyAssignment, parseAssignment } from '../../index.ts';
import type { DescribedParameter } from '../../index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Values } from '../../model/index.ts';
import { leavesOf } from '../../parameters/index.ts';
import { wordsOfValue } from '../../provenance/index.ts';
import { completeSettings, settingNames, settingTable } from '../../settings/index.ts';
import type { BuildSettings, SettingDefinition, SettingName } from '../../settings/index.ts';
import { readYaml, writeJson, writeYaml } from '../../yaml/index.ts';
import { buildToOutput } from '../build-to-output.ts';
import type { CommandCall, CommandResult } from '../command.ts';
import type { Environment } from '../environment.ts';
import type { messageFormatFlag } from '../input-flags.ts';
import { isPackage, openInput } from '../open-input.ts';
import { noSettings, openPackage, openPackageInput } from '../open-package.ts';
import { spellAsFlags, spellFindings } from '../spell-findings.ts';
import { failureOf, UsageError } from '../usage-error.ts';

type Call = CommandCall<typeof messageFormatFlag>;

/** One call by Argo CD, in the directory of an Application. */
export async function runPlugin(call: Call): Promise<CommandResult> {
  try {
    return spellFindings(await answer(call), spellAsVariables);
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const { diagnostics } = spellFindings({ diagnostics: error.diagnostics }, spellAsVariables);
    throw new DiagnosticError(diagnostics, { cause: error, sources: error.sources });
  }
}

async function answer(call: Call): Promise<CommandResult> {
  const { positionals, environment } = call;
  if (positionals[0] === 'generate') return generate(call);
  return positionals[0] === 'parameters' ? announce(call) : discover(environment);
}

const rows: Readonly<Record<string, SettingDefinition>> = settingTable;

/** Spells settings as the variables that make them. */
const spellAsVariables: Spelling = (mention) => {
  const { setting, isAdvised = false, what } = mention;
  const variable = rows[setting]?.variable;
  if (variable === undefined) return spellAsFlags(mention);
  if (what !== undefined) return `name ${what} in ${variable}`;
  return `${isAdvised ? 'set ' : ''}${variable}`;
};

/** Argo CD uses the plugin if something is printed. */
async function discover(environment: Environment): Promise<CommandResult> {
  const { form } = await openInput('.', {}, environment);
  return isPackage(form) ? { stdout: `${form.name}\n` } : {};
}

async function announce({ environment }: Call): Promise<CommandResult> {
  const opened = await openPackage(await openPackageInput('.', environment), noSettings, environment);
  // Argo CD has no type for null.
  const parameters = opened.usable?.listParameters().filter(({ type }) => type !== 'null');
  const findings = await opened.findings();
  const secrets = new Set(opened.secretWords());
  if (parameters === undefined) return { ...findings, exitCode: failureOf(findings.diagnostics) };
  return {
    ...findings,
    stdout: `${writeJson(parameters.map((parameter) => announceParameter(parameter, secrets)))}\n`,
    exitCode: 0,
  };
}

async function generate({ environment }: Call): Promise<CommandResult> {
  const { variables } = environment;
  const { set, values } = readParameters(variables['ARGOCD_APP_PARAMETERS'] ?? '');
  const settings = completeSettings({ ...readSettings(environment), layout: 'argocd', set });
  const inline = { values, acceptances: [] };
  const { diagnostics, sources, accepted, exitCode } = await buildToOutput({
    path: '.',
    settings,
    environment,
    inline,
  });
  return { diagnostics, sources, accepted, exitCode };
}

type PluginCall = Pick<Environment, 'variables' | 'workingDirectory'>;

/**
 * Settings that the operator of the sidecar, or the author of an Application, makes in variables. Argo CD passes `KUREL_PROFILE` of an
 * Application as `ARGOCD_ENV_KUREL_PROFILE`, so a variable without that prefix is of the operator, and an Application cannot override it.
 */
export function readSettings({ variables, workingDirectory }: PluginCall): Partial<BuildSettings> {
  const entries = settingNames.flatMap((setting) => {
    const { variable: name }: SettingDefinition = settingTable[setting];
    if (name === undefined) return [];
    const [ofOperator, ofAuthor] = [variables[name] ?? '', variables[`ARGOCD_ENV_${name}`] ?? ''];
    if (ofOperator !== '' && ofAuthor !== '') {
      throw new UsageError(
        `the Application sets ${name}, which the sidecar sets already`,
        `remove ${name} from spec.source.plugin.env of the Application`,
      );
    }
    if (ofOperator !== '') return [[setting, readVariable(setting, name, ofOperator)]];
    if (ofAuthor === '') return [];
    const check = (path: string): void => {
      // A pattern could match what a link leads to.
      const isPattern = setting === 'crds' && /[*?[{]/.test(path);
      if (!isPattern && isInRepository(path, { variables, workingDirectory })) return;
      throw new UsageError(
        `${name} of the Application must name a file of its repository, got ${quote(path)}`,
        'use a path relative to the directory of the Application',
      );
    };
    return [[setting, readVariable(setting, name, ofAuthor, check)]];
  });
  return Object.fromEntries(entries) as Partial<BuildSettings>;
}

function readVariable(
  setting: SettingName,
  name: string,
  text: string,
  check: (path: string) => void = () => undefined,
): unknown {
  const { type, completes }: SettingDefinition = settingTable[setting];
  if (type === 'switch') {
    if (text === 'true' || text === 'false') return text === 'true';
    throw new UsageError(`${name} must be "true" or "false", got ${quote(text)}`);
  }
  const values = type === 'list' ? text.split(/[\s,]+/).filter((value) => value !== '') : [text];
  if (completes === 'path') values.forEach(check);
  return type === 'list' ? values : text;
}

/** Other files of the sidecar must not show up in findings, not even through links. */
function isInRepository(path: string, { variables, workingDirectory }: PluginCall): boolean {
  const directory = variables['ARGOCD_APP_SOURCE_PATH'] ?? '.';
  if (path === '-' || isAbsolute(path) || /^\.\.(?:\/|$)/.test(posix.join(directory, path))) return false;
  const root = resolve(workingDirectory, posix.relative(directory, '.'));
  return isWithin(realPathOf(root), realPathOf(resolve(workingDirectory, path)));
}

/** A parameter for Argo CD, which shows defaults to everyone who can see the Application, so secret ones are left out. */
/** Without defaults that everybody who can see the Application must not see. */
function announceParameter(parameter: DescribedParameter, secrets: ReadonlySet<string>): JsonObject {
  const { name, type, required = false, default: usual, description } = parameter;
  return {
    name,
    title: name,
    ...(description === undefined ? {} : { tooltip: description }),
    required,
    ...describeType(type),
    ...(isSecretName(name) || wordsOfValue(usual).some((word) => secrets.has(word))
      ? {}
      : describeDefault(usual, type)),
  };
}

function describeType(type: string): JsonObject {
  if (type === 'array' || type === 'object') return { collectionType: type === 'array' ? 'array' : 'map' };
  return { itemType: type === 'integer' ? 'number' : type, collectionType: 'string' };
}

function describeDefault(value: Json | undefined, type: string): JsonObject {
  if (value === undefined || value === null) return {};
  if (type === 'array') return isJsonArray(value) && value.every(isScalar) ? { array: value.map(String) } : {};
  if (type === 'object') {
    const entries = leavesOf(value).flatMap(([path, leaf]) =>
      isScalar(leaf) && !isSecretName(path) ? [[path, String(leaf)]] : [],
    );
    return { map: Object.fromEntries(entries) as JsonObject };
  }
  return isScalar(value) ? { string: String(value) } : {};
}

function isScalar(value: Json): value is string | number | bigint | boolean {
  return value !== null && typeof value !== 'object';
}

const variable = 'ARGOCD_APP_PARAMETERS';

/**
 * The parameters of an Application. Strings are values of `--set`. Lists replace those of the package, maps are merged over them; what is in
 * them stays a string, as Argo CD passes it. Returns assignments, and values that no assignment can set.
 */
function readParameters(text: string) {
  const entries = text === '' ? [] : parse(text);
  const set = entries.flatMap(({ name, string }) => (string === undefined ? [] : [`${name}=${string}`]));
  let data: Values = {};
  const assign = (path: string, value: Json): void => {
    const { path: steps } = parseAssignment({ path: variable, text: `${path}=` }, 'text');
    const source = { path: variable, text: '' };
    data = applyAssignment(data, { path: steps, value, source });
  };
  for (const { name, array, map = {} } of entries) {
    if (array !== undefined) assign(name, array);
    for (const [key, value] of Object.entries(map)) assign(`${name}.${key}`, value);
  }
  if (Object.keys(data).length === 0) return { set, values: [] };
  return { set, values: [{ source: { path: variable, text: writeYaml(data) }, data }] };
}

interface PluginParameter {
  readonly name: string;
  readonly string?: string;
  readonly array?: readonly string[];
  readonly map?: Readonly<Record<string, string>>;
}

function parse(text: string): readonly PluginParameter[] {
  const { documents, diagnostics } = readYaml({ path: variable, text }, { words: 'core' });
  const list: unknown = documents[0]?.data ?? [];
  // The message quotes nothing: values may be secret.
  if (diagnostics.length > 0 || !Array.isArray(list) || !list.every(isParameter)) {
    throw new UsageError(
      `${variable} is not a list of parameters of Argo CD`,
      'use [{"name": "replicas", "string": "3"}], with string, array or map',
    );
  }
  const unclear = list.find(({ name }) => /(?<!\\)(?:\\\\)*=/.test(name));
  if (unclear !== undefined) {
    throw new UsageError(
      `${quote(unclear.name)} in ${variable} is not a valid name of a parameter`,
      String.raw`write \= for "=" inside a key`,
    );
  }
  return list;
}

function isParameter(entry: unknown): entry is PluginParameter {
  if (!isJsonObject(entry) || typeof entry['name'] !== 'string') return false;
  const { string = '', array = [], map = {} } = entry;
  const isText = (value: Json): boolean => typeof value === 'string';
  return (
    isText(string) && isJsonArray(array) && array.every(isText) && isJsonObject(map) && Object.values(map).every(isText)
  );
}

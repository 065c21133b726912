import { isSecretName, quote } from '../../diagnostics/index.ts';
import { applyAssignment, parseAssignment } from '../../index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Values } from '../../model/index.ts';
import { readYaml, writeJson, writeYaml } from '../../yaml/index.ts';
import { UsageError } from '../usage-error.ts';

/**
 * The parameters of a package, as `kurel info --format json` prints them, as announcements of Argo CD. Argo CD knows strings, lists and maps
 * of strings, so a field inside a parameter is announced by its path.
 */
export function announceParameters(described: string): string {
  const { parameters } = readYaml({ path: 'info', text: described }).documents[0]!.data as JsonObject;
  const announcements = isJsonArray(parameters) ? parameters.map(announceDeclared) : announceValues(parameters!);
  return `${writeJson(announcements)}\n`;
}

/** A declaration of an application package. Argo CD shows defaults to everyone who can see the Application, so secret ones are left out. */
function announceDeclared(declaration: Json): JsonObject {
  const { name, type, required = false, default: usual, description } = declaration as JsonObject;
  return {
    name: name!,
    title: name!,
    ...(description === undefined ? {} : { tooltip: description }),
    required,
    ...describeType(type as string),
    ...(isSecretName(name as string) ? {} : describeDefault(usual, type as string)),
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

/** The values of a patch package, which has no declarations. */
function announceValues(values: Json): readonly JsonObject[] {
  return leavesOf(values).map(([name, value]) =>
    announceDeclared({ name, type: typeOf(value), default: value, required: false }),
  );
}

function typeOf(value: Json): string {
  if (isJsonArray(value)) return 'array';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/** The scalars and lists of scalars in a value, with their paths as `--set` reads them. */
function leavesOf(value: Json, path = ''): readonly (readonly [path: string, leaf: Json])[] {
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([key, inner]) => {
      const step = key.replaceAll(/[\\.=[]/g, String.raw`\$&`);
      return leavesOf(inner, path === '' ? step : `${path}.${step}`);
    });
  }
  if (isJsonArray(value)) return value.every(isScalar) ? [[path, value]] : [];
  return value === null ? [] : [[path, value]];
}

function isScalar(value: Json): value is string | number | bigint | boolean {
  return value !== null && typeof value !== 'object';
}

const variable = 'ARGOCD_APP_PARAMETERS';

/**
 * The parameters of an Application. Strings are values of `--set`. Lists replace those of the package, maps are merged over them; what is in
 * them stays a string, as Argo CD passes it. Returns flags of `kurel build`, and values that no flag can set.
 */
export function readParameters(text: string) {
  const entries = text === '' ? [] : parse(text);
  const words = entries.flatMap(({ name, string }) => (string === undefined ? [] : [`--set=${name}=${string}`]));
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
  if (Object.keys(data).length === 0) return { words, values: [] };
  return { words, values: [{ source: { path: variable, text: writeYaml(data) }, data }] };
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

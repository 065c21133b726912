import { isSecretName } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';
import { readYaml, writeJson } from '../../yaml/index.ts';

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

/**
 * Data as YAML and JSON represent it. Integers outside the range that a double represents exactly are `bigint`; every other number
 * is `number`. Nothing in kurel changes data in place, so everything is readonly.
 */
export type Json = null | boolean | number | bigint | string | JsonArray | JsonObject;

export type JsonArray = readonly Json[];

export interface JsonObject {
  readonly [key: string]: Json;
}

/** Steps from the root of a document to a value: keys of objects and indexes of lists. */
export type Path = readonly (string | number)[];

/** Parameters passed to renderers, by name. */
export type Values = JsonObject;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonArray(value: unknown): value is JsonArray {
  return Array.isArray(value);
}

/** Adds an entry to an object under construction; `__proto__` is a key like any other. */
export function putEntry(mapping: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') mapping[key] = value;
  else Object.defineProperty(mapping, key, { value, enumerable: true, configurable: true, writable: true });
}

export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Whether two trees mean the same: keys in any order, a number equal to the bigint of its value. */
export function isSameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  // oxlint-disable-next-line eqeqeq -- the only exact comparison of a bigint with a number
  if (typeof a === 'bigint' || typeof b === 'bigint') return isNumber(a) && isNumber(b) && a == b;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isJsonArray(a) || isJsonArray(b)) {
    if (!isJsonArray(a) || !isJsonArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index += 1) if (!isSameJson(a[index], b[index])) return false;
    return true;
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) if (!Object.hasOwn(b, key) || !isSameJson(a[key], b[key])) return false;
  return true;
}

/** The value of an object's key or of a list's index. */
export function stepInto(value: Json | undefined, step: string | number): Json | undefined {
  if (typeof step === 'number') return isJsonArray(value) ? value[step] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

export function valueAt(root: Json | undefined, path: Path): Json | undefined {
  let value = root;
  for (const step of path) value = stepInto(value, step);
  return value;
}

/** Whether a path starts with another one or equals it. */
export function isPathBelow(path: Path, above: Path): boolean {
  return above.length <= path.length && above.every((step, index) => path[index] === step);
}

/** Whether the value is a scalar that can be written in more than one way. */
export function isScalar(value: Json | undefined): value is number | bigint | boolean {
  return isNumber(value) || typeof value === 'boolean';
}

/**
 * Canonical JSON: keys sorted by code unit, no spaces, integers of any size as digits. Equal data gives the same string
 * regardless of key order.
 */
export function canonicalJson(value: Json): string {
  return printJson(value, undefined);
}

/** Creates a `canonicalJson` that keeps the strings of objects and lists, for callers that need those of their parts as well. */
export function createCanonicalJson(): (value: Json) => string {
  const texts = new WeakMap<object, string>();
  return (value) => printJson(value, texts);
}

function printJson(value: Json, texts: WeakMap<object, string> | undefined): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      // As a bigint, so that a number has the digits of an equal bigint; `-0` equals `0`. NaN and the infinities have no
      // JSON form, but need different cache keys.
      return String(Number.isInteger(value) ? BigInt(value) : value);
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      break;
    default:
      throw new TypeError(`a ${typeof value} has no JSON`);
  }
  if (value === null) return 'null';
  const text = texts?.get(value) ?? printCollection(value, texts);
  texts?.set(value, text);
  return text;
}

function printCollection(value: JsonArray | JsonObject, texts: WeakMap<object, string> | undefined): string {
  if (isJsonArray(value)) return `[${value.map((item) => printJson(item, texts)).join(',')}]`;
  const entries: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const item = value[key];
    if (item !== undefined) entries.push(`${JSON.stringify(key)}:${printJson(item, texts)}`);
  }
  return `{${entries.join(',')}}`;
}

/** The earlier name of `canonicalJson`, kept for programs that use kurel as a library. */
export function identifyJson(value: Json): string {
  return canonicalJson(value);
}

/** Orders strings by code unit, so that no locale decides an order. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A Kubernetes object: a plain tree that names its own type. */
export type KubeObject = JsonObject & { readonly apiVersion: string; readonly kind: string };

export function isKubeObject(value: unknown): value is KubeObject {
  return isJsonObject(value) && isName(value['apiVersion']) && isName(value['kind']);
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

export interface GroupVersionKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The fields that have a value. */
export function withoutUndefined(fields: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

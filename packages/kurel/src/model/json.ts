/**
 * Data as YAML and JSON carry it. Integers outside the range that a double holds exactly are `bigint`; every other number
 * is `number`. Nothing in kurel changes data in place, so everything is readonly.
 */
export type Json = null | boolean | number | bigint | string | JsonArray | JsonObject;

export type JsonArray = readonly Json[];

export interface JsonObject {
  readonly [key: string]: Json;
}

/** Steps from the root of a document to a value: keys of mappings and indexes of lists. */
export type Path = readonly (string | number)[];

/** Parameters given to renderers, by name. */
export type Values = JsonObject;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonArray(value: unknown): value is JsonArray {
  return Array.isArray(value);
}

/** Adds an entry to a mapping that is being made; the name `__proto__` is a key like any other. */
export function putEntry(mapping: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') mapping[key] = value;
  else Object.defineProperty(mapping, key, { value, enumerable: true, configurable: true, writable: true });
}

import { isJsonArray, isJsonObject, putEntry, stepInto } from '../model/index.ts';
import type { Json, JsonObject, Values } from '../model/index.ts';

/**
 * Copies data deeply. Keys with the value `undefined` are left out, as in JSON; anything that is not plain data (a Date, a Map, a
 * function) is rejected, because a copy would lose information.
 */
export function copyJson<T extends Json>(value: T): T {
  return copyValue(value) as T;
}

function copyValue(value: Json): Json {
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'function' || typeof value === 'symbol')
      throw new TypeError(`a ${typeof value} is not plain data`);
    return value;
  }
  if (isJsonArray(value)) return value.map(copyValue);
  checkPlain(value);
  const copy: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item !== undefined) putEntry(copy, key, copyValue(item));
  }
  return copy;
}

export function deepFreeze<T extends Json>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const item of Object.values(value)) deepFreeze(item);
  return Object.freeze(value);
}

function checkPlain(value: JsonObject): void {
  const prototype = Object.getPrototypeOf(value) as object | null;
  // Objects of another realm, such as a worker's, have a different Object.prototype that also ends the chain.
  if (prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null) return;
  throw new TypeError(`a ${prototype.constructor.name} is not plain data`);
}

/**
 * Merges two trees into a new one: objects merge key by key, any other value of `overlay` replaces, including `null`. Neither
 * tree is changed, and the result shares nothing with them.
 */
export function deepMerge(base: Values | null | undefined, overlay: Values | null | undefined): Values {
  if (base === null || base === undefined) return copyJson(overlay ?? {});
  if (overlay === null || overlay === undefined) return copyJson(base);
  return mergeMappings(base, overlay);
}

function mergeMappings(base: JsonObject, overlay: JsonObject): JsonObject {
  const merged: Record<string, Json> = {};
  for (const key of Object.keys(base)) {
    const value = base[key];
    if (value === undefined) continue;
    const above = stepInto(overlay, key);
    const areObjects = isJsonObject(value) && isJsonObject(above);
    putEntry(merged, key, areObjects ? mergeMappings(value, above) : copyJson(above === undefined ? value : above));
  }
  for (const key of Object.keys(overlay)) {
    const value = overlay[key];
    if (value !== undefined && !Object.hasOwn(merged, key)) putEntry(merged, key, copyJson(value));
  }
  return merged;
}

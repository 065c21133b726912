import type { Json, JsonObject } from '../model/index.ts';
import { isJsonArray, putEntry } from '../model/index.ts';

/**
 * A deep copy that shares nothing. Keys without a value (`undefined`) are left out, as JSON does; what is not plain data (a
 * Date, a Map, a function) is refused, because copying it would lose what it says.
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
  // Objects of another realm (a worker's, a test runner's) have another Object.prototype; all of these end the chain.
  if (prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null) return;
  throw new TypeError(`a ${prototype.constructor.name} is not plain data`);
}

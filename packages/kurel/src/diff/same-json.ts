import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonArray, JsonObject } from '../model/index.ts';

/** Whether two trees say the same: keys in any order, a number as the bigint of its value. */
export function isSameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (isJsonArray(a) && isJsonArray(b)) {
    return a.length === b.length && a.every((item, index) => isSameJson(item, b[index]!));
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    return keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key]!, b[key]!));
  }
  // oxlint-disable-next-line eqeqeq -- a number and a bigint are only ever loosely equal
  return isNumber(a) && isNumber(b) && a == b;
}

function isNumber(value: Json): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

/**
 * Gives the same text for trees that say the same, and for no others. Texts of lists and mappings are kept: lists inside one another
 * ask for them again and again.
 */
export function createPrinter(): (value: Json) => string {
  const kept = new WeakMap<object, string>();
  return print;

  function print(value: Json): string {
    if (typeof value === 'object' && value !== null) {
      const text = kept.get(value) ?? printCollection(value);
      kept.set(value, text);
      return text;
    }
    if (typeof value === 'string') return JSON.stringify(value);
    // Beyond what a double holds exactly, the digits of a number and of a bigint would differ.
    return typeof value === 'number' && Number.isInteger(value) ? String(BigInt(value)) : String(value);
  }

  function printCollection(value: JsonArray | JsonObject): string {
    if (isJsonArray(value)) return `[${value.map(print).join(',')}]`;
    const keys = Object.keys(value).toSorted();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${print(value[key]!)}`).join(',')}}`;
  }
}

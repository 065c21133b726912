import { isJsonArray } from '../model/index.ts';
import type { Json, JsonArray, JsonObject } from '../model/index.ts';

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

import { quote } from '../../diagnostics/index.ts';
import { isJsonArray } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';

/** A value in a sentence: scalars as they are, collections by what they are. */
export function describeJson(value: Json): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (!isJsonArray(value)) return Object.keys(value).length === 0 ? 'an empty mapping' : 'a mapping';
  return value.length === 0 ? 'an empty list' : `a list of ${countItems(value.length)}`;
}

export function countItems(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}

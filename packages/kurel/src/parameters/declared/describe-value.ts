import { quote } from '../../diagnostics/index.ts';
import { isJsonArray } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';

/** A value in a sentence: the user's own words where they are short. */
export function describeValue(value: Json): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `the text ${quote(value)}`;
  if (typeof value === 'object') return isJsonArray(value) ? 'a list' : 'a mapping';
  return writeShort(value);
}

/** A value of a list of allowed ones. */
export function writeShort(value: Json): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'object') return describeValue(value);
  const text = String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

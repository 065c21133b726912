import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json } from '../model/index.ts';

/** A value that has nothing below it: a scalar, or a mapping or list without anything in it. */
export function isLeaf(value: Json): boolean {
  if (isJsonArray(value)) return value.length === 0;
  return !isJsonObject(value) || Object.keys(value).length === 0;
}

/** A scalar as text, as selectors compare it; `undefined` for everything else. */
export function textOf(value: Json | undefined): string | undefined {
  return value === undefined || value === null || typeof value === 'object' ? undefined : String(value);
}

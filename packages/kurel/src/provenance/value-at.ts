import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, Path } from '../model/index.ts';

/** What a mapping has by a key, or a list at an index. */
export function stepInto(value: Json | undefined, step: string | number): Json | undefined {
  if (typeof step === 'number') return isJsonArray(value) ? value[step] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

export function valueAt(root: Json | undefined, path: Path): Json | undefined {
  let value = root;
  for (const step of path) value = stepInto(value, step);
  return value;
}

/** A value that has nothing below it: a scalar, or a mapping or list without anything in it. */
export function isLeaf(value: Json): boolean {
  if (isJsonArray(value)) return value.length === 0;
  return !isJsonObject(value) || Object.keys(value).length === 0;
}

/** A scalar as text, as selectors compare it; `undefined` for everything else. */
export function textOf(value: Json | undefined): string | undefined {
  return value === undefined || value === null || typeof value === 'object' ? undefined : String(value);
}

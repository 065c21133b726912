import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json } from '../../../model/index.ts';

/** What a document holds below these keys, whatever else is wrong with it. */
export function valueAt(document: Json, keys: readonly string[]): Json | undefined {
  let value: Json | undefined = document;
  for (const key of keys) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

export function listAt(document: Json, keys: readonly string[]): readonly Json[] | undefined {
  const value = valueAt(document, keys);
  return isJsonArray(value) ? value : undefined;
}

export function keysAt(document: Json, keys: readonly string[]): readonly string[] {
  const value = valueAt(document, keys);
  return isJsonObject(value) ? Object.keys(value) : [];
}

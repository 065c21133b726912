import type { Json, JsonObject } from '../../../model/index.ts';

/** The entries that have a value, in order. */
export function defined(entries: Readonly<Record<string, Json | undefined>>): JsonObject {
  const kept: Record<string, Json> = {};
  for (const key of Object.keys(entries)) {
    const value = entries[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}

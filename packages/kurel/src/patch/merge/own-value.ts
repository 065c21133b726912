import type { Json, JsonObject } from '../../model/index.ts';

/** The value of a key of the mapping itself: `constructor` is in every mapping, and in hardly any its own key. */
export function ownValue(mapping: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}

/** The mapping with some keys changed, or taken away where the change is `undefined`; the very same when there are none. */
export function withChanges(mapping: JsonObject, changes: ReadonlyMap<string, Json | undefined>): JsonObject {
  if (changes.size === 0) return mapping;
  const entries: [string, Json][] = [];
  for (const key of Object.keys(mapping)) {
    const value = changes.has(key) ? changes.get(key) : mapping[key];
    if (value !== undefined) entries.push([key, value]);
  }
  for (const [key, value] of changes) {
    if (value !== undefined && !Object.hasOwn(mapping, key)) entries.push([key, value]);
  }
  // It makes own keys of all of them, also of `__proto__`.
  return Object.fromEntries(entries);
}

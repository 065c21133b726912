import type { Json, JsonObject, Values } from '../model/index.ts';
import { isJsonObject, putEntry } from '../model/index.ts';
import { copyJson } from './copy-json.ts';

/**
 * A new tree: mappings merge key by key, everything else of `overlay` replaces, also `null`. Neither tree is changed, and the
 * result shares nothing with them.
 */
export function deepMerge(base: Values | null | undefined, overlay: Values | null | undefined): Values {
  if (base === null || base === undefined) return copyJson(overlay ?? {});
  if (overlay === null || overlay === undefined) return copyJson(base);
  return mergeMappings(base, overlay);
}

function mergeMappings(base: JsonObject, overlay: JsonObject): JsonObject {
  const merged: Record<string, Json> = {};
  for (const key of Object.keys(base)) {
    const value = base[key];
    if (value !== undefined) putEntry(merged, key, mergeValues(value, ownValue(overlay, key)));
  }
  for (const key of Object.keys(overlay)) {
    const value = overlay[key];
    if (value !== undefined && !Object.hasOwn(merged, key)) putEntry(merged, key, copyJson(value));
  }
  return merged;
}

function mergeValues(base: Json, overlay: Json | undefined): Json {
  if (overlay === undefined) return copyJson(base);
  return isJsonObject(base) && isJsonObject(overlay) ? mergeMappings(base, overlay) : copyJson(overlay);
}

function ownValue(mapping: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}

import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonArray, JsonObject } from '../model/index.ts';

const noItems: JsonArray = [];

/**
 * Readers for checks that come after the schema's: what is of the wrong type has been reported, and is not there for them.
 */
export function mappingAt(value: Json | undefined, name: string): JsonObject | undefined {
  const field = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(field) ? field : undefined;
}

export function listAt(value: Json | undefined, name: string): JsonArray {
  const field = isJsonObject(value) ? value[name] : undefined;
  return isJsonArray(field) ? field : noItems;
}

export function textAt(value: Json | undefined, name: string): string | undefined {
  const field = isJsonObject(value) ? value[name] : undefined;
  return typeof field === 'string' ? field : undefined;
}

export function numberAt(value: Json | undefined, name: string): number | undefined {
  const field = isJsonObject(value) ? value[name] : undefined;
  return typeof field === 'number' ? field : undefined;
}

/** Whether the field is there; one that is null is not. */
export function has(value: Json | undefined, name: string): boolean {
  return isJsonObject(value) && Object.hasOwn(value, name) && value[name] !== null;
}

/** The fields of these names that are there. */
export function presentOf(value: JsonObject, names: readonly string[]): readonly string[] {
  return names.filter((name) => has(value, name));
}

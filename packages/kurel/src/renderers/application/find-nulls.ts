import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import type { SchemaNode } from '../../schema/index.ts';

/**
 * Where a value holds null and its schema says what should be there. Kubernetes takes most of them for nothing said, and some
 * for everything: nobody who leaves a key without a value means either.
 */
export function findNulls(value: Json, schema: SchemaNode, path: Path): readonly Path[] {
  // Nearly nothing that is written has any.
  if (!holdsNull(value)) return [];
  const found: Path[] = [];
  const walk = (inner: Json, node: SchemaNode | undefined, place: Path): void => {
    if (node === undefined) return;
    if (inner === null) {
      const isMeant = node.nullable === true && node.nullIsAbsent !== true;
      if (!isMeant && node.type !== 'any') found.push(place);
    } else if (isJsonArray(inner)) {
      for (const [index, item] of inner.entries()) walk(item, node.items, [...place, index]);
    } else if (isJsonObject(inner)) {
      for (const key of Object.keys(inner)) walk(inner[key]!, node.property(key), [...place, key]);
    }
  };
  walk(value, schema, path);
  return found;
}

function holdsNull(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return value === null;
  if (isJsonArray(value)) return value.some(holdsNull);
  for (const key of Object.keys(value)) if (holdsNull(value[key]!)) return true;
  return false;
}

import { isJsonArray } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';
import type { SchemaNode } from '../../schema/index.ts';

interface Default {
  readonly name: string;
  readonly value: Json;
  readonly isNullable: boolean;
}

const known = new WeakMap<SchemaNode, readonly Default[]>();

function defaultsOf(node: SchemaNode): readonly Default[] {
  const found = known.get(node);
  if (found !== undefined) return found;
  const defaults = node.propertyNames.flatMap((name) => {
    const child = node.property(name);
    return child?.default === undefined ? [] : [{ name, value: child.default, isNullable: child.nullable === true }];
  });
  known.set(node, defaults);
  return defaults;
}

/** The value with the defaults of its schema filled in, as an API server does before it looks at rules and alternatives. */
export function fillDefaults(value: Json, node: SchemaNode | undefined): Json {
  if (node === undefined || typeof value !== 'object' || value === null) return value;
  if (isJsonArray(value)) {
    const items = value.map((item) => fillDefaults(item, node.items));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const missing = defaultsOf(node).filter(
    ({ name, isNullable }) => !isThere(Object.hasOwn(value, name) ? value[name] : undefined, isNullable),
  );
  const entries = Object.entries(value).map(
    ([name, field]) => [name, fillDefaults(field, node.property(name))] as const,
  );
  if (missing.length === 0 && entries.every(([name, field]) => field === value[name])) return value;
  const filled = missing.map(
    ({ name, value: fallback }) => [name, fillDefaults(fallback, node.property(name))] as const,
  );
  return Object.fromEntries([...entries, ...filled]);
}

/** A null counts only where it is allowed; elsewhere it is what it would be without the field. */
function isThere(value: Json | undefined, isNullable: boolean): boolean {
  return value !== undefined && (value !== null || isNullable);
}

import type { Json, JsonObject } from '../../model/index.ts';
import { ownValue } from './merging.ts';
import type { MergeKey } from './merging.ts';

export interface Identified<Value> {
  readonly id: string;
  readonly value: Value;
}

export interface Order {
  /** Identities in patch order; they keep this relative order. */
  readonly wanted: readonly string[];
  /** Identities in object order. Items that the patch does not name keep this relative order. */
  readonly before: readonly string[];
}

/**
 * Kubernetes' order of a merged list: named and other items are two sequences, and the next of the others comes first only
 * if the object has both of the next items and has the other one first.
 */
export function orderItems<Value>(
  items: readonly Identified<Value>[],
  { wanted, before }: Order,
): readonly Identified<Value>[] {
  const wantedAt = firstPositions(wanted);
  const beforeAt = firstPositions(before);
  const named = sortBy(wantedAt, (id) => wantedAt.has(id));
  const others = sortBy(beforeAt, (id) => !wantedAt.has(id));
  const ordered: Identified<Value>[] = [];
  let next = 0;
  for (const item of named) {
    const position = beforeAt.get(item.id) ?? -1;
    for (; next < others.length && (beforeAt.get(others[next]!.id) ?? Infinity) < position; next += 1) {
      ordered.push(others[next]!);
    }
    ordered.push(item);
  }
  for (const item of others.slice(next)) ordered.push(item);
  return ordered;

  function sortBy(positions: ReadonlyMap<string, number>, belongs: (id: string) => boolean) {
    return items
      .filter(({ id }) => belongs(id))
      .toSorted((a, b) => (positions.get(a.id) ?? 0) - (positions.get(b.id) ?? 0));
  }
}

function firstPositions(ids: readonly string[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (const [index, id] of ids.entries()) if (!positions.has(id)) positions.set(id, index);
  return positions;
}

/** Equal strings for equal scalars: 80 equals 80n, but not "80". `undefined` for anything else. */
export function identityOfScalar(value: Json | undefined): string | undefined {
  switch (typeof value) {
    case 'string':
      return `"${value}`;
    case 'number':
      return Number.isInteger(value) ? BigInt(value).toString() : String(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return undefined;
  }
}

/** Equal strings for items that are merged with each other; `undefined` for an item without any of the keys. */
export function identityOfItem(item: JsonObject, keys: readonly MergeKey[]): string | undefined {
  const [only] = keys;
  if (keys.length === 1) return identityOfKey(item, only!);
  const parts = keys.map((key) => identityOfKey(item, key) ?? null);
  return parts.every((part) => part === null) ? undefined : JSON.stringify(parts);
}

function identityOfKey(item: JsonObject, key: MergeKey): string | undefined {
  return identityOfScalar(ownValue(item, key.name) ?? key.default);
}

/** `name=main`, for paths and messages. */
export function describeItem(item: JsonObject, keys: readonly MergeKey[]): string {
  const parts = keys.flatMap((key) => {
    const value = ownValue(item, key.name) ?? key.default;
    return typeof value === 'object' || value === undefined ? [] : [`${key.name}=${value}`];
  });
  return parts.join(',');
}

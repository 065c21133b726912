import { canonicalJson, stepInto } from '../model/index.ts';
import type { Json } from '../model/index.ts';
import { mergeRuleOf } from './field-at.ts';
import type { SchemaNode } from './schema-node.ts';

/** A field that identifies the items of a list, alone or together with others. */
export interface ListKey {
  readonly name: string;
  /** Assumed value for an item without the key. */
  readonly default: Json | undefined;
}

/** A key of an item, with its value. */
export interface ItemKey {
  readonly name: string;
  readonly value: string | number | bigint | boolean;
}

/** The keys of a list of type `map`; `undefined` for other lists. */
export function listKeysOf(node: SchemaNode): readonly ListKey[] | undefined {
  if (node.listType !== 'map' || node.listMapKeys === undefined || node.listMapKeys.length === 0) return undefined;
  return node.listMapKeys.map((name) => ({ name, default: node.items?.property(name)?.default }));
}

/** The key of a list that a strategic merge patch merges by key; `undefined` for other lists. */
export function mergeKeysOf(node: SchemaNode): readonly ListKey[] | undefined {
  const { strategy, key } = mergeRuleOf(node);
  return strategy === 'merge' && key !== undefined ? [{ name: key, default: undefined }] : undefined;
}

/** The keys that an item has. */
export function keysOfItem(item: Json, keys: readonly ListKey[]): readonly ItemKey[] {
  return keys.flatMap((key) => {
    const value = readKey(item, key);
    return value === undefined ? [] : [{ name: key.name, value }];
  });
}

/** Equal strings for items with equal keys: 80 equals 80n, but not "80". `undefined` for an item without any of the keys. */
export function identityOfItem(item: Json, keys: readonly ListKey[]): string | undefined {
  if (keys.length === 1) {
    // Most lists have one key with a string. A quote begins no list in JSON.
    const value = readKey(item, keys[0]!);
    if (typeof value === 'string') return `"${value}`;
  }
  const values = keys.map((key) => readKey(item, key) ?? null);
  return values.every((value) => value === null) ? undefined : canonicalJson(values);
}

/** Like Kubernetes, null means that the key is absent. */
function readKey(item: Json, { name, default: otherwise }: ListKey): ItemKey['value'] | undefined {
  const value = stepInto(item, name) ?? otherwise;
  return typeof value === 'object' ? undefined : value;
}

import { isJsonObject } from '../model/index.ts';
import type { Json, JsonArray } from '../model/index.ts';
import { mergeRuleOf } from '../schema/index.ts';
import type { SchemaNode } from '../schema/index.ts';
import type { ItemKey } from './difference.ts';

interface KeyField {
  readonly name: string;
  /** What an item without the key is taken to have. */
  readonly fallback: Json | undefined;
}

/** What tells the items of two lists apart, in the order of each; `undefined` when no key that the schema has does. */
export function findItemKeys(
  lists: readonly [JsonArray, JsonArray],
  node: SchemaNode | undefined,
): readonly [readonly (readonly ItemKey[])[], readonly (readonly ItemKey[])[]] | undefined {
  for (const fields of keyFieldsOf(node)) {
    const [before, after] = lists.map((list) => readKeys(list, fields));
    if (before !== undefined && after !== undefined) return [before, after];
  }
  return undefined;
}

/** List types say more than merge keys: two ports may have one number, if their protocols differ. */
function keyFieldsOf(node: SchemaNode | undefined): readonly (readonly KeyField[])[] {
  if (node === undefined) return [];
  const found: (readonly KeyField[])[] = [];
  if (node.listType === 'map' && node.listMapKeys !== undefined && node.listMapKeys.length > 0) {
    found.push(node.listMapKeys.map((name) => ({ name, fallback: node.items?.property(name)?.default })));
  }
  const { strategy, key } = mergeRuleOf(node);
  if (strategy === 'merge' && key !== undefined) found.push([{ name: key, fallback: undefined }]);
  return found;
}

function readKeys(list: JsonArray, fields: readonly KeyField[]): readonly (readonly ItemKey[])[] | undefined {
  const found: (readonly ItemKey[])[] = [];
  const seen = new Set<string>();
  for (const item of list) {
    const keys: ItemKey[] = [];
    for (const { name, fallback } of fields) {
      const value = isJsonObject(item) && Object.hasOwn(item, name) ? item[name] : fallback;
      if (!isJsonObject(item) || value === undefined || value === null || typeof value === 'object') return undefined;
      keys.push({ name, value });
    }
    seen.add(printKeys(keys));
    found.push(keys);
  }
  return seen.size === list.length ? found : undefined;
}

/** The same text for items that are one; 80 and 80n are, 80 and "80" are not. */
export function printKeys(keys: readonly ItemKey[]): string {
  return keys.map(({ value }) => (typeof value === 'string' ? JSON.stringify(value) : String(value))).join(',');
}

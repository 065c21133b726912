import { isJsonArray, isJsonObject, stepInto } from '../model/index.ts';
import type { Json, JsonObject, Path } from '../model/index.ts';

/** Parts of a tree that are not shared. They are changed in place, because each of a thousand changes would copy all siblings. */
export type Owned = WeakSet<object>;

interface Putting {
  readonly after: Json | undefined;
  readonly inserts?: boolean;
  readonly owned: Owned;
}

/** Copies a tree with the value at a path replaced or removed; `inserts` adds it as a new item before the existing one. */
export function putAt(root: Json | undefined, path: Path, putting: Putting, depth = 0): Json | undefined {
  const { after, inserts = false, owned } = putting;
  const step = path[depth];
  if (step === undefined) return after;
  const isLast = depth === path.length - 1;
  if (typeof step === 'number' && isLast && inserts && after !== undefined) {
    return insertAt(isJsonArray(root) ? root : [], step, { item: after, owned });
  }
  const inner = putAt(stepInto(root, step), path, putting, depth + 1);
  if (typeof step === 'number') return withItem(isJsonArray(root) ? root : [], step, { item: inner, owned });
  return withField(isJsonObject(root) ? root : {}, step, { value: inner, owned });
}

export function insertAt<Item>(
  list: readonly Item[],
  index: number,
  { item, owned }: { readonly item: Item; readonly owned: Owned },
): readonly Item[] {
  const own = ownList(list, owned);
  own.splice(index, 0, item);
  return own;
}

/** `undefined` removes the item. */
export function withItem<Item>(
  list: readonly Item[],
  index: number,
  { item, owned }: { readonly item: Item | undefined; readonly owned: Owned },
): readonly Item[] {
  const own = ownList(list, owned);
  if (item === undefined) own.splice(index, 1);
  else if (index < own.length) own[index] = item;
  else own.push(item);
  return own;
}

function ownList<Item>(list: readonly Item[], owned: Owned): Item[] {
  if (owned.has(list)) return list as Item[];
  const copy = [...list];
  owned.add(copy);
  return copy;
}

/** `undefined` removes the field. */
export function withField(
  mapping: JsonObject,
  key: string,
  { value, owned }: { readonly value: Json | undefined; readonly owned: Owned },
): JsonObject {
  if (owned.has(mapping) && key !== '__proto__') {
    const own = mapping as Record<string, Json>;
    if (value === undefined) delete own[key];
    else own[key] = value;
    return own;
  }
  const entries = new Map(Object.entries(mapping));
  if (value === undefined) entries.delete(key);
  else entries.set(key, value);
  const copy = Object.fromEntries(entries);
  owned.add(copy);
  return copy;
}

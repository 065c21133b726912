import { isJsonArray, isJsonObject, isSameJson } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject, Path } from '../../model/index.ts';

type Owned = Pick<Set<object>, 'has' | 'add'>;

export interface TreeEdit {
  readonly path: Path;
  readonly change: (value: Json | undefined) => Json | undefined;
  /** Values created by earlier edits and not shared; they are changed in place so that many edits stay cheap. */
  readonly owned: Owned;
  /** Receives the number of siblings that are copied with a value. */
  readonly onCopy?: ((count: number) => void) | undefined;
}

/** Copies the tree with the value at a path replaced by the result of `change`; everything else is shared. */
export function editAt(root: Json, { path, change, owned, onCopy }: TreeEdit): Json {
  return edit(root, { path, depth: 0, change, owned, onCopy }) ?? {};
}

interface Edit extends TreeEdit {
  readonly depth: number;
}

/** `undefined` deletes the value from its parent. Missing parents are created. */
function edit(current: Json | undefined, { path, depth, change, owned, onCopy }: Edit): Json | undefined {
  const step = path[depth];
  if (step === undefined) return change(current);
  const inner = { path, depth: depth + 1, change, owned, onCopy };
  if (typeof step === 'number') {
    const list = isJsonArray(current) ? current : [];
    const item = edit(list[step], inner);
    if (item === list[step]) return list;
    if (!owned.has(list)) onCopy?.(list.length);
    const own = ownList(list, owned);
    if (item === undefined) own.splice(step, 1);
    else own[step] = item;
    return own;
  }
  const mapping = isJsonObject(current) ? current : {};
  const before = Object.hasOwn(mapping, step) ? mapping[step] : undefined;
  const value = edit(before, inner);
  if (value === before) return current ?? mapping;
  if (owned.has(mapping) && step !== '__proto__') return changeKey(mapping, step, value);
  onCopy?.(Object.keys(mapping).length);
  const made = value === undefined ? withoutKey(mapping, step) : { ...mapping, [step]: value };
  owned.add(made);
  return made;
}

/** Inserts an item into a copy of the list, or into the list itself if it is not shared. */
export function insertInto(
  list: JsonArray,
  at: number,
  { item, owned }: { readonly item: Json; readonly owned: Owned },
): JsonArray {
  const own = ownList(list, owned);
  if (at === own.length) own.push(item);
  else own.splice(at, 0, item);
  return own;
}

function ownList(list: JsonArray, owned: Owned): Json[] {
  if (owned.has(list)) return list as Json[];
  const copy = [...list];
  owned.add(copy);
  return copy;
}

function changeKey(mapping: Record<string, Json>, key: string, value: Json | undefined): JsonObject {
  if (value === undefined) delete mapping[key];
  else mapping[key] = value;
  return mapping;
}

function withoutKey(mapping: JsonObject, key: string): JsonObject {
  const { [key]: _, ...rest } = mapping;
  return rest;
}

/** Merges objects recursively; the patch wins, lists are replaced, and null deletes a key. */
export function mergeDeep(target: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map<string, Json>(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    const before = merged.get(key);
    if (value === null) merged.delete(key);
    else merged.set(key, isJsonObject(before) && isJsonObject(value) ? mergeDeep(before, value) : value);
  }
  return Object.fromEntries(merged);
}

export interface Difference {
  readonly path: Path;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Paths where two trees differ, as deep as both have objects; lists of equal length are compared item by item. */
export function findDifferences(before: Json | undefined, after: Json | undefined, path: Path = []): Difference[] {
  if (before === after) return [];
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) =>
      findDifferences(
        Object.hasOwn(before, key) ? before[key] : undefined,
        Object.hasOwn(after, key) ? after[key] : undefined,
        [...path, key],
      ),
    );
  }
  if (isJsonArray(before) && isJsonArray(after) && before.length === after.length) {
    return after.flatMap((item, index) => findDifferences(before[index], item, [...path, index]));
  }
  return isSameJson(before, after) ? [] : [{ path, before, after }];
}

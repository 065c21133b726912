import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonObject, Path } from '../model/index.ts';
import { stepInto } from './value-at.ts';

/** A copy of a tree with another value at a path, or none; with `inserts`, as a new item in front of the one that is there. */
export function putAt(
  root: Json | undefined,
  path: Path,
  { after, inserts = false }: { readonly after: Json | undefined; readonly inserts?: boolean },
): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return after;
  const isLast = rest.length === 0;
  if (typeof step === 'number' && isLast && inserts && after !== undefined) {
    return (isJsonArray(root) ? root : []).toSpliced(step, 0, after);
  }
  const inner = putAt(stepInto(root, step), rest, { after, inserts });
  if (typeof step === 'number') return withItem(isJsonArray(root) ? root : [], step, inner);
  return withField(isJsonObject(root) ? root : {}, step, inner);
}

/** `undefined` takes the item away. */
export function withItem<Item>(list: readonly Item[], index: number, item: Item | undefined): readonly Item[] {
  if (item === undefined) return list.toSpliced(index, 1);
  return index < list.length ? list.with(index, item) : [...list, item];
}

/** `undefined` takes the field away. */
export function withField(mapping: JsonObject, key: string, value: Json | undefined): JsonObject {
  const entries = new Map(Object.entries(mapping));
  if (value === undefined) entries.delete(key);
  else entries.set(key, value);
  return Object.fromEntries(entries);
}

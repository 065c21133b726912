import { spend } from '../../budget/index.ts';
import { isJsonArray, isJsonObject, isSameJson } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject, KubeObject, Path } from '../../model/index.ts';
import type { Operation } from '../patch.ts';
import type { Place } from './find-places.ts';
import { formatNamedPath } from './format-path.ts';
import type { ObjectPatching, Patching } from './patch-run.ts';

type Owned = Pick<Set<object>, 'has' | 'add'>;

interface TreeEdit {
  readonly path: Path;
  readonly change: (value: Json | undefined) => Json | undefined;
  /** Values created by earlier edits and not shared; they are changed in place so that many edits stay cheap. */
  readonly owned: Owned;
  /** Receives the number of siblings that are copied with a value. */
  readonly onCopy?: ((count: number) => void) | undefined;
}

/** Copies the tree with the value at a path replaced by the result of `change`; everything else is shared. */
export function editAt(root: Json, { path, change, owned, onCopy }: TreeEdit): Json {
  return edit(root, 0) ?? {};

  /** `undefined` deletes the value from its parent. Missing parents are created. */
  function edit(current: Json | undefined, depth: number): Json | undefined {
    const step = path[depth];
    if (step === undefined) return change(current);
    if (typeof step === 'number') {
      const list = isJsonArray(current) ? current : [];
      const item = edit(list[step], depth + 1);
      if (item === list[step]) return list;
      if (!owned.has(list)) onCopy?.(list.length);
      const own = ownList(list, owned);
      if (item === undefined) own.splice(step, 1);
      else own[step] = item;
      return own;
    }
    const mapping = isJsonObject(current) ? current : {};
    const before = Object.hasOwn(mapping, step) ? mapping[step] : undefined;
    const value = edit(before, depth + 1);
    if (value === before) return current ?? mapping;
    if (owned.has(mapping) && step !== '__proto__') return changeKey(mapping, step, value);
    onCopy?.(Object.keys(mapping).length);
    const copy = value === undefined ? withoutKey(mapping, step) : { ...mapping, [step]: value };
    owned.add(copy);
    return copy;
  }
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

interface Difference {
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

const neighboursOfChange = 64;

interface Storing extends Patching {
  readonly operation: Operation;
  /** The requested value if it is only a part of the stored one, such as the tag of an image. */
  readonly part?: { readonly wanted: string | undefined };
}

/** Stores or deletes a value. An equal value is not a change, unless unchanged values are recorded. */
export function storeValue(place: Place, after: Json | undefined, storing: Storing): void {
  const { patching, prepared, part } = storing;
  patching.settings?.push({
    path: `${formatNamedPath(place.path, patching.object)}${part === undefined ? '' : `.${place.imagePart!}`}`,
    value: part === undefined ? after : part.wanted,
    location: prepared.patch.location,
  });
  const isSame = isSameJson(place.value, after);
  if (!isSame) setAt(patching, place.path, () => after);
  if (patching.run.options.unchanged === true) {
    // The recorded change shares parts of the tree.
    if (isStructure(place.value) || isStructure(after)) patching.owned = new Set();
    return recordChange({ path: place.path, before: place.value, after }, storing);
  }
  if (isSame) return;
  const merged = isJsonObject(place.value) && isJsonObject(after) && storing.operation === 'replace';
  const differences = merged
    ? findDifferences(place.value, after, place.path)
    : [{ ...place, before: place.value, after }];
  for (const difference of differences) recordChange(difference, storing);
}

function isStructure(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null;
}

export function setAt(
  patching: ObjectPatching,
  path: Path,
  change: (value: Json | undefined) => Json | undefined,
): void {
  // Whether the result is still a Kubernetes object is checked after all patches.
  const { object, owned, run } = patching;
  // Copying a sibling costs much less than a change, but there may be many.
  const onCopy = (count: number): void => spend(run.budget, 'changes', count / neighboursOfChange);
  patching.object = editAt(object, { path, change, owned, onCopy }) as KubeObject;
}

export function recordChange(
  { path, before, after }: { readonly path: Path; readonly before: Json | undefined; readonly after: Json | undefined },
  { prepared, patching, operation }: Storing,
): void {
  const { index, key: object, run } = patching;
  const { patch, variables } = prepared;
  run.changes.push({ index, object, operation, path, before, after, location: patch.location, variables });
}

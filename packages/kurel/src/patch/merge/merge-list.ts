import { describeType, quote } from '../../diagnostics/index.ts';
import { canonicalJson, isJsonObject } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject } from '../../model/index.ts';
import { identityOfItem, keysOfItem } from '../../schema/index.ts';
import type { ListKey } from '../../schema/index.ts';
import { describeValue } from '../apply/format-path.ts';
import { locationOf, nameOf, placeOfItem, readPatchDirective, refuse } from './merging.ts';
import type { Place } from './merging.ts';
import { mergeProblems } from './problems.ts';

interface Identified<Value> {
  readonly id: string;
  readonly value: Value;
}

interface Order {
  /** Identities in patch order; they keep this relative order. */
  readonly wanted: readonly string[];
  /** Identities in object order. Items that the patch does not name keep this relative order. */
  readonly before: readonly string[];
}

/**
 * Kubernetes' order of a merged list: named and other items are two sequences, and the next of the others comes first only
 * if the object has both of the next items and has the other one first.
 */
function orderItems<Value>(
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
  return value === undefined || typeof value === 'object' ? undefined : canonicalJson(value);
}

/** `name=main`, for paths and messages. */
export function describeItem(item: JsonObject, keys: readonly ListKey[]): string {
  return keysOfItem(item, keys)
    .map(({ name, value }) => `${name}=${value}`)
    .join(',');
}

/** The change that a patch makes to one list. */
export interface ListPatch {
  /** `undefined` if the object does not have the list. */
  readonly before: JsonArray | undefined;
  /** `undefined` if only the order changes. */
  readonly patch: JsonArray | undefined;
  readonly order: ParallelList | undefined;
  readonly place: Place;
}

/** The list of a directive such as `$setElementOrder`, with its location. */
export interface ParallelList {
  readonly items: JsonArray;
  readonly place: Place;
}

/** Identities of the items, each of the form `shape`, in their requested order; `undefined` if an item has none, which is reported. */
function readOrder(
  order: ParallelList,
  shape: string,
  identifyItem: (item: Json) => string | undefined,
): readonly string[] | undefined {
  const ids = order.items.map((item) => identifyItem(item));
  const wrong = ids.indexOf(undefined);
  if (wrong === -1) return ids.filter((id) => id !== undefined);
  const reason = `item ${wrong + 1} of ${quote(nameOf(order.place))} does not identify an item`;
  const place = { ...order.place, path: [...order.place.path, wrong] };
  refuse(place, { reason, hint: `use this form for every item: ${shape}` });
  return undefined;
}

interface PatchItem {
  readonly id: string;
  /** Name in messages. */
  readonly words: string;
}

/** Reports the first item of the patch that is missing in the order, or out of order. */
function checkOrder(wanted: readonly string[], items: readonly PatchItem[], { order, place }: ListPatch): void {
  let next = 0;
  for (const { id, words } of items) {
    while (next < wanted.length && wanted[next] !== id) next += 1;
    if (next === wanted.length) {
      const at = order!.place;
      const args = { directive: nameOf(at), item: words, list: nameOf(place), isNamed: wanted.includes(id) };
      place.merging.report(mergeProblems.create('smp-element-order', args, locationOf(at, 'key')));
      return;
    }
    next += 1;
  }
}

/** Returns the object's own list if nothing in it has changed. */
function shareList(before: JsonArray | undefined, after: JsonArray): JsonArray {
  if (before?.length !== after.length) return after;
  return after.every((item, index) => item === before[index]) ? before : after;
}

/** Merges a list by key. Without errors, the result has every item of the object that the patch does not delete. */
export function mergeKeyedList(
  list: ListPatch,
  keys: readonly ListKey[],
  mergeItem: (before: JsonObject, item: JsonObject, place: Place) => JsonObject,
): JsonArray {
  const { before, patch = [], order, place } = list;
  if (before !== undefined && patch.length === 0 && order === undefined) return before;
  const wanted = order && readOrder(order, `{${keys[0]!.name}: …}`, (item) => identityOfItem(item, keys));
  const items = readItems(list, keys);
  if (wanted !== undefined) checkOrder(wanted, items.set, list);
  const kept = before === undefined || items.replaces ? [] : identifyItems(before, keys, place);
  const merged: Identified<JsonObject>[] = kept.filter(({ id }) => !items.deleted.has(id));
  const left = merged.map(({ id }) => id);
  const positions = new Map(left.map((id, index) => [id, index] as const).toReversed());
  // New items are not merged with each other: two ports with the same number are two ports.
  const isMerging = before !== undefined && !items.replaces;
  for (const { id, item, place: at } of items.set) {
    const position = isMerging ? positions.get(id) : undefined;
    if (position === undefined) {
      positions.set(id, merged.length);
      merged.push({ id, value: mergeItem({}, item, at) });
    } else {
      merged[position] = { id, value: mergeItem(merged[position]!.value, item, at) };
    }
  }
  const ordered =
    isMerging || wanted !== undefined
      ? orderItems(merged, { wanted: wanted ?? items.set.map(({ id }) => id), before: left })
      : merged;
  return shareList(
    before,
    ordered.map(({ value }) => value),
  );
}

interface SetItem extends PatchItem {
  readonly item: JsonObject;
  readonly place: Place;
}

/** The items that a patch sets, in patch order, the keys that it deletes, and whether it replaces the whole list. */
function readItems({ before, patch = [], order, place: list }: ListPatch, keys: readonly ListKey[]) {
  const set: SetItem[] = [];
  const deleted = new Set<string>();
  let replaces = false;
  // The items of a new list need no key to be matched; validation reports a missing one.
  const isNew = before === undefined && order === undefined;
  for (const [index, item] of patch.entries()) {
    const place = placeOfItem(list, index);
    if (!isJsonObject(item)) {
      reportType(item, 'an object', { list, index, of: 'patch' });
      continue;
    }
    const directive = readPatchDirective(item, place);
    if (directive === 'invalid') continue;
    if (directive === 'replace') {
      replaces = true;
      checkReplacing(item, place);
      continue;
    }
    const id = identityOfItem(item, keys);
    if (id === undefined && !isNew) reportKey(keys, { list, index, of: 'patch' });
    else if (directive === 'delete') deleted.add(id ?? '');
    else set.push({ id: id ?? '', words: quote(describeItem(item, keys)), item, place });
  }
  return { set, deleted, replaces };
}

/** Kubernetes silently drops the other fields of such an item. */
export function checkReplacing(item: JsonObject, place: Place): void {
  const lost = Object.keys(item).filter((key) => key !== '$patch');
  if (lost.length === 0) return;
  const reason = `"$patch: replace" replaces the entire list ${quote(nameOf(place))}, so ${quote(lost[0]!)} in the same item is lost`;
  const hint = 'use {$patch: replace} as a separate item, followed by all items of the new list';
  refuse(place, { reason, hint });
}

function identifyItems(before: JsonArray, keys: readonly ListKey[], list: Place): readonly Identified<JsonObject>[] {
  return before.flatMap((item, index) => {
    const id = identityOfItem(item, keys);
    if (!isJsonObject(item)) reportType(item, 'an object', { list, index, of: 'object' });
    else if (id === undefined) reportKey(keys, { list, index, of: 'object' });
    return id === undefined ? [] : [{ id, value: item as JsonObject }];
  });
}

interface ItemPlace {
  readonly list: Place;
  readonly index: number;
  readonly of: 'patch' | 'object';
}

/** Items of the object have no location in the patch. */
function locateItem({ list, index, of }: ItemPlace) {
  return of === 'patch' ? locationOf(placeOfItem(list, index), 'value') : locationOf(list, 'key');
}

function reportType(value: Json, wanted: string, item: ItemPlace): void {
  const { list, index, of } = item;
  const args = { list: nameOf(list), item: index + 1, of, actual: describeType(value), wanted };
  list.merging.report(mergeProblems.create('smp-type-mismatch', args, locateItem(item)));
}

function reportKey(keys: readonly ListKey[], item: ItemPlace): void {
  const { list, index, of } = item;
  const args = { list: nameOf(list), item: index + 1, of, keys: keys.map(({ name }) => name) };
  list.merging.report(mergeProblems.create('smp-merge-key-missing', args, locateItem(item)));
}

/** Merges a list of unique scalars: the union of both. */
export function mergeSet(list: ListPatch): JsonArray {
  const { before, patch = [], order, place } = list;
  if (order === undefined && patch.length === 0) return before ?? patch;
  const wanted = order && readOrder(order, 'a value of the list', identityOfScalar);
  const old = identifyValues(before ?? [], { list: place, of: 'object' });
  const added = identifyValues(patch, { list: place, of: 'patch' }, old[0] && describeType(old[0].value));
  // New values are not merged with each other.
  if (order === undefined && before === undefined) return patch;
  if (wanted !== undefined) {
    const items = added.map(({ id, value }) => ({ id, words: describeValue(value) }));
    checkOrder(wanted, items, list);
  }
  const isMerging = before !== undefined && patch.length > 0;
  const united = isMerging
    ? [...new Map([...added, ...old].map((item) => [item.id, item] as const)).values()]
    : [...old, ...added];
  const ordered = orderItems(united, {
    wanted: wanted ?? added.map(({ id }) => id),
    before: old.map(({ id }) => id),
  });
  return shareList(
    before,
    ordered.map(({ value }) => value),
  );
}

/** All values must have one type, by default that of the first. */
function identifyValues(
  values: JsonArray,
  place: Omit<ItemPlace, 'index'>,
  type?: string,
): readonly Identified<Json>[] {
  let wanted = type;
  return values.flatMap((value, index) => {
    const id = identityOfScalar(value);
    wanted ??= id === undefined ? undefined : describeType(value);
    if (id !== undefined && describeType(value) === wanted) return [{ id, value }];
    reportType(value, wanted ?? 'a string', { ...place, index });
    return [];
  });
}

/** Deletes values from a list; missing ones are ignored. `patch` is the list of values that the same patch adds. */
export function deleteValues(list: JsonArray, deleted: ParallelList, patch: JsonArray): JsonArray {
  const { items, place } = deleted;
  const name = quote(nameOf(place));
  if (list.some((item) => identityOfScalar(item) === undefined)) {
    const hint = 'add "$patch: delete" to an item with its merge key to delete it from a list of objects';
    refuse(place, { reason: `${name} applies only to lists of scalars`, hint });
    return list;
  }
  const added = new Set(patch.map((item) => identityOfScalar(item)));
  const ids = new Set<string>();
  for (const [index, value] of items.entries()) {
    const id = identityOfScalar(value);
    const at = placeOfItem(place, index);
    if (id === undefined) {
      const reason = `${name} must list scalars, got ${describeType(value)}`;
      refuse(at, { reason, hint: 'list the values to delete' });
    } else if (added.has(id)) {
      const reason = `the patch both sets and deletes ${describeValue(value)}`;
      refuse(at, { reason, hint: 'remove it from one of the two lists' });
    } else {
      ids.add(id);
    }
  }
  return shareList(
    list,
    list.filter((item) => !ids.has(identityOfScalar(item)!)),
  );
}

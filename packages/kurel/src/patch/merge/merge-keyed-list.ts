import { quote } from '../../diagnostics/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject } from '../../model/index.ts';
import { describeType } from '../apply/format-path.ts';
import { readPatchDirective, refuse } from './directives.ts';
import type { MergeKey, Place } from './merging.ts';
import { describeItem, identityOfItem, orderItems } from './order-items.ts';
import { checkOrder, readOrder, shareList } from './list-patch.ts';
import type { ListPatch, PatchItem } from './list-patch.ts';
import { locationOf, nameOf, placeOfItem } from './merging.ts';
import type { Identified } from './order-items.ts';
import { mergeProblems } from './problems.ts';

interface KeyedMerge {
  readonly keys: readonly MergeKey[];
  /** Merges an item into the existing item with the same key, or into an empty one. */
  readonly mergeItem: (before: JsonObject, item: JsonObject, place: Place) => JsonObject;
}

/** Merges a list by key. Without errors, the result has every item of the object that the patch does not delete. */
export function mergeKeyedList(list: ListPatch, { keys, mergeItem }: KeyedMerge): JsonArray {
  const { before, patch = [], order, place } = list;
  if (before !== undefined && patch.length === 0 && order === undefined) return before;
  const wanted =
    order && readOrder(order, { identify: (item) => identify(item, keys), shape: `{${keys[0]!.name}: …}` });
  const items = readItems(patch, { keys, place, isNew: before === undefined && order === undefined });
  if (wanted !== undefined) checkOrder(wanted, { items: items.set, place: order!.place, list: place });
  const kept = before === undefined || items.replaces ? [] : identifyItems(before, { keys, place });
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

function identify(item: Json, keys: readonly MergeKey[]): string | undefined {
  return isJsonObject(item) ? identityOfItem(item, keys) : undefined;
}

interface PatchItems {
  /** Items to merge or add, in patch order. */
  readonly set: readonly SetItem[];
  readonly deleted: ReadonlySet<string>;
  /** Whether the set items replace the whole list. */
  readonly replaces: boolean;
}

interface SetItem extends PatchItem {
  readonly item: JsonObject;
  readonly place: Place;
}

interface ItemReading {
  readonly keys: readonly MergeKey[];
  /** Location of the list. */
  readonly place: Place;
  /** The list is new, so items need no key to be matched; validation reports a missing one. */
  readonly isNew: boolean;
}

function readItems(patch: JsonArray, { keys, place: list, isNew }: ItemReading): PatchItems {
  const set: SetItem[] = [];
  const deleted = new Set<string>();
  let replaces = false;
  for (const [index, item] of patch.entries()) {
    const place = placeOfItem(list, index);
    if (!isJsonObject(item)) {
      reportType(item, { list, place, index, of: 'patch' });
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
    if (id === undefined && !isNew) reportKey({ keys, list, place, index, of: 'patch' });
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

interface IdentifyOptions {
  readonly keys: readonly MergeKey[];
  readonly place: Place;
}

function identifyItems(before: JsonArray, { keys, place }: IdentifyOptions): readonly Identified<JsonObject>[] {
  return before.flatMap((item, index) => {
    const found = { list: place, place, index, of: 'object' } as const;
    if (!isJsonObject(item)) {
      reportType(item, found);
      return [];
    }
    const id = identityOfItem(item, keys);
    if (id === undefined) {
      reportKey({ ...found, keys });
      return [];
    }
    return [{ id, value: item }];
  });
}

interface FoundItem {
  readonly list: Place;
  /** Location to report: items of the object have none in the patch. */
  readonly place: Place;
  readonly index: number;
  readonly of: 'patch' | 'object';
}

function reportType(item: Json, { list, place, index, of }: FoundItem): void {
  const args = { list: nameOf(list), item: index + 1, of, found: describeType(item), wanted: 'an object' };
  place.merging.report(
    mergeProblems.create('smp-type-mismatch', args, locationOf(place, of === 'object' ? 'key' : 'value')),
  );
}

function reportKey({ keys, list, place, index, of }: FoundItem & { readonly keys: readonly MergeKey[] }): void {
  const args = { list: nameOf(list), item: index + 1, of, keys: keys.map(({ name }) => name) };
  place.merging.report(
    mergeProblems.create('smp-merge-key-missing', args, locationOf(place, of === 'object' ? 'key' : 'value')),
  );
}

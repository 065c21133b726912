import { createCanonicalJson, isJsonArray, isJsonObject, isSameJson } from '../model/index.ts';
import type { Json, JsonArray, JsonObject } from '../model/index.ts';
import { identityOfItem, keysOfItem, listKeysOf, mergeKeysOf } from '../schema/index.ts';
import type { ItemKey, ListKey, SchemaNode } from '../schema/index.ts';
import { findRising } from '../yaml/index.ts';
import { findCommon } from './common-subsequence.ts';
import type { Pair } from './common-subsequence.ts';
import type { ChangeStep, FieldChange } from './difference.ts';

interface Place {
  readonly path: readonly ChangeStep[];
  readonly node: SchemaNode | undefined;
  readonly changes: FieldChange[];
  /** Canonical JSON; nested lists need that of their items repeatedly. */
  readonly print: (value: Json) => string;
  readonly extent: DiffExtent;
  /** Only top-level fields are compared, and shown entirely. */
  readonly isShallow?: boolean;
}

/** Total path steps of all changes: each change has its own path, and deep lists may have 100,000 of them. */
export interface DiffExtent {
  steps: number;
}

const mostSteps = 2_000_000;

export function createExtent(): DiffExtent {
  return { steps: mostSteps };
}

/** All fields that differ, sorted by key and item position. */
export function diffValues(
  before: Json,
  after: Json,
  { schema, extent }: { readonly schema: SchemaNode | undefined; readonly extent: DiffExtent },
): readonly FieldChange[] {
  const available = extent.steps;
  const place = { path: [], node: schema, print: createCanonicalJson(), extent };
  const changes: FieldChange[] = [];
  compare(before, after, { ...place, changes });
  if (extent.steps >= 0) return changes;
  // Half of the rest is charged, so that many such objects cannot each use up all of it.
  extent.steps = Math.floor(available / 2);
  const wholes: FieldChange[] = [];
  compare(before, after, { ...place, changes: wholes, isShallow: true });
  return wholes;
}

function compare(before: Json, after: Json, place: Place): void {
  const { extent, path, isShallow = false } = place;
  if (!isShallow && extent.steps < 0) return;
  const isWhole = isShallow && path.length > 0;
  if (!isWhole && isJsonObject(before) && isJsonObject(after)) compareMappings(before, after, place);
  else if (!isWhole && isJsonArray(before) && isJsonArray(after)) compareLists(before, after, place);
  else if (!isSameJson(before, after)) add(place, { operation: 'change', path, before, after });
}

function add({ changes, extent, isShallow }: Place, change: FieldChange): void {
  if (isShallow !== true) extent.steps -= change.path.length;
  if (isShallow === true || extent.steps >= 0) changes.push(change);
}

function compareMappings(before: JsonObject, after: JsonObject, place: Place): void {
  const { path, node } = place;
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const key of [...keys].toSorted()) {
    const inner = [...path, key];
    if (!Object.hasOwn(after, key)) add(place, { operation: 'remove', path: inner, before: before[key]! });
    else if (!Object.hasOwn(before, key)) add(place, { operation: 'add', path: inner, after: after[key]! });
    else compare(before[key]!, after[key]!, { ...place, path: inner, node: node?.property(key) });
  }
}

function compareLists(before: JsonArray, after: JsonArray, place: Place): void {
  const { path, node, print } = place;
  const items = identifyBoth(before, after, node);
  const pairs = items === undefined ? pairByContent(before, after, print) : pairById(items.before, items.after);
  const paired = new Set(pairs.map((pair) => pair.before));
  const pairOf = new Map(pairs.map((pair) => [pair.after, pair]));
  for (const [index, item] of before.entries()) {
    if (paired.has(index)) continue;
    const step = { before: index, ...withKeys(items?.before[index]) };
    add(place, { operation: 'remove', path: [...path, step], before: item });
  }
  for (const [index, item] of after.entries()) {
    const pair = pairOf.get(index);
    const named = withKeys(items?.after[index]);
    if (pair === undefined) {
      add(place, { operation: 'add', path: [...path, { after: index, ...named }], after: item });
      continue;
    }
    const inner = [...path, { before: pair.before, after: index, ...named }];
    if (pair.moved === true) add(place, { operation: 'move', path: inner });
    compare(before[pair.before]!, item, { ...place, path: inner, node: node?.items });
  }
}

function withKeys(item: IdentifiedItem | undefined): { readonly keys?: readonly ItemKey[] } {
  return item === undefined ? {} : { keys: item.keys };
}

interface IdentifiedItem {
  readonly id: string;
  readonly keys: readonly ItemKey[];
}

/** Items of two lists that match, in the order of the new list. */
interface ItemPair {
  readonly before: number;
  readonly after: number;
  /** Whether it changed position relative to other matching items. */
  readonly moved?: boolean;
}

function pairById(old: readonly IdentifiedItem[], items: readonly IdentifiedItem[]): readonly ItemPair[] {
  const positions = new Map(old.map(({ id }, index) => [id, index]));
  const matches = items.flatMap(({ id }, after) => {
    const before = positions.get(id);
    return before === undefined ? [] : [{ before, after }];
  });
  const staying = new Set(findRising(matches.map(({ before }) => before)));
  return matches.map(({ before, after }, index) => ({ before, after, moved: !staying.has(index) }));
}

/** Equal items match first; the items between them match by position. */
function pairByContent(before: JsonArray, after: JsonArray, print: Place['print']): readonly ItemPair[] {
  const common: readonly Pair[] =
    before.length > 1 || after.length > 1 ? findCommon(before.map(print), after.map(print)) : [];
  const pairs: ItemPair[] = [];
  let [left, right] = [0, 0];
  for (const [i, j] of [...common, [before.length, after.length] as const]) {
    while (left < i && right < j) pairs.push({ before: left++, after: right++ });
    if (i < before.length) pairs.push({ before: i, after: j });
    [left, right] = [i + 1, j + 1];
  }
  return pairs;
}

/** Items that both lists identify by the same keys; `undefined` if the schema has none. */
function identifyBoth(before: JsonArray, after: JsonArray, node: SchemaNode | undefined) {
  // List types are more precise than merge keys: two ports may share a number if their protocols differ.
  for (const keys of node === undefined ? [] : [listKeysOf(node), mergeKeysOf(node)]) {
    const items = keys && { before: identifyItems(before, keys), after: identifyItems(after, keys) };
    if (items?.before !== undefined && items.after !== undefined) return { before: items.before, after: items.after };
  }
  return undefined;
}

function identifyItems(list: JsonArray, keys: readonly ListKey[]): readonly IdentifiedItem[] | undefined {
  const items = list.flatMap((item) => {
    const id = identityOfItem(item, keys);
    return id === undefined ? [] : [{ id, keys: keysOfItem(item, keys) }];
  });
  return new Set(items.map(({ id }) => id)).size === list.length ? items : undefined;
}

import { isJsonArray, isJsonObject, isSameJson } from '../model/index.ts';
import type { Json, JsonArray, JsonObject } from '../model/index.ts';
import { mergeRuleOf } from '../schema/index.ts';
import type { SchemaNode } from '../schema/index.ts';
import { findRising } from '../yaml/index.ts';
import { findCommon } from './common-subsequence.ts';
import type { Pair } from './common-subsequence.ts';
import type { ChangeStep, FieldChange, ItemKey } from './difference.ts';

interface Place {
  readonly path: readonly ChangeStep[];
  readonly node: SchemaNode | undefined;
  readonly changes: FieldChange[];
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
  const place = { path: [], node: schema, print: createPrinter(), extent };
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
  const keys = findItemKeys(before, after, node);
  const pairs = keys === undefined ? pairByContent(before, after, print) : pairByKeys(keys.before, keys.after);
  const paired = new Set(pairs.map((pair) => pair.before));
  const pairOf = new Map(pairs.map((pair) => [pair.after, pair]));
  for (const [index, item] of before.entries()) {
    if (paired.has(index)) continue;
    const step = { before: index, ...withKeys(keys?.before[index]) };
    add(place, { operation: 'remove', path: [...path, step], before: item });
  }
  for (const [index, item] of after.entries()) {
    const pair = pairOf.get(index);
    const named = withKeys(keys?.after[index]);
    if (pair === undefined) {
      add(place, { operation: 'add', path: [...path, { after: index, ...named }], after: item });
      continue;
    }
    const inner = [...path, { before: pair.before, after: index, ...named }];
    if (pair.moved === true) add(place, { operation: 'move', path: inner });
    compare(before[pair.before]!, item, { ...place, path: inner, node: node?.items });
  }
}

function withKeys(keys: ItemKeys | undefined): { readonly keys?: ItemKeys } {
  return keys === undefined ? {} : { keys };
}

/** Keys that identify an item. */
type ItemKeys = readonly ItemKey[];

/** Items of two lists that match, in the order of the new list. */
interface ItemPair {
  readonly before: number;
  readonly after: number;
  /** Whether it changed position relative to other matching items. */
  readonly moved?: boolean;
}

function pairByKeys(keysBefore: readonly ItemKeys[], keysAfter: readonly ItemKeys[]): readonly ItemPair[] {
  const positions = new Map(keysBefore.map((keys, index) => [printKeys(keys), index]));
  const matches = keysAfter.flatMap((keys, after) => {
    const before = positions.get(printKeys(keys));
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

interface KeyField {
  readonly name: string;
  /** Assumed value for an item without the key. */
  readonly fallback: Json | undefined;
}

/** Keys that identify the items of both lists; `undefined` if the schema has none. */
function findItemKeys(before: JsonArray, after: JsonArray, node: SchemaNode | undefined) {
  for (const fields of keyFieldsOf(node)) {
    const keys = { before: readKeys(before, fields), after: readKeys(after, fields) };
    if (keys.before !== undefined && keys.after !== undefined) return { before: keys.before, after: keys.after };
  }
  return undefined;
}

/** List types are more precise than merge keys: two ports may share a number if their protocols differ. */
function keyFieldsOf(node: SchemaNode | undefined): readonly (readonly KeyField[])[] {
  if (node === undefined) return [];
  const candidates: (readonly KeyField[])[] = [];
  if (node.listType === 'map' && node.listMapKeys !== undefined && node.listMapKeys.length > 0) {
    candidates.push(node.listMapKeys.map((name) => ({ name, fallback: node.items?.property(name)?.default })));
  }
  const { strategy, key } = mergeRuleOf(node);
  if (strategy === 'merge' && key !== undefined) candidates.push([{ name: key, fallback: undefined }]);
  return candidates;
}

function readKeys(list: JsonArray, fields: readonly KeyField[]): readonly ItemKeys[] | undefined {
  const keysOfItems: ItemKeys[] = [];
  const seen = new Set<string>();
  for (const item of list) {
    const keys: ItemKey[] = [];
    for (const { name, fallback } of fields) {
      const value = isJsonObject(item) && Object.hasOwn(item, name) ? item[name] : fallback;
      if (!isJsonObject(item) || value === undefined || value === null || typeof value === 'object') return undefined;
      keys.push({ name, value });
    }
    seen.add(printKeys(keys));
    keysOfItems.push(keys);
  }
  return seen.size === list.length ? keysOfItems : undefined;
}

/** Equal strings for equal keys; 80 equals 80n, but not "80". */
function printKeys(keys: ItemKeys): string {
  return keys.map(({ value }) => (typeof value === 'string' ? JSON.stringify(value) : String(value))).join(',');
}

/**
 * Creates a function that returns equal strings for equal trees only. Strings of lists and objects are cached, because nested
 * lists need them repeatedly.
 */
function createPrinter(): (value: Json) => string {
  const kept = new WeakMap<object, string>();
  return print;

  function print(value: Json): string {
    if (typeof value === 'object' && value !== null) {
      const text = kept.get(value) ?? printCollection(value);
      kept.set(value, text);
      return text;
    }
    if (typeof value === 'string') return JSON.stringify(value);
    // Above the exact range of a double, the digits of a number and a bigint would differ.
    return typeof value === 'number' && Number.isInteger(value) ? String(BigInt(value)) : String(value);
  }

  function printCollection(value: JsonArray | JsonObject): string {
    if (isJsonArray(value)) return `[${value.map(print).join(',')}]`;
    const keys = Object.keys(value).toSorted();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${print(value[key]!)}`).join(',')}}`;
  }
}

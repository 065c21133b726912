import { isJsonArray, isJsonObject, isSameJson } from '../model/index.ts';
import type { Json, JsonArray, JsonObject } from '../model/index.ts';
import { mergeRuleOf } from '../schema/index.ts';
import type { SchemaNode } from '../schema/index.ts';
import { findCommon, findRising } from './common-subsequence.ts';
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

interface DiffValuesOptions {
  readonly schema: SchemaNode | undefined;
  readonly extent: DiffExtent;
}

/** All fields that differ, sorted by key and item position. */
export function diffValues(before: Json, after: Json, { schema, extent }: DiffValuesOptions): readonly FieldChange[] {
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
  const { path, node } = place;
  const { pairs, keysBefore, keysAfter } = pairItems(before, after, { node, print: place.print });
  const [kept, known] = [new Set(pairs.map((pair) => pair.before)), new Map(pairs.map((pair) => [pair.after, pair]))];
  for (const [index, item] of before.entries()) {
    if (kept.has(index)) continue;
    const step = { before: index, ...withKeys(keysBefore?.[index]) };
    add(place, { operation: 'remove', path: [...path, step], before: item });
  }
  for (const [index, item] of after.entries()) {
    const pair = known.get(index);
    if (pair === undefined) {
      const step = { after: index, ...withKeys(keysAfter?.[index]) };
      add(place, { operation: 'add', path: [...path, step], after: item });
      continue;
    }
    const inner = [...path, { before: pair.before, after: index, ...withKeys(pair.keys) }];
    if (pair.moved === true) add(place, { operation: 'move', path: inner });
    compare(before[pair.before]!, item, { ...place, path: inner, node: node?.items });
  }
}

function withKeys<Keys>(keys: Keys | undefined): { readonly keys?: Keys } {
  return keys === undefined ? {} : { keys };
}

/** Items of two lists that match. */
interface ItemPair {
  readonly before: number;
  readonly after: number;
  readonly keys?: readonly ItemKey[];
  /** Whether it changed position relative to other matching items. */
  readonly moved?: boolean;
}

interface ItemPairing {
  /** In the order of the new list. */
  readonly pairs: readonly ItemPair[];
  /** Keys that identify each item of the old list, if known. */
  readonly keysBefore?: readonly (readonly ItemKey[])[];
  readonly keysAfter?: readonly (readonly ItemKey[])[];
}

interface PairingOptions {
  readonly node: SchemaNode | undefined;
  readonly print: (value: Json) => string;
}

/** Matches the items of two lists: by key if the schema has one, otherwise by content and position. */
function pairItems(before: JsonArray, after: JsonArray, { node, print }: PairingOptions): ItemPairing {
  const keys = findItemKeys([before, after], node);
  if (keys === undefined) return { pairs: pairByContent(before, after, print) };
  const [keysBefore, keysAfter] = keys;
  return { pairs: pairByKeys(keysBefore, keysAfter), keysBefore, keysAfter };
}

function pairByKeys(
  keysBefore: readonly (readonly ItemKey[])[],
  keysAfter: readonly (readonly ItemKey[])[],
): readonly ItemPair[] {
  const positions = new Map(keysBefore.map((keys, index) => [printKeys(keys), index]));
  const found = keysAfter.map((keys) => positions.get(printKeys(keys)) ?? -1);
  const staying = new Set(findRising(found.filter((before) => before !== -1)));
  const pairs: ItemPair[] = [];
  for (const [after, before] of found.entries()) {
    if (before === -1) continue;
    const moved = !staying.has(pairs.length);
    pairs.push({ before, after, keys: keysAfter[after]!, moved });
  }
  return pairs;
}

/** Equal items match first; the items between them match by position. */
function pairByContent(before: JsonArray, after: JsonArray, print: PairingOptions['print']): readonly ItemPair[] {
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
function findItemKeys(
  lists: readonly [JsonArray, JsonArray],
  node: SchemaNode | undefined,
): readonly [readonly (readonly ItemKey[])[], readonly (readonly ItemKey[])[]] | undefined {
  for (const fields of keyFieldsOf(node)) {
    const [before, after] = lists.map((list) => readKeys(list, fields));
    if (before !== undefined && after !== undefined) return [before, after];
  }
  return undefined;
}

/** List types are more precise than merge keys: two ports may share a number if their protocols differ. */
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

/** Equal strings for equal keys; 80 equals 80n, but not "80". */
function printKeys(keys: readonly ItemKey[]): string {
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

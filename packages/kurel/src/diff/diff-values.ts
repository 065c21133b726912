import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonArray, JsonObject } from '../model/index.ts';
import type { SchemaNode } from '../schema/index.ts';
import type { ChangeStep, FieldChange } from './difference.ts';
import { pairItems } from './pair-items.ts';
import { createPrinter, isSameJson } from './same-json.ts';

interface Place {
  readonly path: readonly ChangeStep[];
  readonly node: SchemaNode | undefined;
  readonly changes: FieldChange[];
  readonly print: (value: Json) => string;
  readonly extent: DiffExtent;
  /** Only the fields of the object itself are looked at, and shown as wholes. */
  readonly isShallow?: boolean;
}

/** Steps of paths that all changes may have together: every change has a path of its own, and deep lists may have 100,000 of them. */
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

/** Every field that differs, by the letters of its keys and the places of its items. */
export function diffValues(before: Json, after: Json, { schema, extent }: DiffValuesOptions): readonly FieldChange[] {
  const available = extent.steps;
  const place = { path: [], node: schema, print: createPrinter(), extent };
  const changes: FieldChange[] = [];
  compare(before, after, { ...place, changes });
  if (extent.steps >= 0) return changes;
  // Half of it is lost, so that objects one after another cannot try again and again.
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

import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonArray, JsonObject } from '../model/index.ts';
import type { SchemaNode } from '../schema/index.ts';
import type { ChangeStep, FieldChange } from './difference.ts';
import { pairItems } from './pair-items.ts';
import { isSameJson } from './same-json.ts';

interface Place {
  readonly path: readonly ChangeStep[];
  readonly node: SchemaNode | undefined;
  readonly changes: FieldChange[];
}

/** Every field that differs, by the letters of its keys and the places of its items. */
export function diffValues(before: Json, after: Json, schema: SchemaNode | undefined): readonly FieldChange[] {
  const changes: FieldChange[] = [];
  compare(before, after, { path: [], node: schema, changes });
  return changes;
}

function compare(before: Json, after: Json, place: Place): void {
  if (isJsonObject(before) && isJsonObject(after)) compareMappings(before, after, place);
  else if (isJsonArray(before) && isJsonArray(after)) compareLists(before, after, place);
  else if (!isSameJson(before, after)) {
    place.changes.push({ operation: 'change', path: place.path, before, after });
  }
}

function compareMappings(before: JsonObject, after: JsonObject, { path, node, changes }: Place): void {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const key of [...keys].toSorted()) {
    const inner = [...path, key];
    if (!Object.hasOwn(after, key)) changes.push({ operation: 'remove', path: inner, before: before[key]! });
    else if (!Object.hasOwn(before, key)) changes.push({ operation: 'add', path: inner, after: after[key]! });
    else compare(before[key]!, after[key]!, { path: inner, node: node?.property(key), changes });
  }
}

function compareLists(before: JsonArray, after: JsonArray, { path, node, changes }: Place): void {
  const { pairs, keysBefore, keysAfter } = pairItems(before, after, node);
  const [kept, known] = [new Set(pairs.map((pair) => pair.before)), new Map(pairs.map((pair) => [pair.after, pair]))];
  for (const [index, item] of before.entries()) {
    if (kept.has(index)) continue;
    const step = { before: index, ...withKeys(keysBefore?.[index]) };
    changes.push({ operation: 'remove', path: [...path, step], before: item });
  }
  for (const [index, item] of after.entries()) {
    const pair = known.get(index);
    if (pair === undefined) {
      const step = { after: index, ...withKeys(keysAfter?.[index]) };
      changes.push({ operation: 'add', path: [...path, step], after: item });
      continue;
    }
    const inner = [...path, { before: pair.before, after: index, ...withKeys(pair.keys) }];
    if (pair.moved === true) changes.push({ operation: 'move', path: inner });
    compare(before[pair.before]!, item, { path: inner, node: node?.items, changes });
  }
}

function withKeys<Keys>(keys: Keys | undefined): { readonly keys?: Keys } {
  return keys === undefined ? {} : { keys };
}

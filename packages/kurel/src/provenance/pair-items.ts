import { getOrAdd } from '../budget/index.ts';
import { stepInto } from '../model/index.ts';
import type { Json, JsonArray } from '../model/index.ts';
import { identifyingKeys } from '../yaml/index.ts';
import { textOf } from './field-trace.ts';

/** A key that identifies every item of a list; `undefined` if there is none. */
export function identifyingKeyOf(list: JsonArray): string | undefined {
  return list.length === 0 ? undefined : identifyingKeys.find((key) => identifies(key, list));
}

function identifies(key: string, list: JsonArray): boolean {
  const identities = new Set(list.map((item) => identityBy(key, item)));
  return identities.size === list.length && !identities.has(undefined);
}

/** Comparable value of an item's key; `undefined` if the item cannot be identified by it. */
export function identityBy(key: string, item: Json): string | undefined {
  return textOf(stepInto(item, key));
}

/** For each item of the new list, the index of the matching old item, or -1 if it is new. */
export function pairItems(old: JsonArray, list: JsonArray): readonly number[] {
  const key = identifyingKeyOf(list);
  if (key !== undefined && identifies(key, old)) return pairBy(old, list, (item) => identityBy(key, item));
  const pairs = pairBy(old, list, printItem);
  // In lists of equal length, the remaining items were changed in place.
  if (old.length !== list.length) return pairs;
  const taken = new Set(pairs);
  return pairs.map((from, index) => (from === -1 && !taken.has(index) ? index : from));
}

/** Items with equal keys match in order. */
function pairBy(old: JsonArray, list: JsonArray, print: (item: Json) => string | undefined): readonly number[] {
  const waiting = new Map<string | undefined, number[]>();
  for (const [index, item] of [...old.entries()].reverse()) {
    getOrAdd(waiting, print(item), () => []).push(index);
  }
  return list.map((item) => waiting.get(print(item))?.pop() ?? -1);
}

function printItem(item: Json): string {
  return JSON.stringify(item, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

import { stepInto } from '../model/index.ts';
import type { Json, JsonArray } from '../model/index.ts';
import { textOf } from './value-at.ts';

// What tells the items of lists apart in Kubernetes, most telling first.
const identifyingKeys = [
  'name',
  'key',
  'containerPort',
  'port',
  'mountPath',
  'devicePath',
  'ip',
  'topologyKey',
  'uid',
  'id',
  'host',
  'path',
  'kind',
  'type',
] as const;

/** The key by which every item of a list can be told from the others; `undefined` when there is none. */
export function identifyingKeyOf(list: JsonArray): string | undefined {
  if (list.length === 0) return undefined;
  return identifyingKeys.find((key) => {
    const found = new Set(list.map((item) => identityBy(key, item)));
    return found.size === list.length && !found.has(undefined);
  });
}

/** What an item has by a key, in a form that can be compared; `undefined` when it cannot be told by it. */
export function identityBy(key: string, item: Json): string | undefined {
  return textOf(stepInto(item, key));
}

/** For each item of the new list the index of the old one that it is, or -1 when it is new. */
export function pairItems(old: JsonArray, list: JsonArray): readonly number[] {
  const key = sharedKey(old, list);
  if (key !== undefined) return pairBy(old, list, (item) => identityBy(key, item));
  const pairs = pairBy(old, list, printItem);
  // Of lists of one length, what is left was changed where it is.
  if (old.length !== list.length) return pairs;
  const taken = new Set(pairs);
  return pairs.map((from, index) => (from === -1 && !taken.has(index) ? index : from));
}

function sharedKey(old: JsonArray, list: JsonArray): string | undefined {
  const key = identifyingKeyOf(list);
  if (key === undefined) return undefined;
  const identities = new Set(old.map((item) => identityBy(key, item)));
  return identities.size === old.length && !identities.has(undefined) ? key : undefined;
}

/** Of items that cannot be told apart, the first is the first. */
function pairBy(old: JsonArray, list: JsonArray, print: (item: Json) => string | undefined): readonly number[] {
  const waiting = new Map<string | undefined, number[]>();
  for (const [index, item] of old.entries()) {
    const identity = print(item);
    const group = waiting.get(identity);
    if (group === undefined) waiting.set(identity, [index]);
    else group.push(index);
  }
  for (const group of waiting.values()) group.reverse();
  return list.map((item) => waiting.get(print(item))?.pop() ?? -1);
}

function printItem(item: Json): string {
  return JSON.stringify(item, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

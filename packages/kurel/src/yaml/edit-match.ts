import { getOrAdd } from '../budget/index.ts';
import { countBefore } from '../diagnostics/index.ts';
import { canonicalJson, isJsonArray, isJsonObject, isSameJson } from '../model/index.ts';
import type { Json, JsonArray } from '../model/index.ts';

/** Keys that identify an item in Kubernetes lists, most specific first. */
export const identifyingKeys = [
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
];

/** How the items of a changed list relate to those of the old list. */
export interface ListMatch {
  /** For each new item the index of the matching old item, or -1. */
  readonly from: readonly number[];
  /** For each new item whether it is an old item that keeps its relative order. */
  readonly stays: readonly boolean[];
}

/**
 * Matches equal items first, then items with the same identifying key, then items by position between two items that
 * stay, so that an insertion is not taken for a change of everything after it.
 */
export function matchItems(parsed: JsonArray, wanted: JsonArray): ListMatch {
  const from = Array.from(wanted, () => -1);
  const shorter = Math.min(parsed.length, wanted.length);
  let head = 0;
  while (head < shorter && isSameJson(parsed[head], wanted[head])) from[head] = head++;
  let tail = 0;
  while (tail < shorter - head && isSameJson(parsed.at(-1 - tail), wanted.at(-1 - tail))) {
    tail++;
    from[wanted.length - tail] = parsed.length - tail;
  }
  const open = {
    parsed: indexes(head, parsed.length - tail),
    wanted: indexes(head, wanted.length - tail),
  };
  if (open.parsed.length > 0 && open.wanted.length > 0) {
    // If only one is left on each side, they are known to differ.
    if (open.parsed.length > 1 || open.wanted.length > 1) matchBy(parsed, wanted, { from, open, label: canonicalJson });
    matchBy(parsed, wanted, { from, open, label: identity });
  }
  const stays = findStays(from);
  matchByPosition(parsed, wanted, { from, stays });
  return { from, stays };
}

interface OpenMatch {
  readonly from: number[];
  readonly open: { parsed: number[]; wanted: number[] };
  readonly label: (item: Json) => string | undefined;
}

/** Pairs items with the same label in order. */
function matchBy(parsed: JsonArray, wanted: JsonArray, { from, open, label }: OpenMatch): void {
  const byLabel = new Map<string, number[]>();
  for (const index of open.parsed) {
    const name = label(parsed[index]!);
    if (name !== undefined) getOrAdd(byLabel, name, () => []).push(index);
  }
  for (const group of byLabel.values()) group.reverse();
  const taken = new Set<number>();
  for (const index of open.wanted) {
    const name = label(wanted[index]!);
    const source = name === undefined ? undefined : byLabel.get(name)?.pop();
    if (source === undefined) continue;
    from[index] = source;
    taken.add(source);
  }
  open.parsed = open.parsed.filter((index) => !taken.has(index));
  open.wanted = open.wanted.filter((index) => from[index] === -1);
}

/** Between two items that stay, the remaining items on both sides were changed in place, in order. */
function matchByPosition(
  parsed: JsonArray,
  wanted: JsonArray,
  { from, stays }: { readonly from: number[]; readonly stays: boolean[] },
): void {
  const used = new Set(from);
  let gap: number[] = [];
  let start = 0;
  for (let index = 0; index <= wanted.length; index++) {
    if (index < wanted.length && stays[index] !== true) {
      if (from[index] === -1) gap.push(index);
      continue;
    }
    const end = index < wanted.length ? from[index]! : parsed.length;
    const left = gap.length === 0 ? [] : indexes(start, end).filter((source) => !used.has(source));
    // If the count is the same, each was changed. Otherwise some were added or removed, and similarity decides which.
    const isChanged = left.length === gap.length;
    for (const item of gap) {
      const at = isChanged ? 0 : left.findIndex((source) => isAlike(parsed[source]!, wanted[item]!));
      if (at === -1) continue;
      if (isChanged && isAnother(parsed[left[0]!]!, wanted[item]!)) {
        left.shift();
        continue;
      }
      from[item] = left[at]!;
      stays[item] = true;
      left.splice(0, at + 1);
    }
    gap = [];
    start = end + 1;
  }
}

/** The longest increasing run of matches stays in place; the others are moved. */
function findStays(from: readonly number[]): boolean[] {
  const stays = from.map(() => false);
  const matches = [...from.keys()].filter((index) => from[index] !== -1);
  for (const position of findRising(matches.map((index) => from[index]!))) stays[matches[position]!] = true;
  return stays;
}

/** Indexes of a longest increasing subsequence of distinct numbers, by patience sorting. */
export function findRising(numbers: readonly number[]): readonly number[] {
  // The top of each pile is the smallest end of a sequence of that length.
  const tops: number[] = [];
  const previous: number[] = [];
  for (const [index, number] of numbers.entries()) {
    const length = countBefore(tops, (top) => numbers[top]! < number);
    previous.push(length === 0 ? -1 : tops[length - 1]!);
    tops[length] = index;
  }
  const rising: number[] = [];
  for (let index = tops.at(-1) ?? -1; index !== -1; index = previous[index]!) rising.push(index);
  return rising.reverse();
}

/** A different name and nothing in common: a removed and a new item, to which the old comments do not apply. */
function isAnother(a: Json, b: Json): boolean {
  if (!isJsonObject(a) || !isJsonObject(b) || identity(a) === undefined || identity(b) === undefined) return false;
  const keys = Object.keys(a);
  // If an item only has a name, the name itself may have been changed.
  if (keys.length < 2) return false;
  return !keys.some((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]));
}

function isAlike(a: Json, b: Json): boolean {
  if (!isJsonObject(a) || !isJsonObject(b))
    return isJsonArray(a) === isJsonArray(b) && isJsonObject(a) === isJsonObject(b);
  const keys = Object.keys(a);
  const shared = keys.filter((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]));
  return shared.length * 2 >= Math.min(keys.length, Object.keys(b).length);
}

function identity(item: Json): string | undefined {
  // `--port=80` and `--port=8080` are the same argument.
  if (typeof item === 'string') return /^[^=\s]+=/u.exec(item)?.[0];
  if (!isJsonObject(item)) return undefined;
  const { kind = null, metadata } = item;
  if (isJsonObject(metadata) && typeof metadata['name'] === 'string') {
    // An object in a List; other fields, such as the type of a Secret, do not identify it.
    return canonicalJson([kind, metadata['namespace'] ?? null, metadata['name']]);
  }
  for (const key of identifyingKeys) {
    const value = item[key];
    if (value !== undefined && value !== null && typeof value !== 'object') return `${key}=${canonicalJson(value)}`;
  }
  return undefined;
}

function indexes(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
}

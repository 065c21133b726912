import type { Json, JsonArray, JsonObject, Range } from '../model/index.ts';
import { copyMerged } from './properties.ts';
import type { CollectionMark, EntryMark } from './marks.ts';
import type { KeyMeaning } from './problems.ts';
import type { Reading } from './reading.ts';
import { commonDepth } from './write-refusal.ts';
import { wordIn, refuse, report } from './refuse.ts';
import { resolvePlainKey } from './resolve-plain-scalar.ts';

/** Enters a nested collection; leave it with `r.depth--`. */
export function enterCollection(r: Reading): void {
  if (++r.depth > commonDepth) r.isDeep = true;
  if (r.depth > r.limits.depth) {
    refuse(r, 'yaml-too-deep', { limit: r.limits.depth }, { range: { start: r.pos, end: r.pos + 1 } });
  }
}

/** An object while it is being read. */
export interface Filling {
  readonly data: Record<string, Json>;
  /** Only if marks are requested. */
  readonly entries: EntryMark[] | undefined;
  /** Keys that came from a merge and that a written key may still override. */
  merged: Set<string> | undefined;
  hasMerge: boolean;
}

export function startFilling(r: Reading): Filling {
  // Separate from the rest: V8 copies an empty object inside a literal from a template, which is slower than creating one.
  const data: Record<string, Json> = {};
  return { data, entries: startMarking(r), merged: undefined, hasMerge: false };
}

/** The list for the entry marks of the collection just entered, if it is marked. */
export function startMarking(r: Reading): EntryMark[] | undefined {
  return r.depth <= r.markedDepth ? [] : undefined;
}

export const MERGE = '<<';

/** Adds a value under its key; `plain` is whether the key is unquoted, so that `<<` merges. */
export function addEntry(
  r: Reading,
  filling: Filling,
  entry: { readonly key: string; readonly value: Json; readonly keyRange: Range; readonly plain: boolean },
): void {
  const { data } = filling;
  const { key, value, keyRange } = entry;
  if (key === MERGE && entry.plain) {
    if (filling.hasMerge) reportDuplicate(r, filling, { key, keyRange });
    filling.hasMerge = true;
    addMerged(r, filling, { value, keyRange });
  } else if (key === '__proto__') {
    report(r, 'yaml-forbidden-key', { word: key }, { range: keyRange });
  } else if (Object.hasOwn(data, key) && filling.merged?.delete(key) !== true) {
    reportDuplicate(r, filling, { key, keyRange });
  } else {
    data[key] = value;
  }
}

function addMerged(
  r: Reading,
  filling: Filling,
  { value, keyRange }: { readonly value: Json; readonly keyRange: Range },
): void {
  const range = { start: r.valueStart, end: r.contentEnd };
  const source = copyMerged(r, value, range);
  filling.merged ??= new Set();
  for (const key in source) {
    if (!Object.hasOwn(filling.data, key)) {
      filling.data[key] = source[key]!;
      filling.merged.add(key);
    } else if (!filling.merged.has(key)) {
      report(r, 'yaml-merge-after-key', { word: key }, { range: keyRange });
    }
  }
}

function reportDuplicate(
  r: Reading,
  filling: Filling,
  { key, keyRange }: { readonly key: string; readonly keyRange: Range },
): void {
  if (filling.entries === undefined) {
    r.sawDuplicate = true;
    return;
  }
  const first = findFirst(filling.entries, key);
  report(
    r,
    'yaml-duplicate-key',
    { word: wordIn(r, keyRange), meant: first === undefined ? undefined : findMeaning(r, key, [first, keyRange]) },
    { range: keyRange, related: first === undefined ? [] : [{ message: 'the first one is here', range: first }] },
  );
}

/** Of two keys that are written differently, the key they mean and which of them would be another key if quoted. */
function findMeaning(r: Reading, key: string, ranges: readonly [first: Range, second: Range]): KeyMeaning | undefined {
  const texts = ranges.map(({ start, end }) => r.text.slice(start, end));
  const words = texts.map((text) => /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text);
  if (words[0] === words[1]) return undefined;
  return { key, words, plain: texts.filter((text) => text !== key && resolvePlainKey(text, r.words) === key) };
}

/** Linear, but reading stops after some findings, so many duplicates stay cheap. */
function findFirst(entries: readonly EntryMark[], key: string): Range | undefined {
  return entries.find((entry) => entry.key === key)?.keyRange;
}

/** Records the mark of a collection; offsets count from the start of the whole text. */
export function recordMark(
  r: Reading,
  collection: JsonObject | JsonArray,
  { style, start, end, indent, entries }: Omit<CollectionMark, 'range'> & Range,
): void {
  r.marks?.set(collection, { style, range: shift(r, start, end), indent, entries });
}

/** The mark of the entry whose value was just read. */
export function markEntry(
  r: Reading,
  { key, start, keyRange }: { readonly key: string | number; readonly start: number; readonly keyRange: Range },
): EntryMark {
  return {
    key,
    range: shift(r, start, r.contentEnd),
    keyRange: shift(r, keyRange.start, keyRange.end),
    valueRange: shift(r, r.valueStart, r.contentEnd),
    value: r.valueStyle,
    decorated: r.valueDecorated,
  };
}

function shift(r: Reading, start: number, end: number): Range {
  return { start: start + r.base, end: end + r.base };
}

import { nearest } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonArray, JsonObject, Range } from '../model/index.ts';
import {
  AMPERSAND,
  BANG,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  GREATER,
  isFlowIndicator,
  isSpaceOrEnd,
  LESS,
} from './char-codes.ts';
import type { KeyMeaning } from './problems.ts';
import { refuse, refuseCopy, refuseRest, report, wordIn, commonDepth } from './reading.ts';
import type { Anchor, EntryMark, Reading } from './reading.ts';
import { isFloat, isLong, isTimestamp, resolvePlainKey, resolvePlainScalar } from './resolve-plain-scalar.ts';

/** The anchor and the tag before a value. */
export interface Properties {
  readonly start: number;
  readonly end: number;
  readonly anchor?: string;
  /** As written, such as `!!str`. */
  readonly tag?: string;
  readonly tagRange?: Range;
}

/** Reads one anchor or tag and adds it to the earlier ones. */
export function readProperty(r: Reading, before: Properties | undefined): Properties {
  const { text } = r;
  const start = r.pos;
  const isAnchor = text.charCodeAt(start) === AMPERSAND;
  const end = isAnchor ? endOfName(text, start + 1) : endOfTag(r, start);
  const range = { start, end };
  const word = text.slice(start, end);
  const twice = isAnchor ? before?.anchor !== undefined : before?.tag !== undefined;
  const next = text.charCodeAt(end);
  const isEnded = isAnchor ? endsName(next) : isSpaceOrEnd(next);
  if (twice || (isAnchor && !isAnchorName(word.slice(1))) || !isEnded) {
    refuse(r, 'yaml-bad-anchor', { range });
  }
  r.pos = end;
  r.contentEnd = end;
  return {
    ...before,
    start: before?.start ?? start,
    end,
    ...(isAnchor ? { anchor: word.slice(1) } : { tag: word, tagRange: range }),
  };
}

/** Whether kubectl and kustomize accept the name of an anchor or alias. */
function isAnchorName(name: string): boolean {
  return /^[\w-]+$/.test(name);
}

/** Whether kubectl and kustomize accept this character after the name of an anchor or alias: a blank, or the end of a value in brackets. */
function endsName(code: number): boolean {
  return isSpaceOrEnd(code) || code === COMMA || code === CLOSE_BRACKET || code === CLOSE_BRACE;
}

export function endOfName(text: string, from: number): number {
  let pos = from;
  for (;;) {
    const code = text.charCodeAt(pos);
    if (isSpaceOrEnd(code) || isFlowIndicator(code)) return pos;
    pos++;
  }
}

function endOfTag(r: Reading, start: number): number {
  const { text } = r;
  if (text.charCodeAt(start + 1) !== LESS) return endOfName(text, start + 1);
  let pos = start + 2;
  while (!isSpaceOrEnd(text.charCodeAt(pos))) {
    if (text.charCodeAt(pos) === GREATER) return pos + 1;
    pos++;
  }
  return refuseRest(r, 'yaml-bad-anchor', start);
}

export function isProperty(code: number): boolean {
  return code === AMPERSAND || code === BANG;
}

const verbose = /^!<tag:yaml\.org,2002:([a-z]+)>$/;

export function shortenTag(tag: string): string {
  const match = verbose.exec(tag);
  return match === null ? tag : `!!${match[1]}`;
}

/** The value of a scalar with these properties. `plain` is whether it is neither quoted nor a block scalar. */
export function resolveScalar(
  r: Reading,
  properties: Properties | undefined,
  { text, plain, range }: { readonly text: string; readonly plain: boolean; readonly range: Range },
): Json {
  const tag = properties?.tag;
  if (tag === undefined) return plain ? checkFinite(r, resolvePlainScalar(text, r.words), range) : text;
  const short = shortenTag(tag);
  switch (short) {
    case '!!timestamp':
      if (!isTimestamp(text)) report(r, 'yaml-tag-mismatch', { range, tag });
      return text;
    case '!!str':
      return text;
    case '!!null':
    case '!!bool':
    case '!!int':
    case '!!float': {
      const value = checkFinite(r, resolvePlainScalar(text, r.words), range);
      if (!fitsTag(short, value) || (short === '!!int' && isFloat(text))) {
        report(r, 'yaml-tag-mismatch', { range, tag });
        return null;
      }
      // An integer may have more digits than a double can represent.
      return short === '!!float' ? checkFinite(r, Number(value), range) : value;
    }
    case '!!map':
    case '!!seq':
      report(r, 'yaml-tag-mismatch', { range, tag });
      return null;
    default:
      reportTag(r, properties!);
      return null;
  }
}

function fitsTag(tag: '!!null' | '!!bool' | '!!int' | '!!float', value: Json): boolean {
  if (tag === '!!null') return value === null;
  if (tag === '!!bool') return typeof value === 'boolean';
  if (typeof value === 'bigint') return tag === '!!float' || isLong(value);
  return tag === '!!int' ? Number.isInteger(value) : typeof value === 'number';
}

function checkFinite(r: Reading, value: Json, range: Range): Json {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    report(r, 'yaml-number-not-finite', { range });
    return null;
  }
  return value;
}

/** A collection may have the tag of its own type; any other tag is rejected. */
export function checkCollectionTag(r: Reading, properties: Properties | undefined, kind: 'mapping' | 'list'): void {
  const tag = properties?.tag;
  if (tag === undefined) return;
  const short = shortenTag(tag);
  if (short === (kind === 'mapping' ? '!!map' : '!!seq')) return;
  if (['!!map', '!!seq', '!!str', '!!null', '!!bool', '!!int', '!!float', '!!timestamp'].includes(short)) {
    const range = properties!.tagRange!;
    report(r, 'yaml-tag-mismatch', { range, word: wordIn(r, { start: r.pos, end: r.text.length }), tag });
    return;
  }
  reportTag(r, properties!);
}

function reportTag(r: Reading, properties: Properties): void {
  const range = properties.tagRange!;
  report(r, 'yaml-unknown-tag', { range, word: shortenTag(wordIn(r, range)) });
}

/** Registers the name before its value is read, to detect an alias inside its own value. */
export function openAnchor(r: Reading, name: string): Anchor {
  const anchor: Anchor = { value: undefined };
  r.anchors ??= new Map();
  r.anchors.set(name, anchor);
  return anchor;
}

/** Reads `*name` and returns a copy that is not shared; the position is then right after the name. */
export function readAlias(r: Reading): Json {
  const start = r.pos;
  const end = endOfName(r.text, start + 1);
  const range = { start, end };
  const name = r.text.slice(start + 1, end);
  if (!isAnchorName(name) || !endsName(r.text.charCodeAt(end))) {
    refuse(r, 'yaml-bad-anchor', { range });
  }
  const anchor = r.anchors?.get(name);
  r.pos = end;
  r.contentEnd = end;
  if (anchor === undefined) {
    report(r, 'yaml-unknown-anchor', { range, name, near: nearest(name, r.anchors?.keys() ?? []) });
    return null;
  }
  if (anchor.value === undefined) {
    report(r, 'yaml-recursive-alias', { range, name });
    return null;
  }
  return copy(r, anchor.value, { range, depth: r.depth });
}

interface Alias {
  readonly range: Range;
  /** Nesting depth of the position of the copy. */
  readonly depth: number;
}

function copy(r: Reading, value: Json, alias: Alias): Json {
  r.values.left -= typeof value === 'string' ? 1 + (value.length >> 6) : 1;
  if (r.values.left < 0) refuseCopy(r, alias.range);
  if (typeof value !== 'object' || value === null) return value;
  const inner = { ...alias, depth: alias.depth + 1 };
  if (inner.depth > commonDepth) r.isDeep = true;
  // Aliases inside aliases can be nested deeper than any text.
  if (inner.depth > r.limits.depth) refuse(r, 'yaml-too-deep', { range: alias.range, limit: r.limits.depth });
  if (isJsonArray(value)) return value.map((item) => copy(r, item, inner));
  const result: Record<string, Json> = {};
  for (const key in value) result[key] = copy(r, value[key]!, inner);
  return result;
}

/**
 * The entries that a merge key adds; the first of several objects wins. Aliases are already copies; the values of an object
 * written in place are copied too if there are marks, because they are not at the marked positions.
 */
function copyMerged(r: Reading, value: Json, range: Range): JsonObject {
  const merged: Record<string, Json> = {};
  for (const source of isJsonArray(value) ? value : [value]) {
    if (!isJsonObject(source)) {
      report(r, 'yaml-merge-not-mapping', { range });
      break;
    }
    for (const key in source) {
      if (Object.hasOwn(merged, key)) {
        refuseTyped(r, key, range);
        continue;
      }
      const inner = source[key]!;
      merged[key] = r.marks === undefined ? inner : copy(r, inner, { range, depth: r.depth });
    }
  }
  return merged;
}

/** The value of `key:` or `-` with nothing after it, or only an anchor or tag. */
export function finishMissing(r: Reading, properties: Properties | undefined, at: number): Json {
  r.valueStyle = 'missing';
  r.valueDecorated = properties !== undefined;
  r.valueStart = properties?.start ?? at;
  r.contentEnd = properties?.end ?? at;
  if (properties === undefined) return null;
  const range = { start: r.valueStart, end: r.contentEnd };
  const value = resolveScalar(r, properties, { text: '', plain: true, range });
  if (properties.anchor !== undefined) openAnchor(r, properties.anchor).value = value;
  return value;
}

/** Enters a nested collection; leave it with `r.depth--`. */
export function enterCollection(r: Reading): void {
  if (++r.depth > commonDepth) r.isDeep = true;
  if (r.depth > r.limits.depth) {
    refuse(r, 'yaml-too-deep', { range: { start: r.pos, end: r.pos + 1 }, limit: r.limits.depth });
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
    report(r, 'yaml-forbidden-key', { range: keyRange, word: key });
  } else if (Object.hasOwn(data, key) && filling.merged?.delete(key) !== true) {
    reportDuplicate(r, filling, { key, keyRange });
  } else {
    if (Object.hasOwn(data, key)) refuseTyped(r, key, keyRange);
    data[key] = value;
  }
}

/** For kubectl, `true` and `"true"` are two keys until it writes JSON, where one of them is lost. */
function refuseTyped(r: Reading, key: string, range: Range): void {
  if (typeof resolvePlainScalar(key, r.words) !== 'string') report(r, 'yaml-merge-unclear', { range, word: key });
}

function addMerged(
  r: Reading,
  filling: Filling,
  { value, keyRange }: { readonly value: Json; readonly keyRange: Range },
): void {
  const range = { start: r.valueStart, end: r.contentEnd };
  // kubectl merges the objects of a list only if it is written in place.
  if (r.valueStyle === 'alias' && isJsonArray(value)) report(r, 'yaml-merge-list-alias', { range });
  const source = copyMerged(r, value, range);
  filling.merged ??= new Set();
  for (const key in source) {
    if (!Object.hasOwn(filling.data, key)) {
      filling.data[key] = source[key]!;
      filling.merged.add(key);
    } else if (!filling.merged.has(key)) {
      report(r, 'yaml-merge-after-key', { range: keyRange, word: key });
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
  // Linear, but reading stops after some findings, so many duplicates stay cheap.
  const mark = filling.entries.find((entry) => entry.key === key)!.keyRange;
  const first = { start: mark.start - r.base, end: mark.end - r.base };
  const meant = findMeaning(r, key, [first, keyRange]);
  const related = [{ message: 'the first one is here', range: first }];
  report(r, 'yaml-duplicate-key', { range: keyRange, related, meant });
}

/** Of two keys that are written differently, the key they mean and which of them would be another key if quoted. */
function findMeaning(r: Reading, key: string, ranges: readonly [first: Range, second: Range]): KeyMeaning | undefined {
  const texts = ranges.map(({ start, end }) => r.text.slice(start, end));
  const words = texts.map((text) => /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text);
  if (words[0] === words[1]) return undefined;
  return { key, words, plain: texts.filter((text) => text !== key && resolvePlainKey(text, r.words) === key) };
}

/**
 * Records the mark of the collection that was just read, if it is marked; offsets count from the start of the whole text. `column`
 * is that of a block collection. Positional arguments for speed, because most collections have no marks.
 */
export function recordMark(
  r: Reading,
  collection: JsonObject | JsonArray,
  entries: readonly EntryMark[] | undefined,
  start: number,
  column?: number,
): void {
  if (entries === undefined) return;
  const style = column === undefined ? 'flow' : 'block';
  r.marks?.set(collection, { style, range: shift(r, start, r.contentEnd), indent: column ?? 0, entries });
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

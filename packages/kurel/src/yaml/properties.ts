import type { Json, Range } from '../model/index.ts';
import {
  AMPERSAND,
  BANG,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  GREATER,
  LESS,
  isFlowIndicator,
  isSpaceOrEnd,
} from './char-codes.ts';
import type { Reading } from './reading.ts';
import { refuse, refuseRest, report, wordIn } from './refuse.ts';
import { isFloat, resolvePlainScalar } from './resolve-plain-scalar.ts';

/** The anchor and the tag in front of a value. */
export interface Properties {
  readonly start: number;
  readonly end: number;
  readonly anchor?: string;
  /** As written, such as `!!str`. */
  readonly tag?: string;
  readonly tagRange?: Range;
}

/** Reads one anchor or tag and adds it to those before it. */
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
    refuse(r, 'yaml-bad-anchor', { word: wordIn(r, range) }, { range });
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

/** Whether the cluster takes the whole name of an anchor or alias for one. */
export function isAnchorName(name: string): boolean {
  return /^[\w-]+$/.test(name);
}

/** Whether the cluster lets this follow the name of an anchor or alias: a blank, or what ends a value in brackets. */
export function endsName(code: number): boolean {
  return isSpaceOrEnd(code) || code === COMMA || code === CLOSE_BRACKET || code === CLOSE_BRACE;
}

/** The end of the name of an anchor or alias. */
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

function shortenTag(tag: string): string {
  const match = verbose.exec(tag);
  return match === null ? tag : `!!${match[1]}`;
}

/** The value of a scalar with these properties. `plain` is whether it had no quotes and is not a block of text. */
export function resolveScalar(
  r: Reading,
  properties: Properties | undefined,
  { text, plain, range }: { readonly text: string; readonly plain: boolean; readonly range: Range },
): Json {
  const tag = properties?.tag;
  if (tag === undefined) return plain ? checkFinite(r, resolvePlainScalar(text, r.words), range) : text;
  const short = shortenTag(tag);
  switch (short) {
    case '!!str':
    case '!!timestamp':
      return text;
    case '!!null':
    case '!!bool':
    case '!!int':
    case '!!float': {
      const value = checkFinite(r, resolvePlainScalar(text, r.words), range);
      if (!fitsTag(short, value) || (short === '!!int' && isFloat(text))) {
        report(r, 'yaml-tag-mismatch', { word: wordIn(r, range), tag }, { range });
        return null;
      }
      // An integer may have more digits than a double holds.
      return short === '!!float' ? checkFinite(r, Number(value), range) : value;
    }
    case '!!map':
    case '!!seq':
      report(r, 'yaml-tag-mismatch', { word: wordIn(r, range), tag }, { range });
      return null;
    default:
      reportTag(r, properties!);
      return null;
  }
}

function fitsTag(tag: '!!null' | '!!bool' | '!!int' | '!!float', value: Json): boolean {
  if (tag === '!!null') return value === null;
  if (tag === '!!bool') return typeof value === 'boolean';
  return typeof value === 'bigint' || (tag === '!!int' ? Number.isInteger(value) : typeof value === 'number');
}

function checkFinite(r: Reading, value: Json, range: Range): Json {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    report(r, 'yaml-number-not-finite', { word: wordIn(r, range) }, { range });
    return null;
  }
  return value;
}

/** A collection may say what it is anyway; any other tag is refused. */
export function checkCollectionTag(r: Reading, properties: Properties | undefined, kind: 'mapping' | 'list'): void {
  const tag = properties?.tag;
  if (tag === undefined) return;
  const short = shortenTag(tag);
  if (short === (kind === 'mapping' ? '!!map' : '!!seq')) return;
  if (['!!map', '!!seq', '!!str', '!!null', '!!bool', '!!int', '!!float', '!!timestamp'].includes(short)) {
    const range = properties!.tagRange!;
    report(r, 'yaml-tag-mismatch', { word: wordIn(r, { start: r.pos, end: r.text.length }), tag }, { range });
    return;
  }
  reportTag(r, properties!);
}

function reportTag(r: Reading, properties: Properties): void {
  const range = properties.tagRange!;
  report(r, 'yaml-unknown-tag', { word: shortenTag(wordIn(r, range)) }, { range });
}

import type { Range } from '../../model/index.ts';

const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const DOUBLE_QUOTE = 0x22;
export const HASH = 0x23;
export const DOLLAR = 0x24;
export const SINGLE_QUOTE = 0x27;
export const STAR = 0x2a;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const DASH = 0x2d;
export const DOT = 0x2e;
export const SLASH = 0x2f;
export const COLON = 0x3a;
export const EQUALS = 0x3d;
export const QUESTION = 0x3f;
export const AT = 0x40;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** A space or tab, or the end of the line or of the text, where `charCodeAt` returns NaN. */
export function isBlankOrEnd(code: number): boolean {
  return isBlank(code) || code === LF || code === CR || Number.isNaN(code);
}

export function isQuote(code: number): boolean {
  return code === DOUBLE_QUOTE || code === SINGLE_QUOTE;
}

export function isDigits(text: string): boolean {
  return /^[0-9]+$/.test(text);
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Offset of the first character that is not a space or tab, at most `to`. */
export function skipBlanks(text: string, { from, to }: Span): number {
  let offset = from;
  while (offset < to && isBlank(text.charCodeAt(offset))) offset += 1;
  return offset;
}

/** Offset after the last character that is not a space or tab, at least `from`. */
export function trimBlanks(text: string, { from, to }: Span): number {
  let offset = to;
  while (offset > from && isBlank(text.charCodeAt(offset - 1))) offset -= 1;
  return offset;
}

/**
 * Offset after the `}` of the `${…}` or `$${…}` at `from`; `from` itself if there is none, -1 if it is not closed.
 * A brace inside the quotes of `${a["}"]}` does not close it, as in templates.
 */
export function findVariableEnd(text: string, { from, to }: Span): number {
  let open = from + 1;
  if (text.charCodeAt(open) === DOLLAR) open += 1;
  if (text.charCodeAt(from) !== DOLLAR || open >= to || text.charCodeAt(open) !== OPEN_BRACE) return from;
  let quote = 0;
  for (let offset = open + 1; offset < to; offset += 1) {
    const code = text.charCodeAt(offset);
    if (quote !== 0) {
      if (code === BACKSLASH && quote === DOUBLE_QUOTE) offset += 1;
      else if (code === quote) quote = 0;
    } else if (code === CLOSE_BRACE) return offset + 1;
    else if (isQuote(code) && text.charCodeAt(offset - 1) === OPEN_BRACKET) quote = code;
  }
  return -1;
}

/** Offset after the quote that closes the one at `start`; the end of the text if it is not closed. */
export function findQuoteEnd(text: string, start: number): number {
  const quote = text[start];
  for (let offset = start + 1; offset < text.length; offset += 1) {
    if (text[offset] === '\\' && quote === '"') offset += 1;
    else if (text[offset] === quote) {
      if (quote === '"' || text[offset + 1] !== quote) return offset + 1;
      offset += 1;
    }
  }
  return text.length;
}

/** A syntax error in a path, header or value, as data: the reader of each format adds its own location. */
export interface SyntaxProblem {
  /** A clause without a full stop that quotes the input. */
  readonly reason: string;
  readonly hint?: string | undefined;
  /** Offsets in the parsed text. */
  readonly range: Range;
}

/** Position in the text; parsing stops at the first problem. */
export interface Cursor {
  readonly text: string;
  readonly end: number;
  pos: number;
  problem: SyntaxProblem | undefined;
  /** Ignored spaces, which the canonical format leaves out. */
  readonly gaps: Range[];
}

export function createCursor(text: string, { start, end }: Range): Cursor {
  return { text, end, pos: start, problem: undefined, gaps: [] };
}

/** Records the problem and returns `undefined`, so that a caller can return the call. */
export function refuse(cursor: Cursor, problem: SyntaxProblem): undefined {
  cursor.problem ??= problem;
  return undefined;
}

/** Character code at the position; NaN at the end. */
export function codeAt(cursor: Cursor): number {
  return cursor.pos < cursor.end ? cursor.text.charCodeAt(cursor.pos) : Number.NaN;
}

export function skipGap(cursor: Cursor): void {
  const start = cursor.pos;
  while (isBlank(codeAt(cursor))) cursor.pos += 1;
  if (cursor.pos > start) cursor.gaps.push({ start, end: cursor.pos });
}

/** Part of the text without the gaps in it. */
export function spell({ text, gaps }: Cursor, { start, end }: Range): string {
  let spelling = '';
  let from = start;
  for (const gap of gaps) {
    spelling += text.slice(from, gap.start);
    from = gap.end;
  }
  return spelling + text.slice(from, end);
}

/** The character at the position, for messages; a surrogate pair is one character. */
export function characterAt(cursor: Cursor): string {
  return cursor.pos < cursor.end ? String.fromCodePoint(cursor.text.codePointAt(cursor.pos)!) : '';
}

export function rangeOfCharacter(cursor: Cursor): Range {
  return { start: cursor.pos, end: cursor.pos + characterAt(cursor).length };
}

const longestSample = 60;

/** User input inside a suggestion; replaced if it is too long to copy from a message. */
export function sample(word: string, otherwise = '…'): string {
  return word.length <= longestSample ? word : otherwise;
}

import type { Message, Range } from '../../model/index.ts';
import { findClosingBrace } from '../../parameters/index.ts';

export function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** A space or tab, or the end of the line or of the text. */
export function isBlankOrEnd(character = ''): boolean {
  return isBlank(character) || character === '\n' || character === '\r' || character === '';
}

export function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'";
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
  while (offset < to && isBlank(text[offset])) offset += 1;
  return offset;
}

/** Offset after the last character that is not a space or tab, at least `from`. */
export function trimBlanks(text: string, { from, to }: Span): number {
  let offset = to;
  while (offset > from && isBlank(text[offset - 1])) offset -= 1;
  return offset;
}

/** Offset after the `}` of the `${…}` or `$${…}` at `from`; `from` itself if there is none, -1 if it is not closed. */
export function findVariableEnd(text: string, { from, to }: Span): number {
  let open = from + 1;
  if (text[open] === '$') open += 1;
  if (text[from] !== '$' || open >= to || text[open] !== '{') return from;
  const close = findClosingBrace(text, open + 1, to);
  return close === -1 ? -1 : close + 1;
}

/** Offset after the quote that closes the one at `from`; -1 if it is not closed. */
export function findQuoteEnd(text: string, { from, to }: Span): number {
  const quote = text[from];
  for (let offset = from + 1; offset < to; offset += 1) {
    if (text[offset] === '\\' && quote === '"') offset += 1;
    else if (text[offset] === quote) {
      if (quote === '"' || text[offset + 1] !== quote) return offset + 1;
      offset += 1;
    }
  }
  return -1;
}

/** A syntax error in a path, header or value, as data: the reader of each format adds its own location. */
export interface SyntaxProblem {
  /** A clause without a full stop that quotes the input. */
  readonly reason: string;
  readonly hint?: Message | undefined;
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
  /** `${` does not start a variable, and every key is allowed. */
  readonly isLiteral: boolean;
}

export function createCursor(
  text: string,
  { start, end, isLiteral = false }: Range & { readonly isLiteral?: boolean },
): Cursor {
  return { text, end, pos: start, problem: undefined, gaps: [], isLiteral };
}

/** Records the problem and returns `undefined`, so that a caller can return the call. */
export function refuse(cursor: Cursor, problem: SyntaxProblem): undefined {
  cursor.problem ??= problem;
  return undefined;
}

/** The UTF-16 unit at the position; empty at the end. */
export function peek(cursor: Cursor): string {
  return cursor.pos < cursor.end ? cursor.text[cursor.pos]! : '';
}

export function skipGap(cursor: Cursor): void {
  const start = cursor.pos;
  while (isBlank(peek(cursor))) cursor.pos += 1;
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

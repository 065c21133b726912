import type { Range } from '../../model/index.ts';
import { isBlank } from './characters.ts';

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

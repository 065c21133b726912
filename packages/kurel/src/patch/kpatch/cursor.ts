import type { Range } from '../../model/index.ts';
import { isBlank } from './characters.ts';

/** What is wrong with a path, a header or a value, as data: the reader of each format reports it at its own place. */
export interface SyntaxProblem {
  /** A clause without a full stop, quoting the user's own word. */
  readonly reason: string;
  readonly hint?: string | undefined;
  /** In the text that was read. */
  readonly range: Range;
}

/** A place in a text that reading moves on until the first problem. */
export interface Cursor {
  readonly text: string;
  readonly end: number;
  pos: number;
  problem: SyntaxProblem | undefined;
  /** Blanks that mean nothing, so that the canonical spelling can leave them out. */
  readonly gaps: Range[];
}

export function createCursor(text: string, { start, end }: Range): Cursor {
  return { text, end, pos: start, problem: undefined, gaps: [] };
}

/** Records the problem and gives nothing, so that a reader can return it. */
export function refuse(cursor: Cursor, problem: SyntaxProblem): undefined {
  cursor.problem ??= problem;
  return undefined;
}

/** The character code at the position; not a number at the end. */
export function codeAt(cursor: Cursor): number {
  return cursor.pos < cursor.end ? cursor.text.charCodeAt(cursor.pos) : Number.NaN;
}

export function skipGap(cursor: Cursor): void {
  const start = cursor.pos;
  while (isBlank(codeAt(cursor))) cursor.pos += 1;
  if (cursor.pos > start) cursor.gaps.push({ start, end: cursor.pos });
}

/** A stretch of the text without the gaps in it. */
export function spell({ text, gaps }: Cursor, { start, end }: Range): string {
  let spelling = '';
  let from = start;
  for (const gap of gaps) {
    spelling += text.slice(from, gap.start);
    from = gap.end;
  }
  return spelling + text.slice(from, end);
}

/** The character at the position as messages name it; pairs of surrogates are one. */
export function characterAt(cursor: Cursor): string {
  return cursor.pos < cursor.end ? String.fromCodePoint(cursor.text.codePointAt(cursor.pos)!) : '';
}

export function rangeOfCharacter(cursor: Cursor): Range {
  return { start: cursor.pos, end: cursor.pos + characterAt(cursor).length };
}

const longestSample = 60;

/** A word of the user inside a suggestion; what is too long to be copied from a message is left out. */
export function sample(word: string, otherwise = '…'): string {
  return word.length <= longestSample ? word : otherwise;
}

import { quote } from '../../diagnostics/index.ts';
import type { Range } from '../../model/index.ts';
import type { HeaderTarget, Step } from '../patch.ts';
import { CLOSE_BRACKET, HASH, isBlankOrEnd } from './characters.ts';
import { characterAt, codeAt, createCursor, rangeOfCharacter, refuse, skipGap, spell } from './cursor.ts';
import type { Cursor, SyntaxProblem } from './cursor.ts';
import { refuseCharacter } from './read-name.ts';
import { readSteps } from './read-steps.ts';
import { headerForm, readTarget } from './read-target.ts';

export interface ParsedHeader {
  readonly target: Omit<HeaderTarget, 'location'> & { readonly range: Range };
  readonly steps: readonly Step[];
  /** As it was written, brackets included, without the blanks that mean nothing. */
  readonly text: string;
  /** From the `[` to after the `]`. */
  readonly range: Range;
}

/** Reads `[kind.name…]` from its `[`; what follows the `]` is for the caller to judge. */
export function parseHeader(text: string, within: Range): ParsedHeader | { readonly problem: SyntaxProblem } {
  const cursor = createCursor(text, within);
  return readHeader(cursor, within.start) ?? { problem: cursor.problem! };
}

function readHeader(cursor: Cursor, open: number): ParsedHeader | undefined {
  cursor.pos += 1;
  skipGap(cursor);
  const start = cursor.pos;
  if (codeAt(cursor) === CLOSE_BRACKET) {
    const range = { start: open, end: cursor.pos + 1 };
    return refuse(cursor, { reason: 'the header is empty', hint: headerForm, range });
  }
  const target = readTarget(cursor);
  if (target === undefined) return undefined;
  const end = cursor.pos;
  const steps: Step[] = [];
  readSteps(cursor, { steps });
  if (cursor.problem !== undefined) return undefined;
  const code = codeAt(cursor);
  if (code !== CLOSE_BRACKET && !isBlankOrEnd(code)) return refuseCharacter(cursor, start);
  if (!closeHeader(cursor, open)) return undefined;
  const range = { start: open, end: cursor.pos };
  return { target: { ...target, range: { start, end } }, steps, text: spell(cursor, range), range };
}

function closeHeader(cursor: Cursor, open: number): boolean {
  skipGap(cursor);
  const code = codeAt(cursor);
  if (code === CLOSE_BRACKET) {
    cursor.pos += 1;
    return true;
  }
  const isOpen = code === HASH || Number.isNaN(code);
  refuse(cursor, {
    reason: isOpen ? 'the `[` has no closing `]`' : `${quote(characterAt(cursor))} stands where \`]\` is expected`,
    hint: isOpen ? 'close the header: `[deployment.web]`' : 'a header has no blanks in it; quote a name that has them',
    range: isOpen ? { start: open, end: open + 1 } : rangeOfCharacter(cursor),
  });
  return false;
}

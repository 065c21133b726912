import { quote } from '../../diagnostics/index.ts';
import { isKnownKind } from '../../kube/index.ts';
import type { Range } from '../../model/index.ts';
import type { HeaderTarget, Step } from '../patch.ts';
import {
  characterAt,
  peek,
  createCursor,
  findQuoteEnd,
  findVariableEnd,
  isBlank,
  isBlankOrEnd,
  isQuote,
  rangeOfCharacter,
  refuse,
  sample,
  skipBlanks,
  skipGap,
  spell,
  trimBlanks,
} from './cursor.ts';
import type { Cursor, Span, SyntaxProblem } from './cursor.ts';
import { explainAssignment, parsePath } from './parse-path.ts';
import type { ParsedPath } from './parse-path.ts';
import { kpatchProblems } from './problems.ts';
import { refuseCharacter } from './read-name.ts';
import { readSteps } from './read-steps.ts';
import { headerForm, readTarget } from './read-target.ts';
import { nothing, readTrailing, readValue } from './read-value.ts';
import type { ReadValue } from './read-value.ts';
import { addProblem, hasRoom, refuseControl, refuseSyntax } from './reading.ts';
import type { Reading } from './reading.ts';

/** A line of the file; an entry includes the lines of its block. */
export type Line =
  | { readonly type: 'blank' }
  | { readonly type: 'comment'; readonly text: string }
  | HeaderLine
  | EntryLine;

export interface HeaderLine {
  readonly type: 'header';
  /** `undefined` if a problem was reported. */
  readonly header: ParsedHeader | undefined;
  readonly comment: string;
}

export interface EntryLine extends ReadValue {
  readonly type: 'entry';
  /** Leading spaces of the key. */
  readonly indent: number;
  /** `undefined` if a problem was reported. */
  readonly key: ParsedPath | undefined;
}

/** Reads the next line, including its block. */
export function readLine(reading: Reading): Line {
  const { text } = reading.source;
  const start = reading.lines.starts[reading.line]!;
  const end = reading.lines.ends[reading.line]!;
  reading.line += 1;
  const from = skipBlanks(text, { from: start, to: end });
  if (from === end) return { type: 'blank' };
  const character = text[from];
  const isRefused = refuseControl(reading, { start, end });
  if (character === '#') return { type: 'comment', text: text.slice(from, trimBlanks(text, { from, to: end })) };
  const range = { start: from, end };
  if (character === '[') return isRefused ? badHeader : readHeaderLine(reading, range);
  if (!isRefused) return readEntryLine(reading, { ...range, indent: from - start });
  return { type: 'entry', indent: from - start, key: undefined, ...nothing };
}

const badHeader: HeaderLine = { type: 'header', header: undefined, comment: '' };

function readHeaderLine(reading: Reading, range: Range): HeaderLine {
  const header = parseHeader(reading.source.text, range);
  if ('problem' in header) {
    refuseSyntax(reading, header.problem);
    return badHeader;
  }
  const comment = readTrailing(reading, { from: header.range.end, to: range.end, after: 'the header' });
  return comment === undefined ? badHeader : { type: 'header', header, comment };
}

function readEntryLine(reading: Reading, { start, end, indent }: Range & { readonly indent: number }): EntryLine {
  const { text } = reading.source;
  const separator = findSeparator(text, { from: start, to: end });
  if (separator === undefined) {
    if (hasRoom(reading)) {
      refuseSyntax(reading, explainNoColon(text, { start, end: trimBlanks(text, { from: start, to: end }) }));
    }
    return { type: 'entry', indent, key: undefined, ...nothing };
  }
  const range = { start, end: trimBlanks(text, { from: start, to: separator.colon }) };
  const key = parsePath(text, range);
  if ('problem' in key) refuseSyntax(reading, key.problem);
  const value = readValue(reading, { from: separator.colon + 1, to: end, indent });
  if (!separator.isSpaced && !('problem' in key) && value.value !== undefined) {
    warnColon(reading, { ...range, value: value.written, colon: separator.colon });
  }
  return { type: 'entry', indent, key: 'problem' in key ? undefined : key, ...value };
}

function warnColon(
  reading: Reading,
  { start, end, value, colon }: Range & { readonly value: string; readonly colon: number },
): void {
  const key = reading.source.text.slice(start, end);
  const hint = `use \`${sample(`${key}: ${value}`, 'key: value')}\``;
  addProblem(reading, { start: colon, end: colon + 1 }, (place) =>
    kpatchProblems.create('kpatch-colon-space', { word: `${key}:${value}`, hint }, place),
  );
}

function namesResource({ steps: [kind, name] }: ParsedPath): boolean {
  return kind?.type === 'field' && name?.type === 'field' && isKnownKind(kind.name.text);
}

/** Explains a line without a colon: an unclosed bracket or quote is reported instead of the missing colon. */
function explainNoColon(text: string, range: Range) {
  const line = text.slice(range.start, range.end);
  if (/^(?:-|---|\.\.\.)(?:\s|$)/.test(line)) {
    return {
      reason: `${quote(line)} is YAML, but this is a .kpatch file`,
      hint: 'use `path: value` below a header such as `[deployment.web]`, or start the file with `- target: …` to write all of it in YAML',
      range,
    };
  }
  const path = parsePath(text, range);
  const last = 'problem' in path ? undefined : path.steps.at(-1)!;
  if ('problem' in path) {
    const { start } = path.problem.range;
    if (text[start] === '=') {
      return explainAssignment(text, { key: text.slice(range.start, start).trimEnd(), equals: start });
    }
    if (!isBlank(text[start])) return path.problem;
  }
  if (last?.type === 'match' && text[last.range.start] !== '[') {
    const equals = text.indexOf('=', last.range.start);
    return explainAssignment(text, { key: text.slice(range.start, equals), equals });
  }
  const [key = '', ...rest] = sample(line, 'key value').split(/[ \t]+/);
  if (!('problem' in path) && namesResource(path)) {
    const hint = `use \`[${key}]\` for a header, or \`${key}: value\` for an entry`;
    return { reason: `${quote(line)} has neither brackets around it nor \`:\` after it`, hint, range };
  }
  return {
    reason: `\`:\` is missing after the key ${quote(line)}`,
    hint: `use \`${key}: ${rest.length === 0 ? 'value' : rest.join(' ')}\`; start a multi-line string with \`|\` after the colon`,
    range,
  };
}

interface ParsedHeader {
  readonly target: Omit<HeaderTarget, 'location'> & { readonly range: Range };
  readonly steps: readonly Step[];
  /** As written, including brackets, without ignored spaces. */
  readonly text: string;
  /** From `[` up to and including `]`. */
  readonly range: Range;
}

/** Reads `[kind.name…]` from its `[`; the caller checks the rest of the line. */
function parseHeader(text: string, within: Range): ParsedHeader | { readonly problem: SyntaxProblem } {
  const cursor = createCursor(text, within);
  return readHeader(cursor, within.start) ?? { problem: cursor.problem! };
}

function readHeader(cursor: Cursor, open: number): ParsedHeader | undefined {
  cursor.pos += 1;
  skipGap(cursor);
  const start = cursor.pos;
  if (peek(cursor) === ']') {
    const range = { start: open, end: cursor.pos + 1 };
    return refuse(cursor, { reason: 'the header is empty', hint: headerForm, range });
  }
  const target = readTarget(cursor);
  if (target === undefined) return undefined;
  const end = cursor.pos;
  const steps: Step[] = [];
  readSteps(cursor, { steps });
  if (cursor.problem !== undefined) return undefined;
  const character = peek(cursor);
  if (character !== ']' && !isBlankOrEnd(character)) return refuseCharacter(cursor, start);
  if (!closeHeader(cursor, open)) return undefined;
  const range = { start: open, end: cursor.pos };
  return { target: { ...target, range: { start, end } }, steps, text: spell(cursor, range), range };
}

function closeHeader(cursor: Cursor, open: number): boolean {
  skipGap(cursor);
  const character = peek(cursor);
  if (character === ']') {
    cursor.pos += 1;
    return true;
  }
  const isOpen = character === '#' || character === '';
  refuse(cursor, {
    reason: isOpen ? '`[` is not closed' : `expected \`]\`, got ${quote(characterAt(cursor))}`,
    hint: isOpen ? 'close the header: `[deployment.web]`' : 'remove the space, or quote a name with spaces',
    range: isOpen ? { start: open, end: open + 1 } : rangeOfCharacter(cursor),
  });
  return false;
}

/**
 * The colon that ends the key: the first one with a space after it outside quotes, brackets and variables, otherwise the
 * first, if no colon of the line is spaced. `undefined` if there is none, or if something before it is not closed.
 */
function findSeparator(text: string, { from, to }: Span) {
  let first: number | undefined;
  let pos = from;
  /** Whether a quote here opens a name or value rather than being part of one. */
  let isOpening = true;
  while (pos < to) {
    const character = text[pos];
    if (character === '#' && pos > from && isBlank(text[pos - 1])) break;
    if (character === ':') {
      if (pos + 1 >= to || isBlankOrEnd(text[pos + 1])) return { colon: pos, isSpaced: true };
      first ??= pos;
    }
    const next = passAtom(text, { from: pos, to, isOpening });
    if (next === -1) return undefined;
    isOpening = character === '.' || character === ':';
    pos = next;
  }
  return first === undefined ? undefined : { colon: first, isSpaced: false };
}

/** Offset after the character, quoted string, variable or bracket at `from`; -1 if it is not closed. */
function passAtom(text: string, { from, to, isOpening }: Span & { readonly isOpening: boolean }): number {
  const character = text[from];
  if (character === '$') {
    const end = findVariableEnd(text, { from, to });
    return end === from ? from + 1 : end;
  }
  if (isOpening && isQuote(character)) return findQuoteEnd(text, { from, to });
  return character === '[' ? passBracket(text, { from, to }) : from + 1;
}

function passBracket(text: string, { from, to }: Span): number {
  let isOpening = true;
  let pos = from + 1;
  while (pos < to) {
    const character = text[pos];
    if (character === ']') return pos + 1;
    // Brackets do not nest here: `[` in the value of a selector is part of the value.
    pos = character === '[' ? pos + 1 : passAtom(text, { from: pos, to, isOpening });
    if (pos === -1) return -1;
    if (!isBlank(character)) isOpening = character === '=' || character === ',';
  }
  return -1;
}

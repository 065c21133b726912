import { quote } from '../../diagnostics/index.ts';
import type { Range } from '../../model/index.ts';
import { parseTemplate } from '../../parameters/index.ts';
import type { Template } from '../../parameters/index.ts';
import type { ScalarValue } from '../patch.ts';
import {
  createCursor,
  findVariableEnd,
  isBlank,
  isBlankOrEnd,
  isQuote,
  sample,
  skipBlanks,
  trimBlanks,
} from './cursor.ts';
import type { Span } from './cursor.ts';
import { kpatchProblems } from './problems.ts';
import { explainUnclosedVariable, readQuoted } from './read-name.ts';
import { addProblem, countProblems, locate, refuseControl, refuseSyntax } from './reading.ts';
import type { Reading } from './reading.ts';

export interface ReadValue {
  /** `undefined` if a problem was reported. */
  readonly value: ScalarValue | undefined;
  /** As written on the line of the key; for a block, its header. */
  readonly written: string;
  readonly block: Block | undefined;
  /** Includes its `#`; empty if there is none. */
  readonly comment: string;
}

/** Used for a missing or invalid value. */
export const nothing: ReadValue = { value: undefined, written: '', block: undefined, comment: '' };

/** Reads the value of an entry with `indent` leading spaces, including the lines below that belong to it. */
export function readValue(reading: Reading, { from, to, indent }: Span & { readonly indent: number }): ReadValue {
  const { text } = reading.source;
  const start = skipBlanks(text, { from, to });
  const character = text[start];
  if (start === to || (character === '#' && start > from)) {
    const value = makeScalar(reading, '', { style: 'plain', range: { start: from, end: from } });
    return { value, written: '', block: undefined, comment: text.slice(start, trimBlanks(text, { from: start, to })) };
  }
  if (isQuote(character)) return readQuotedValue(reading, { from: start, to });
  if (text[start] === '|' || text[start] === '>') return readBlockValue(reading, { from: start, to, indent });
  return readPlain(reading, { from: start, to }) ?? nothing;
}

function readQuotedValue(reading: Reading, { from, to }: Span): ReadValue {
  const { text } = reading.source;
  const cursor = createCursor(text, { start: from, end: to });
  const value = readQuoted(cursor);
  if (value === undefined) {
    refuseSyntax(reading, cursor.problem!);
    return nothing;
  }
  const range = { start: from, end: cursor.pos };
  const comment = readTrailing(reading, { from: cursor.pos, to, after: 'the closing quote' });
  if (comment === undefined) return nothing;
  return {
    value: makeScalar(reading, value, { style: 'quoted', range }),
    written: text.slice(range.start, range.end),
    block: undefined,
    comment,
  };
}

const blockHeader = /[|>](?:([+-])([1-9])?|([1-9])([+-])?)?/y;

function readBlockValue(reading: Reading, { from, to, indent }: Span & { readonly indent: number }): ReadValue {
  const { text } = reading.source;
  blockHeader.lastIndex = from;
  const [written, chompFirst, indentLast, indentFirst, chompLast] = blockHeader.exec(text)!;
  const end = from + written.length;
  const rest = skipBlanks(text, { from: end, to });
  if (rest < to && !(text[rest] === '#' && rest > end)) {
    const range = { start: from, end: findPlainEnd(text, { from, to }) };
    const word = text.slice(range.start, range.end);
    refuseSyntax(reading, {
      reason: `${quote(word)} is not a valid start of a multi-line string`,
      hint: `use only \`+\` or \`-\` and a digit from 1 to 9 after \`${text[from]!}\`, or quote the value: ${showQuoted(word)}`,
      range,
    });
    passBlock(reading, indent);
    return nothing;
  }
  const header = {
    folded: text[from] === '>',
    chomp: (chompFirst ?? chompLast ?? '') as Block['chomp'],
    indent: Number(indentLast ?? indentFirst ?? 0),
  };
  const problemCount = countProblems(reading);
  const block = readBlock(reading, header, indent);
  if (countProblems(reading) > problemCount) return nothing;
  const range = { start: from, end: Math.max(end, block.end) };
  return {
    value: makeScalar(reading, block.text, { style: 'block', range }),
    written,
    block,
    comment: text.slice(rest, trimBlanks(text, { from: rest, to })),
  };
}

/** Reads an unquoted value; `undefined` if there is a problem, which is reported. */
function readPlain(reading: Reading, { from, to }: Span): ReadValue | undefined {
  if (refuseStart(reading, { from, to })) return undefined;
  const { text } = reading.source;
  const end = findPlainEnd(text, { from, to });
  const written = text.slice(from, end);
  const colon = findMappingColon(text, { from, to: end });
  if (colon !== -1) {
    refuseSyntax(reading, {
      reason: `the value ${quote(written)} looks like a key with a value`,
      hint: `quote the value: ${showQuoted(written)}`,
      range: { start: colon, end: colon + 1 },
    });
    return undefined;
  }
  const comment = skipBlanks(text, { from: end, to });
  return {
    value: makeScalar(reading, written, { style: 'plain', range: { start: from, end } }),
    written,
    block: undefined,
    comment: text.slice(comment, trimBlanks(text, { from: comment, to })),
  };
}

/** End of an unquoted value: before a comment or trailing spaces. A variable is never split. */
function findPlainEnd(text: string, { from, to }: Span): number {
  const comment = text.slice(from, to).includes('#')
    ? findOutsideVariables(text, { from, to }, (pos) => text[pos] === '#' && pos > from && isBlank(text[pos - 1]))
    : -1;
  return trimBlanks(text, { from, to: comment === -1 ? to : comment });
}

function findMappingColon(text: string, { from, to }: Span): number {
  const isEnd = (pos: number): boolean => pos === to || isBlankOrEnd(text[pos]);
  return findOutsideVariables(text, { from, to }, (pos) => text[pos] === ':' && isEnd(pos + 1));
}

/** The first matching offset that is not inside a variable; -1 if there is none. */
function findOutsideVariables(text: string, { from, to }: Span, matches: (pos: number) => boolean): number {
  let hasVariables = true;
  for (let pos = from; pos < to; pos += 1) {
    if (matches(pos)) return pos;
    if (text[pos] !== '$' || !hasVariables) continue;
    const end = findVariableEnd(text, { from: pos, to });
    if (end === -1) hasVariables = false;
    else pos = Math.max(pos, end - 1);
  }
  return -1;
}

/** Characters with a special meaning at the start of a value; `-`, `?` and `:` only with a space after them. */
const indicators = '-?:[]{},#&*!%@`';

/** Rejects characters that YAML does not allow at the start of a plain scalar; true if it did. */
function refuseStart(reading: Reading, { from, to }: Span): boolean {
  const { text } = reading.source;
  const character = text.charAt(from);
  if (!indicators.includes(character)) return false;
  const range = { start: from, end: findPlainEnd(text, { from, to }) };
  const word = text.slice(range.start, range.end);
  const isAlone = from + 1 >= range.end || isBlank(text[from + 1]);
  if (character === '[' || character === '{' || (character === '-' && isAlone)) {
    const brace = text.startsWith('{{', from) ? 'template' : 'object';
    const kind = character === '{' ? brace : 'list';
    addProblem(reading, range, (place) => kpatchProblems.create('kpatch-value-not-scalar', { word, kind }, place));
    return true;
  }
  if ('-?:'.includes(character) && !isAlone) return false;
  const name = specialStarts.get(character);
  refuseSyntax(reading, {
    reason:
      name === undefined
        ? `${quote(word)} starts with ${quote(character)}, which is not allowed in an unquoted value`
        : `${quote(word)} is a YAML ${name}, which .kpatch files do not support`,
    hint: `quote the value to use it as a string: ${showQuoted(word)}`,
    range,
  });
  return true;
}

const specialStarts: ReadonlyMap<string, string> = new Map([
  ['&', 'anchor'],
  ['*', 'alias'],
  ['!', 'tag'],
]);

function showQuoted(word: string): string {
  return `\`'${sample(word.replaceAll("'", "''"))}'\``;
}

/** Parses a value into a template; `undefined` if a variable in it is not closed, which is reported. */
function makeScalar(
  reading: Reading,
  value: string,
  { style, range }: Pick<ScalarValue, 'style'> & { readonly range: Range },
): ScalarValue | undefined {
  const template = parseTemplate(value);
  if (template.unclosed !== undefined) {
    refuseSyntax(reading, explainUnclosedVariable(findUnclosed(reading.source.text, range, template)));
    return undefined;
  }
  return { type: 'scalar', template, style, location: locate(reading, range) };
}

/** Location of the unclosed `${`; the whole value if escapes hide it. */
function findUnclosed(text: string, range: Range, template: Template): Range {
  const written = text.slice(range.start, range.end).split('${');
  const meant = template.text.split('${');
  const before = template.text.slice(0, template.unclosed).split('${').length;
  if (written.length !== meant.length) return range;
  const start = range.start + written.slice(0, before).join('${').length;
  return { start, end: start + 2 };
}

interface BlockHeader {
  readonly folded: boolean;
  readonly chomp: '' | '-' | '+';
  /** Indentation from the block header; 0 if the first non-empty line determines it. */
  readonly indent: number;
}

/** A multi-line string that starts with `|` or `>`. */
interface Block extends BlockHeader {
  /** The resulting string. */
  readonly text: string;
  /** Lines without their indentation. Trailing empty lines are included only if they are kept. */
  readonly lines: readonly string[];
  /** Offset after the last of these lines; 0 if there are none. */
  readonly end: number;
}

/** Reads the lines indented deeper than the entry, whose own line has `parent` leading spaces and is already read. */
function readBlock(reading: Reading, header: BlockHeader, parent: number): Block {
  const { text } = reading.source;
  const { starts, ends } = reading.lines;
  const first = reading.line;
  const indent = header.indent > 0 ? parent + header.indent : findIndent(reading, parent);
  const lines: string[] = [];
  /** Number of lines up to the last non-empty one. */
  let filled = 0;
  for (let line = first; line < starts.length; line += 1) {
    const start = starts[line]!;
    const end = ends[line]!;
    const content = skipBlanks(text, { from: start, to: end });
    const spaces = Math.min(countSpaces(text, start, end), indent);
    const isEmpty = content === end && (spaces < indent || start + spaces === end);
    if (!isEmpty && content - start <= parent) break;
    if (!isEmpty && spaces < indent) refuseIndentation(reading, { start, content, indent });
    refuseControl(reading, { start, end });
    lines.push(isEmpty ? '' : text.slice(start + spaces, end));
    if (!isEmpty) filled = lines.length;
  }
  const trailing = lines.length - filled;
  if (header.chomp !== '+') lines.length = filled;
  reading.line = first + lines.length;
  return {
    ...header,
    text: joinLines(lines.slice(0, filled), header.folded) + endLines(header, { filled, trailing }),
    lines,
    end: lines.length === 0 ? 0 : ends[first + lines.length - 1]!,
  };
}

/** Skips the lines of a block whose header is invalid, so that they are not parsed as entries. */
function passBlock(reading: Reading, parent: number): void {
  const { text } = reading.source;
  const { starts, ends } = reading.lines;
  for (let line = reading.line; line < starts.length; line += 1) {
    const content = skipBlanks(text, { from: starts[line]!, to: ends[line]! });
    if (content === ends[line]!) continue;
    if (content - starts[line]! <= parent) return;
    reading.line = line + 1;
  }
}

/** Indentation of the first non-empty line. A longer empty line before it is an error because the indentation is then ambiguous. */
function findIndent(reading: Reading, parent: number): number {
  const { text } = reading.source;
  const { starts, ends } = reading.lines;
  let longest = { start: 0, end: 0 };
  for (let line = reading.line; line < starts.length; line += 1) {
    const start = starts[line]!;
    const end = ends[line]!;
    const spaces = countSpaces(text, start, end);
    if (skipBlanks(text, { from: start, to: end }) === end) {
      if (spaces > longest.end - longest.start) longest = { start, end: start + spaces };
      continue;
    }
    if (spaces <= parent) break;
    if (longest.end - longest.start > spaces) {
      refuseSyntax(reading, {
        reason: 'an empty line has more leading spaces than the first line of the multi-line string',
        hint: 'remove the spaces from the empty line, or set the indentation in the block header, as in `|2`',
        range: longest,
      });
    }
    return spaces;
  }
  return Math.max(parent + 1, longest.end - longest.start);
}

function countSpaces(text: string, start: number, end: number): number {
  let offset = start;
  while (offset < end && text[offset] === ' ') offset += 1;
  return offset - start;
}

interface BadLine {
  readonly start: number;
  readonly content: number;
  readonly indent: number;
}

function refuseIndentation(reading: Reading, { start, content, indent }: BadLine): void {
  const tab = reading.source.text.slice(start, content).indexOf('\t');
  if (tab === -1) {
    refuseSyntax(reading, {
      reason: `this line is indented by ${content - start} spaces, but its multi-line string by ${indent}`,
      hint: `indent it by ${indent} spaces, or like the key if the string ends above`,
      range: { start: content, end: content + 1 },
    });
  } else {
    const hint = 'use spaces';
    const range = { start: start + tab, end: start + tab + 1 };
    refuseSyntax(reading, { reason: 'a multi-line string cannot be indented with tabs', hint, range });
  }
}

function endLines(
  { chomp }: BlockHeader,
  { filled, trailing }: { readonly filled: number; readonly trailing: number },
): string {
  if (chomp === '+') return '\n'.repeat(trailing + (filled > 0 ? 1 : 0));
  return chomp === '' && filled > 0 ? '\n' : '';
}

/** As in YAML, folded lines are joined with a space, except around empty lines and lines that are indented further. */
function joinLines(lines: readonly string[], folded: boolean): string {
  if (!folded) return lines.join('\n');
  let text = '';
  let breaks = 0;
  let isStarted = false;
  let wasSpaced = false;
  for (const line of lines) {
    if (line !== '') {
      const isSpaced = isBlank(line[0]);
      if (!isStarted || isSpaced || wasSpaced) text += '\n'.repeat(breaks);
      else text += breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
      text += line;
      isStarted = true;
      wasSpaced = isSpaced;
      breaks = 0;
    }
    breaks += 1;
  }
  return text;
}

/** The comment after a header or value; `undefined` if something else follows, which is reported. */
export function readTrailing(
  reading: Reading,
  { from, to, after }: Span & { readonly after: string },
): string | undefined {
  const { text } = reading.source;
  const start = skipBlanks(text, { from, to });
  const end = trimBlanks(text, { from: start, to });
  const isComment = text[start] === '#';
  if (start === to || (isComment && start > from)) return text.slice(start, end);
  refuseSyntax(reading, {
    reason: isComment
      ? `a space is missing between ${after} and the comment`
      : `unexpected ${quote(text.slice(start, end))} after ${after}`,
    hint: isComment ? 'put a space before the `#`' : 'remove it; only a comment may follow on this line',
    range: { start, end },
  });
  return undefined;
}

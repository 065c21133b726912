import { quote } from '../../diagnostics/index.ts';
import type { Range } from '../../model/index.ts';
import { parseTemplate } from '../../parameters/index.ts';
import type { Template } from '../../parameters/index.ts';
import type { ScalarValue } from '../patch.ts';
import {
  COLON,
  DOLLAR,
  findVariableEnd,
  HASH,
  isBlank,
  isBlankOrEnd,
  isQuote,
  skipBlanks,
  trimBlanks,
} from './characters.ts';
import type { Span } from './characters.ts';
import { createCursor, sample } from './cursor.ts';
import { kpatchProblems } from './problems.ts';
import { passBlock, readBlock } from './read-block.ts';
import type { Block } from './read-block.ts';
import { explainUnclosedVariable } from './read-name.ts';
import { readQuoted } from './read-quoted.ts';
import { readTrailing } from './read-trailing.ts';
import { countProblems, hasRoom, locate, refuseSyntax } from './reading.ts';
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
  const code = text.charCodeAt(start);
  if (start === to || (code === HASH && start > from)) {
    const value = makeScalar(reading, { text: '', style: 'plain', range: { start: from, end: from } });
    return { value, written: '', block: undefined, comment: text.slice(start, trimBlanks(text, { from: start, to })) };
  }
  if (isQuote(code)) return readQuotedValue(reading, { from: start, to });
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
    value: makeScalar(reading, { text: value, style: 'quoted', range }),
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
  if (rest < to && !(text.charCodeAt(rest) === HASH && rest > end)) {
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
  const known = countProblems(reading);
  const block = readBlock(reading, header, indent);
  if (countProblems(reading) > known) return nothing;
  const range = { start: from, end: Math.max(end, block.end) };
  return {
    value: makeScalar(reading, { text: block.text, style: 'block', range }),
    written,
    block,
    comment: text.slice(rest, trimBlanks(text, { from: rest, to })),
  };
}

interface PlainValue {
  readonly value: ScalarValue | undefined;
  readonly written: string;
  readonly block: undefined;
  readonly comment: string;
}

/** Reads an unquoted value; `undefined` if there is a problem, which is reported. */
function readPlain(reading: Reading, { from, to }: Span): PlainValue | undefined {
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
    value: makeScalar(reading, { text: written, style: 'plain', range: { start: from, end } }),
    written,
    block: undefined,
    comment: text.slice(comment, trimBlanks(text, { from: comment, to })),
  };
}

/** End of an unquoted value: before a comment or trailing spaces. A variable is never split. */
function findPlainEnd(text: string, { from, to }: Span): number {
  if (!text.slice(from, to).includes('#')) return trimBlanks(text, { from, to });
  let hasVariables = true;
  for (let pos = from; pos < to; pos += 1) {
    const code = text.charCodeAt(pos);
    if (code === HASH && pos > from && isBlank(text.charCodeAt(pos - 1))) return trimBlanks(text, { from, to: pos });
    if (code !== DOLLAR || !hasVariables) continue;
    const end = findVariableEnd(text, { from: pos, to });
    if (end === -1) hasVariables = false;
    else pos = Math.max(pos, end - 1);
  }
  return trimBlanks(text, { from, to });
}

function findMappingColon(text: string, { from, to }: Span): number {
  let hasVariables = true;
  for (let pos = from; pos < to; pos += 1) {
    const code = text.charCodeAt(pos);
    if (code === COLON && (pos + 1 === to || isBlankOrEnd(text.charCodeAt(pos + 1)))) return pos;
    if (code !== DOLLAR || !hasVariables) continue;
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
  const isAlone = from + 1 >= range.end || isBlank(text.charCodeAt(from + 1));
  if (character === '[' || character === '{' || (character === '-' && isAlone)) {
    const brace = text.startsWith('{{', from) ? 'template' : 'object';
    const kind = character === '{' ? brace : 'list';
    if (hasRoom(reading)) {
      const location = locate(reading, range);
      reading.problems.push(kpatchProblems.create('kpatch-value-not-scalar', { word, kind }, { location }));
    }
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

interface ScalarParts {
  readonly text: string;
  readonly style: ScalarValue['style'];
  /** As written. */
  readonly range: Range;
}

/** Parses a value into a template; `undefined` if a variable in it is not closed, which is reported. */
function makeScalar(reading: Reading, { text, style, range }: ScalarParts): ScalarValue | undefined {
  const template = parseTemplate(text);
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

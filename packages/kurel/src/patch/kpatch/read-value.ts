import { quote } from '../../diagnostics/index.ts';
import type { ScalarValue } from '../patch.ts';
import { HASH, isQuote, skipBlanks, trimBlanks } from './characters.ts';
import type { Span } from './characters.ts';
import { createCursor } from './cursor.ts';
import { makeScalar } from './make-scalar.ts';
import { passBlock, readBlock } from './read-block.ts';
import type { Block } from './read-block.ts';
import { findPlainEnd, readPlain, showQuoted } from './read-plain.ts';
import { readQuoted } from './read-quoted.ts';
import { readTrailing } from './read-trailing.ts';
import { countProblems, refuseSyntax } from './reading.ts';
import type { Reading } from './reading.ts';

export interface ReadValue {
  /** Nothing when a problem was reported. */
  readonly value: ScalarValue | undefined;
  /** As it was written on the line of the key; for a block its header. */
  readonly written: string;
  readonly block: Block | undefined;
  /** With its `#`; empty when there is none. */
  readonly comment: string;
}

/** Of a value that is missing or was refused. */
export const nothing: ReadValue = { value: undefined, written: '', block: undefined, comment: '' };

/** Reads what stands after the colon of an entry that has `indent` blanks in front, and the lines below that belong to it. */
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
      reason: `${quote(word)} is not a valid start of a text of several lines`,
      hint: `after \`${text[from]!}\` only \`+\` or \`-\` and a digit from 1 to 9 may stand; otherwise quote the value: ${showQuoted(word)}`,
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

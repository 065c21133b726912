import { quote as quoteWord } from '../../diagnostics/index.ts';
import { BACKSLASH, SINGLE_QUOTE } from './characters.ts';
import { refuse } from './cursor.ts';
import type { Cursor } from './cursor.ts';

/** Reads a YAML quoted string, from its opening quote to after the closing one. It must end on the same line. */
export function readQuoted(cursor: Cursor): string | undefined {
  const { text, end, pos: open } = cursor;
  const quote = text.charCodeAt(open);
  let value = '';
  let chunk = open + 1;
  for (let pos = chunk; pos < end;) {
    const code = text.charCodeAt(pos);
    if (code === quote) {
      value += text.slice(chunk, pos);
      cursor.pos = pos + 1;
      if (quote !== SINGLE_QUOTE || text.charCodeAt(pos + 1) !== SINGLE_QUOTE || pos + 1 >= end) return value;
      // A doubled quote is one quote in the string: the second one starts the next piece.
      chunk = pos + 1;
      pos += 2;
    } else if (code === BACKSLASH && quote !== SINGLE_QUOTE && pos + 1 < end) {
      const escape = readEscape(cursor, pos);
      if (escape === undefined) return undefined;
      value += text.slice(chunk, pos) + escape.value;
      chunk = escape.next;
      pos = chunk;
    } else {
      pos += 1;
    }
  }
  const character = text.charAt(open);
  return refuse(cursor, {
    reason: `\`${character}\` is not closed on the same line`,
    hint:
      quote === SINGLE_QUOTE
        ? "add the closing `'`; double a quote inside the string: `''`"
        : 'add the closing `"`; escape a quote inside the string: `\\"`',
    range: { start: open, end: open + 1 },
  });
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  [' ', ' '],
  ['"', '"'],
  ['/', '/'],
  ['\\', '\\'],
  ['N', '\x85'],
  ['_', '\xa0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

const escapeDigits: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

interface Escape {
  readonly value: string;
  readonly next: number;
}

function readEscape(cursor: Cursor, start: number): Escape | undefined {
  const { text, end } = cursor;
  const letter = text.charAt(start + 1);
  const simple = simpleEscapes.get(letter);
  if (simple !== undefined) return { value: simple, next: start + 2 };
  const digits = escapeDigits.get(letter) ?? 0;
  const next = start + 2 + digits;
  const point = next <= end ? readHex(text, start + 2, digits) : undefined;
  if (point !== undefined && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)) {
    return { value: String.fromCodePoint(point), next };
  }
  if (point !== undefined && point >= 0xd800 && point < 0xdc00 && text.startsWith('\\u', next)) {
    // JSON escapes a character outside the basic plane as a surrogate pair.
    const low = readHex(text, next + 2, 4);
    if (low !== undefined && low >= 0xdc00 && low <= 0xdfff) {
      return { value: String.fromCharCode(point, low), next: next + 6 };
    }
  }
  const shown = digits === 0 ? '' : /^[0-9a-fA-F]*/.exec(text.slice(start + 2, Math.min(next, end)))![0];
  const range = { start, end: start + 1 + String.fromCodePoint(text.codePointAt(start + 1)!).length + shown.length };
  return refuse(cursor, {
    reason: `${quoteWord(text.slice(range.start, range.end))} is not a valid escape sequence`,
    hint: 'use `\\\\` for a backslash, or single quotes, which have no escapes',
    range,
  });
}

function readHex(text: string, from: number, digits: number): number | undefined {
  const hex = text.slice(from, from + digits);
  return /^[0-9a-fA-F]+$/.test(hex) ? Number.parseInt(hex, 16) : undefined;
}

import type { SourceFile } from '../model/index.ts';
import {
  BACKSLASH,
  CR,
  DOUBLE_QUOTE,
  END,
  isBreakOrEnd,
  LF,
  SINGLE_QUOTE,
  skipByteOrderMark,
  SPACE,
  TAB,
} from './char-codes.ts';
import { skipBlanks } from './read-plain.ts';
import { isMarker } from './reading.ts';
import type { Reading } from './reading.ts';
import { refuse } from './refuse.ts';

/** Reads a quoted scalar from its opening quote; the position is then right after the closing one. */
export function readQuoted(r: Reading): string {
  const { text } = r;
  const open = r.pos;
  const quote = text.charCodeAt(open);
  let pos = open + 1;
  // Most strings have no escapes and stay on one line; they are a single slice.
  for (;;) {
    const code = text.charCodeAt(pos);
    if (code === quote) {
      if (quote === SINGLE_QUOTE && text.charCodeAt(pos + 1) === SINGLE_QUOTE) break;
      r.pos = pos + 1;
      r.contentEnd = r.pos;
      return text.slice(open + 1, pos);
    }
    if (code === BACKSLASH && quote === DOUBLE_QUOTE) break;
    if (code === LF || code === CR || code === END) break;
    pos++;
  }
  return readRichQuoted(r, { open, from: pos });
}

function readRichQuoted(r: Reading, { open, from }: { readonly open: number; readonly from: number }): string {
  const { text } = r;
  const quote = text.charCodeAt(open);
  let value = '';
  let chunk = open + 1;
  let pos = from;
  for (;;) {
    const code = text.charCodeAt(pos);
    if (code === quote) {
      value += text.slice(chunk, pos);
      if (quote === DOUBLE_QUOTE || text.charCodeAt(pos + 1) !== SINGLE_QUOTE) break;
      value += "'";
      pos += 2;
      chunk = pos;
    } else if (code === BACKSLASH && quote === DOUBLE_QUOTE) {
      value += text.slice(chunk, pos);
      if (isBreakOrEnd(text.charCodeAt(pos + 1))) {
        // An escaped break joins the lines; blanks before it are kept, blank lines after it count.
        const fold = foldLines(r, { open, from: pos + 1 });
        value += '\n'.repeat(fold.breaks - 1);
        pos = fold.next;
      } else {
        const escape = readEscape(r, pos);
        value += escape.value;
        pos = escape.next;
      }
      chunk = pos;
    } else if (code === LF || code === CR) {
      let end = pos;
      while (end > chunk && (text.charCodeAt(end - 1) === SPACE || text.charCodeAt(end - 1) === TAB)) end--;
      const fold = foldLines(r, { open, from: pos });
      value += text.slice(chunk, end) + (fold.breaks === 1 ? ' ' : '\n'.repeat(fold.breaks - 1));
      pos = fold.next;
      chunk = pos;
    } else if (code === END) {
      refuseUnclosed(r, { open, at: pos });
    } else {
      pos++;
    }
  }
  r.pos = pos + 1;
  r.contentEnd = r.pos;
  return value;
}

/** Skips line breaks, blank lines and the blanks before the next text of a quoted scalar. */
function foldLines(
  r: Reading,
  { open, from }: { readonly open: number; readonly from: number },
): { readonly breaks: number; readonly next: number } {
  const { text } = r;
  let pos = from;
  let breaks = 0;
  for (;;) {
    const code = text.charCodeAt(pos);
    if (code === END) refuseUnclosed(r, { open, at: pos });
    if (code !== LF && code !== CR) return { breaks, next: pos };
    pos += code === CR && text.charCodeAt(pos + 1) === LF ? 2 : 1;
    breaks++;
    if (isMarker(text, pos)) refuseUnclosed(r, { open, at: pos });
    r.lineStart = pos;
    pos = skipBlanks(text, pos);
  }
}

function refuseUnclosed(r: Reading, { open, at }: { readonly open: number; readonly at: number }): never {
  refuse(
    r,
    'yaml-unclosed-quote',
    { quote: r.text.charAt(open) },
    {
      range: { start: open, end: open + 1 },
      related: [{ message: 'the document ends here', range: { start: at, end: at } }],
    },
  );
}

const simpleEscapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
};

const escapeDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function readEscape(r: Reading, pos: number): { readonly value: string; readonly next: number } {
  const letter = r.text.charAt(pos + 1);
  const simple = Object.hasOwn(simpleEscapes, letter) ? simpleEscapes[letter] : undefined;
  if (simple !== undefined) return { value: simple, next: pos + 2 };
  if (letter === '/' && isJsonText(r.source)) return { value: '/', next: pos + 2 };
  const digits = Object.hasOwn(escapeDigits, letter) ? escapeDigits[letter]! : 0;
  const point = readHex(r.text, pos + 2, digits);
  const next = pos + 2 + digits;
  if (point !== undefined && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)) {
    return { value: String.fromCodePoint(point), next };
  }
  if (point !== undefined && point >= 0xd800 && point < 0xdc00 && r.text.startsWith('\\u', next)) {
    // JSON writes a character outside the basic plane as two escapes, which YAML readers in the cluster do not support.
    const low = readHex(r.text, next + 2, 4);
    if (low !== undefined && low >= 0xdc00 && low <= 0xdfff && isJsonText(r.source)) {
      return { value: String.fromCharCode(point, low), next: next + 6 };
    }
  }
  const end = digits === 0 ? pos + 2 : pos + 2 + /^[0-9a-fA-F]*/.exec(r.text.slice(pos + 2, next))![0].length;
  return refuse(r, 'yaml-bad-escape', { word: r.text.slice(pos, end) }, { range: { start: pos, end } });
}

function readHex(text: string, from: number, digits: number): number | undefined {
  const hex = text.slice(from, from + digits);
  return digits > 0 && hex.length === digits && /^[0-9a-fA-F]+$/.test(hex) ? Number.parseInt(hex, 16) : undefined;
}

// Without this cache, a text would be parsed once for each of its documents.
const answers = new WeakMap<SourceFile, boolean>();

/** Whether a text is one JSON object, which kubectl reads as JSON instead of YAML. */
export function isJsonText(source: SourceFile): boolean {
  const known = answers.get(source);
  if (known !== undefined) return known;
  const answer = parses(source.text.slice(skipByteOrderMark(source.text)));
  answers.set(source, answer);
  return answer;
}

function parses(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

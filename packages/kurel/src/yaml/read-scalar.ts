import type { Range, SourceFile } from '../model/index.ts';
import {
  BACKSLASH,
  CR,
  DASH,
  DIGIT_0,
  DIGIT_9,
  DOUBLE_QUOTE,
  END,
  HASH,
  isBreakOrEnd,
  LF,
  PIPE,
  PLUS,
  SINGLE_QUOTE,
  SPACE,
  TAB,
} from './char-codes.ts';
import { foldBreaks, skipBlanks } from './read-plain.ts';
import { endOfLine, enterLine, isMarker, passBreak, refuse, refuseRest, refuseTab, type Reading } from './reading.ts';
import { missingBreak } from './resolve-plain-scalar.ts';
import { getOrAdd } from '../budget/index.ts';

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
      value += text.slice(chunk, end) + foldBreaks(fold.breaks);
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
  const related = [{ message: 'the document ends here', range: { start: at, end: at } }];
  refuse(r, 'yaml-unclosed-quote', { range: { start: open, end: open + 1 }, related, quote: r.text.charAt(open) });
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

function readEscape(r: Reading, pos: number): Escape {
  const escape = decodeEscape(r.text, pos, () => isJsonText(r.source));
  if ('value' in escape) return escape;
  const { end } = escape;
  return refuse(r, 'yaml-bad-escape', { range: { start: pos, end }, word: r.text.slice(pos, end) });
}

interface Escape {
  readonly value: string;
  /** Offset after the escape. */
  readonly next: number;
}

/** The character of an escape in double quotes; the end of the escape if it is invalid. JSON has two escapes that YAML lacks. */
export function decodeEscape(text: string, pos: number, isJson: () => boolean): Escape | { readonly end: number } {
  const letter = text.charAt(pos + 1);
  const simple = Object.hasOwn(simpleEscapes, letter) ? simpleEscapes[letter] : undefined;
  if (simple !== undefined) return { value: simple, next: pos + 2 };
  if (letter === '/' && isJson()) return { value: '/', next: pos + 2 };
  const digits = Object.hasOwn(escapeDigits, letter) ? escapeDigits[letter]! : 0;
  const point = readHex(text, pos + 2, digits);
  const next = pos + 2 + digits;
  if (point !== undefined && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)) {
    return { value: String.fromCodePoint(point), next };
  }
  if (point !== undefined && point >= 0xd800 && point < 0xdc00 && text.startsWith('\\u', next)) {
    // JSON writes a character outside the basic plane as two escapes, which YAML readers in the cluster do not support.
    const low = readHex(text, next + 2, 4);
    if (low !== undefined && low >= 0xdc00 && low <= 0xdfff && isJson()) {
      return { value: String.fromCharCode(point, low), next: next + 6 };
    }
  }
  return { end: digits === 0 ? pos + 2 : pos + 2 + /^[0-9a-fA-F]*/.exec(text.slice(pos + 2, next))![0].length };
}

function readHex(text: string, from: number, digits: number): number | undefined {
  const hex = text.slice(from, from + digits);
  return digits > 0 && hex.length === digits && /^[0-9a-fA-F]+$/.test(hex) ? Number.parseInt(hex, 16) : undefined;
}

// Without this cache, a text would be parsed once for each of its documents.
const answers = new WeakMap<SourceFile, boolean>();

/** Whether a text is one JSON object, which kubectl reads as JSON instead of YAML; not after a byte order mark. */
export function isJsonText(source: SourceFile): boolean {
  return getOrAdd(answers, source, () => parses(source.text));
}

function parses(text: string): boolean {
  if (!/^[ \t\r\n]*\{/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const jsonNumber = /-?[0-9][-+.0-9eE]*/y;

/** The first number of a JSON text that is out of range: readers of YAML make a string of it, and kubectl rejects it. */
export function findOverflow(source: SourceFile): Range | undefined {
  const { text } = source;
  // Most texts are not JSON, and most others have no such number.
  if (!/^\s*\{/.test(text) || !/[eE]\+?[0-9]{3}|[0-9]{309}/.test(text) || !isJsonText(source)) return undefined;
  for (let pos = 0; pos < text.length; pos++) {
    if (text.charCodeAt(pos) === DOUBLE_QUOTE) pos = endOfJsonString(text, pos);
    jsonNumber.lastIndex = pos;
    const [digits] = jsonNumber.exec(text) ?? [];
    if (digits === undefined) continue;
    if (!Number.isFinite(Number(digits))) return { start: pos, end: pos + digits.length };
    pos += digits.length - 1;
  }
  return undefined;
}

/** The closing quote. */
function endOfJsonString(text: string, open: number): number {
  let pos = open + 1;
  while (text.charCodeAt(pos) !== DOUBLE_QUOTE) pos += text.charCodeAt(pos) === BACKSLASH ? 2 : 1;
  return pos;
}

interface Header {
  readonly folded: boolean;
  readonly chomp: 'clip' | 'strip' | 'keep';
  /** Extra indentation from the header; 0 if it has to be detected from the text. */
  readonly indent: number;
  /** Start of the line after the header. */
  readonly next: number;
}

/** Reads a literal (`|`) or folded (`>`) scalar and moves on to the next content. */
export function readBlockScalar(r: Reading, parent: number): string {
  const header = readHeader(r);
  const { text } = r;
  const indent = header.indent > 0 ? Math.max(parent, 0) + header.indent : findIndent(r, { from: header.next, parent });
  const plain = r.quick && !header.folded && indent > 0 ? readPlainLines(r, { header, indent }) : undefined;
  if (plain !== undefined) return plain;
  let value = '';
  /** Pending line breaks between the last line of text and the next one. */
  let breaks = 0;
  let end = header.next;
  let started = false;
  let lastWasSpaced = false;
  let pos = header.next;
  for (;;) {
    const lineStart = pos;
    while (pos - lineStart < indent && text.charCodeAt(pos) === SPACE) pos++;
    const code = text.charCodeAt(pos);
    const lineEnd = endOfLine(text, pos);
    if (isBreakOrEnd(code)) {
      if (code === END) {
        if (header.chomp === 'keep') {
          end = pos;
          // For kubectl, blanks at the end are a line.
          if (r.words.isOfCluster && pos > lineStart) {
            breaks++;
            r.words.divergent.add(missingBreak);
          }
        }
        break;
      }
      breaks++;
    } else {
      if (pos - lineStart < indent || (pos === lineStart && isMarker(text, pos))) {
        if (code === TAB) refuseTab(r, pos);
        pos = lineStart;
        break;
      }
      const spaced = code === SPACE || code === TAB;
      const isFolded = header.folded && started && !spaced && !lastWasSpaced;
      value += (isFolded ? foldBreaks(breaks) : '\n'.repeat(breaks)) + text.slice(pos, lineEnd);
      lastWasSpaced = spaced;
      started = true;
      breaks = 1;
    }
    const next = passBreak(text, lineEnd);
    const content = !isBreakOrEnd(code);
    if (content || header.chomp === 'keep') end = next;
    if (content && text.charCodeAt(lineEnd) === END) {
      // kubectl adds a final line break to the text before it parses it; kustomize does not.
      if (!r.words.isOfCluster) breaks = 0;
      else if (header.chomp !== 'strip') r.words.divergent.add(missingBreak);
    }
    pos = next;
    if (text.charCodeAt(lineEnd) === END) break;
  }
  r.contentEnd = end;
  r.passedComment = false;
  enterLine(r, pos);
  if (header.chomp === 'keep') return value + '\n'.repeat(breaks);
  return header.chomp === 'clip' && started && breaks > 0 ? `${value}\n` : value;
}

/**
 * Reads a literal scalar whose lines are all indented or blank and that is followed by other content: as one slice, which is
 * many times as fast as line by line. Undefined if it does not qualify; nothing is consumed then.
 */
function readPlainLines(
  r: Reading,
  { header, indent }: { readonly header: Header; readonly indent: number },
): string | undefined {
  const { text } = r;
  const margin = ' '.repeat(indent);
  let pos = header.next;
  let end = pos;
  for (;;) {
    const isIndented = text.startsWith(margin, pos);
    if (!isIndented && text.charCodeAt(pos) !== LF) break;
    const lineEnd = text.indexOf('\n', pos);
    if (lineEnd === -1) return undefined;
    const isEmpty = !isIndented || pos + indent === lineEnd;
    pos = lineEnd + 1;
    if (!isEmpty || header.chomp === 'keep') end = pos;
  }
  const after = text.charCodeAt(skipBlanks(text, pos));
  if (end === header.next || isBreakOrEnd(after)) return undefined;
  r.contentEnd = end;
  r.passedComment = false;
  enterLine(r, pos);
  const lines = text.slice(header.next - 1, header.chomp === 'strip' ? end - 1 : end);
  return lines.split(`\n${margin}`).join('\n').slice(1);
}

function readHeader(r: Reading): Header {
  const { text } = r;
  const start = r.pos;
  let pos = start + 1;
  let chomp: Header['chomp'] | undefined;
  let indent = 0;
  for (;;) {
    const code = text.charCodeAt(pos);
    if ((code === PLUS || code === DASH) && chomp === undefined) chomp = code === PLUS ? 'keep' : 'strip';
    else if (code > DIGIT_0 && code <= DIGIT_9 && indent === 0) indent = code - DIGIT_0;
    else break;
    pos++;
  }
  const afterBlanks = skipBlanks(text, pos);
  const code = text.charCodeAt(afterBlanks);
  if (!isBreakOrEnd(code) && !(code === HASH && afterBlanks > pos)) refuseRest(r, 'yaml-bad-block-header', start);
  const lineEnd = endOfLine(text, afterBlanks);
  return {
    folded: text.charCodeAt(start) !== PIPE,
    chomp: chomp ?? 'clip',
    indent,
    next: passBreak(text, lineEnd),
  };
}

/** The indentation of the first line with text; if there is none, that of the longest blank line. */
function findIndent(r: Reading, { from, parent }: { readonly from: number; readonly parent: number }): number {
  const { text } = r;
  // At the root the parent is -1, but kubectl and kustomize do not accept text at column 0.
  const least = Math.max(parent + 1, 1);
  let longest = 0;
  let longestAt = from;
  let pos = from;
  for (;;) {
    const lineStart = pos;
    while (text.charCodeAt(pos) === SPACE) pos++;
    const column = pos - lineStart;
    const code = text.charCodeAt(pos);
    if (code === END) return Math.max(least, longest, column);
    if (code === TAB) refuseTab(r, pos);
    if (code === LF || code === CR) {
      if (column > longest) {
        longest = column;
        longestAt = lineStart;
      }
      pos = passBreak(text, pos);
      continue;
    }
    if (column < least) return Math.max(least, longest);
    if (longest > column) {
      const range = { start: longestAt, end: longestAt + longest };
      refuse(r, 'yaml-bad-block-indentation', { range, column: longest, expected: column });
    }
    return column;
  }
}

import type { Json } from '../model/index.ts';
import {
  COLON,
  CR,
  DASH,
  DOUBLE_QUOTE,
  END,
  HASH,
  isBreakOrEnd,
  isFlowIndicator,
  isSpaceOrEnd,
  LF,
  OPEN_BRACE,
  QUESTION,
  SINGLE_QUOTE,
  SPACE,
  TAB,
} from './char-codes.ts';
import { moveToContent, refuseTab, refuse, refuseRest, restOfLine, wordIn } from './reading.ts';
import type { Reading } from './reading.ts';
import { resolvePlainScalar } from './resolve-plain-scalar.ts';
import type { WordTable } from './resolve-plain-scalar.ts';

const indicators = '-?:,[]{}#&*!|>\'"%@`';

/** By code: 1 if the character starts a plain scalar regardless of the next one. */
const startsAlways = new Uint8Array(128).fill(1, 0x21, 0x7f);
for (const indicator of indicators) startsAlways[indicator.charCodeAt(0)] = 0;

export function startsPlainAlways(code: number): boolean {
  return code < 128 ? startsAlways[code] === 1 : true;
}

/** Whether a plain scalar starts here: `-`, `?` and `:` start one if they are not followed by a blank. */
export function startsPlain(text: string, pos: number, inFlow: boolean): boolean {
  const code = text.charCodeAt(pos);
  if (startsPlainAlways(code)) return true;
  if (code !== DASH && code !== QUESTION && code !== COLON) return false;
  const next = text.charCodeAt(pos + 1);
  // Inside brackets, kubectl and kustomize treat every `?` and `:` as an indicator.
  return !isSpaceOrEnd(next) && !(inFlow && (code !== DASH || isFlowIndicator(next)));
}

/**
 * Reads a plain scalar in block context from its first character, and moves on to the next content. Lines
 * indented further than `parent` continue it.
 */
export function readBlockPlain(r: Reading, parent: number): string {
  const { text } = r;
  const start = r.pos;
  const first = readPlainLine(r);
  r.contentEnd = r.pos;
  let code = text.charCodeAt(r.pos);
  while (code === SPACE || code === TAB) code = text.charCodeAt(++r.pos);
  if (code === COLON) refuseRest(r, 'yaml-nested-mapping', start);
  moveToContent(r);
  if (r.column <= parent) return first;
  return continueBlockPlain(r, { parent, first, start });
}

function continueBlockPlain(
  r: Reading,
  { parent, first, start }: { readonly parent: number; readonly first: string; readonly start: number },
): string {
  let value = first;
  while (r.column > parent && !r.passedComment) {
    const lineStart = r.pos;
    const breaks = countBreaks(r.text, r.contentEnd, lineStart);
    const line = readPlainLine(r);
    const lineEnd = r.pos;
    let code = r.text.charCodeAt(r.pos);
    while (code === SPACE || code === TAB) code = r.text.charCodeAt(++r.pos);
    if (code === COLON) refuseContinuedKey(r, { lineStart, start });
    value += foldBreaks(breaks) + line;
    r.contentEnd = lineEnd;
    moveToContent(r);
  }
  return value;
}

/** `a: b` and, indented below it, `c: d`: the most common mistake, so its finding shows both places. */
function refuseContinuedKey(
  r: Reading,
  { lineStart, start }: { readonly lineStart: number; readonly start: number },
): never {
  const { text } = r;
  const [range, value] = [restOfLine(r, lineStart), restOfLine(r, start)];
  let before = start;
  while (isIndent(text.charCodeAt(before - 1))) before--;
  const startsLine = before === 0 || isBreakOrEnd(text.charCodeAt(before - 1));
  const related = [{ message: 'the value starts here', range: value }];
  refuse(r, 'yaml-key-in-text', { range, related, value: wordIn(r, value), startsLine });
}

/** Characters allowed before the first key of an object. */
function isIndent(code: number): boolean {
  return code === SPACE || code === TAB || code === DASH;
}

/** Reads to the end of the scalar's part of this line; the position is then after its last character. */
function readPlainLine(r: Reading): string {
  const { text } = r;
  const start = r.pos;
  let pos = start;
  let end = start;
  for (;;) {
    const code = text.charCodeAt(pos);
    if (code > HASH && code !== COLON) {
      end = ++pos;
    } else if (code === SPACE || code === TAB) {
      pos++;
    } else if (code === COLON) {
      if (isSpaceOrEnd(text.charCodeAt(pos + 1))) break;
      end = ++pos;
    } else if (code === LF || code === CR || code === END) {
      break;
    } else if (code === HASH && end !== pos) {
      break;
    } else {
      end = ++pos;
    }
  }
  r.pos = end;
  return text.slice(start, end);
}

/** Reads a plain scalar inside brackets, possibly over several lines. The position is then right after it. */
export function readFlowPlain(r: Reading): string {
  const { text } = r;
  const first = r.pos;
  let value = '';
  let breaks = 0;
  for (;;) {
    const start = r.pos;
    const end = scanFlowPlainLine(r, start);
    if (value === '') value = text.slice(start, end);
    else value += foldBreaks(breaks) + text.slice(start, end);
    r.pos = end;
    r.contentEnd = end;
    const next = skipBlanks(text, end);
    const code = text.charCodeAt(next);
    if (code !== LF && code !== CR) {
      if (code === OPEN_BRACE) refuseReference(r, { start: first, brace: end });
      return value;
    }
    const { lineStart } = r;
    r.pos = next;
    moveToContent(r);
    if (r.tabColumn <= r.flowParent) refuseTab(r, r.tabAt);
    const follow = text.charCodeAt(r.pos);
    const goesOn =
      !r.passedComment &&
      r.column >= 0 &&
      !isFlowIndicator(follow) &&
      !(follow === COLON && isEndOfFlowColon(text.charCodeAt(r.pos + 1)));
    if (!goesOn) {
      r.pos = end;
      r.lineStart = lineStart;
      return value;
    }
    breaks = countBreaks(text, end, r.pos);
  }
}

// The rest of a scalar with references or placeholders in it, up to its end inside brackets.
const withReferences =
  /^(?:\$\{[^{}\r\n\0]*\}|.\{[A-Za-z][\w-]*\})(?:\$\{[^{}\r\n\0]*\}|\{[A-Za-z][\w-]*\}|:(?![\s,[\]{}\0])|(?<=\S)#|[^,[\]{}:#\r\n\0])*/s;
const longestShown = 1000;

function refuseReference(r: Reading, { start, brace }: { readonly start: number; readonly brace: number }): void {
  const match = withReferences.exec(r.text.slice(brace - 1, brace + longestShown));
  if (match === null) return;
  refuse(r, 'yaml-unquoted-reference', { range: { start, end: brace - 1 + match[0].trimEnd().length } });
}

function scanFlowPlainLine(r: Reading, from: number): number {
  const { text } = r;
  let pos = from;
  let end = from;
  for (;;) {
    const code = text.charCodeAt(pos);
    if (code === SPACE || code === TAB) {
      pos++;
      continue;
    }
    if (code === LF || code === CR || code === END || isFlowIndicator(code)) return end;
    if (code === HASH && end !== pos) return end;
    if (code === COLON && isSpaceOrEnd(text.charCodeAt(pos + 1))) return end;
    // kubectl and kustomize end the scalar at a `?`, and treat a colon before a comma or bracket as part of it.
    if (code === QUESTION || (code === COLON && isFlowIndicator(text.charCodeAt(pos + 1)))) {
      refuse(r, 'yaml-unquoted-in-brackets', { range: { start: from, end: pos + 1 }, character: text.charAt(pos) });
    }
    end = ++pos;
  }
}

/** Inside brackets, a colon before a bracket or comma also ends a plain key: `{a:}`, `[a:, b]`. */
export function isEndOfFlowColon(next: number): boolean {
  return isSpaceOrEnd(next) || isFlowIndicator(next);
}

export function skipBlanks(text: string, from: number): number {
  let pos = from;
  let code = text.charCodeAt(pos);
  while (code === SPACE || code === TAB) code = text.charCodeAt(++pos);
  return pos;
}

/** One line break between two lines of text is a space; of several, the first does not count. */
export function foldBreaks(breaks: number): string {
  return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
}

/** Line breaks between two offsets; `\r\n` counts as one. */
function countBreaks(text: string, from: number, to: number): number {
  let breaks = 0;
  for (let pos = from; pos < to; pos++) {
    const code = text.charCodeAt(pos);
    if (code === LF || (code === CR && text.charCodeAt(pos + 1) !== LF)) breaks++;
  }
  return breaks;
}

// Most lines of most manifests are just `key: value`, `key:`, `- key: value` or `- value`. A regular expression recognises them
// at machine-code speed from the first line on, long before the functions that read everything else are compiled.

// One or more words without special characters, or a quoted string without escapes.
const scalar = String.raw`(?:[A-Za-z0-9_/][^\s\0:#]*(?:[: ][^\s\0:#]+)*|"[^"\\\r\n\0]*"|'[^'\r\n\0]*')`;

// The next line has content or is the marker of the next document.
const next = String.raw`\n(?: +(?=[^\s\0#])|(?=[^\s\0#.-]|- |---\n))`;

const entryLine = new RegExp(String.raw`[A-Za-z_][\w./-]*:(?: ${scalar})?${next}`, 'y');
const itemLine = new RegExp(`- ${scalar}${next}`, 'y');

/** Longer lines are not matched, because the memory for matching grows with the line. */
const longestLine = 1000;

/**
 * The start of the content after the entry that starts here, or -1 if it is not a plain line up to its end. `lineEnd` is the
 * result of `indexOf` for the next line feed.
 */
export function passEntryLine(text: string, start: number, lineEnd: number): number {
  if (lineEnd === -1 || lineEnd - start > longestLine) return -1;
  entryLine.lastIndex = start;
  return entryLine.test(text) ? entryLine.lastIndex : -1;
}

/** Like `passEntryLine`, from the dash of an item that is a scalar. */
export function passItemLine(text: string, start: number, lineEnd: number): number {
  if (lineEnd === -1 || lineEnd - start > longestLine) return -1;
  itemLine.lastIndex = start;
  return itemLine.test(text) ? itemLine.lastIndex : -1;
}

/** The value of a scalar on a plain line. Positional arguments for speed, because most values come here. */
export function readLineScalar(text: string, start: number, end: number, words: WordTable): Json {
  const code = text.charCodeAt(start);
  if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) return text.slice(start + 1, end - 1);
  return resolvePlainScalar(text.slice(start, end), words);
}

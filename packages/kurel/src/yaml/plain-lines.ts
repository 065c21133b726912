import type { Json } from '../model/index.ts';
import { DOUBLE_QUOTE, SINGLE_QUOTE } from './char-codes.ts';
import { resolvePlainScalar, type WordTable } from './resolve-plain-scalar.ts';

// Most lines of most manifests are `key: value`, `key:`, `- key: value` or `- value` and nothing else. An expression finds that
// out at the speed of machine code from the first line on, long before the functions that read everything else are compiled.

// A word or words without anything that could mean more, or quotes without escapes.
const scalar = String.raw`(?:[A-Za-z0-9_/][^\s\0:#]*(?:[: ][^\s\0:#]+)*|"[^"\\\r\n\0]*"|'[^'\r\n\0]*')`;

// The line after it has content, or is the marker of the next document.
const next = String.raw`\n(?: +(?=[^\s\0#])|(?=[^\s\0#.-]|- |---\n))`;

const entryLine = new RegExp(String.raw`[A-Za-z_][\w./-]*:(?: ${scalar})?${next}`, 'y');
const itemLine = new RegExp(`- ${scalar}${next}`, 'y');

/** Beyond this the expressions are not tried: what they remember while they look grows with the line. */
const longestLine = 1000;

/**
 * The start of the content after the entry that starts here, or -1 when it is not a plain line to its end. `lineEnd` is what
 * `indexOf` gives for the next line feed.
 */
export function passEntryLine(text: string, start: number, lineEnd: number): number {
  if (lineEnd === -1 || lineEnd - start > longestLine) return -1;
  entryLine.lastIndex = start;
  return entryLine.test(text) ? entryLine.lastIndex : -1;
}

/** As `passEntryLine`, from the dash of an item that is a scalar. */
export function passItemLine(text: string, start: number, lineEnd: number): number {
  if (lineEnd === -1 || lineEnd - start > longestLine) return -1;
  itemLine.lastIndex = start;
  return itemLine.test(text) ? itemLine.lastIndex : -1;
}

/** The value of a scalar on a plain line. One argument each, as most values come here. */
export function readLineScalar(text: string, start: number, end: number, words: WordTable): Json {
  const code = text.charCodeAt(start);
  if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) return text.slice(start + 1, end - 1);
  return resolvePlainScalar(text.slice(start, end), words);
}

import type { Severity } from '../model/index.ts';

// First and last code points of the ranges that terminals draw over two columns: East Asian Wide and Fullwidth, and the
// blocks of emoji. Whole blocks are precise enough: a caret may be one column off under a rare symbol.
const wide: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x2329, 0x232a],
  [0x23e9, 0x23ec],
  [0x23f0, 0x23f0],
  [0x23f3, 0x23f3],
  [0x25fd, 0x25fe],
  [0x2614, 0x2615],
  [0x2648, 0x2653],
  [0x267f, 0x267f],
  [0x2693, 0x2693],
  [0x26a1, 0x26a1],
  [0x26aa, 0x26ab],
  [0x26bd, 0x26be],
  [0x26c4, 0x26c5],
  [0x26ce, 0x26ce],
  [0x26d4, 0x26d4],
  [0x26ea, 0x26ea],
  [0x26f2, 0x26f3],
  [0x26f5, 0x26f5],
  [0x26fa, 0x26fa],
  [0x26fd, 0x26fd],
  [0x2705, 0x2705],
  [0x270a, 0x270b],
  [0x2728, 0x2728],
  [0x274c, 0x274c],
  [0x274e, 0x274e],
  [0x2753, 0x2755],
  [0x2757, 0x2757],
  [0x2795, 0x2797],
  [0x27b0, 0x27b0],
  [0x27bf, 0x27bf],
  [0x2b1b, 0x2b1c],
  [0x2b50, 0x2b50],
  [0x2b55, 0x2b55],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f004, 0x1f004],
  [0x1f0cf, 0x1f0cf],
  [0x1f18e, 0x1f18e],
  [0x1f191, 0x1f19a],
  [0x1f200, 0x1f320],
  [0x1f32d, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f7e0, 0x1f7f0],
  [0x1f90c, 0x1f9ff],
  [0x1fa70, 0x1faff],
  [0x20000, 0x3fffd],
];

const withoutWidth = /^[\p{Mn}\p{Me}]$/u;

/** Columns that a terminal uses for one character: 0, 1 or 2. */
export function characterWidth(character: string): 0 | 1 | 2 {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (withoutWidth.test(character)) return 0;
  return isWide(code) ? 2 : 1;
}

function isWide(code: number): boolean {
  let low = 0;
  let high = wide.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = wide[middle]!;
    if (code < first) high = middle - 1;
    else if (code > last) low = middle + 1;
    else return true;
  }
  return false;
}

interface WrapOptions {
  /** Columns of a line. */
  readonly width: number;
  /** Columns of the first line that are already in use. */
  readonly taken?: number;
}

/** Wraps text at spaces; keeps its line breaks and never breaks a word. */
export function wrapText(text: string, { width, taken = 0 }: WrapOptions): string[] {
  if (width === Infinity) return text.split('\n');
  const lines: string[] = [];
  let used = taken;
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      const columns = countColumns(word);
      if (line !== '' && used + 1 + columns > width) {
        lines.push(line);
        line = word;
        used = columns;
      } else {
        used += line === '' ? columns : columns + 1;
        line = line === '' ? word : `${line} ${word}`;
      }
    }
    lines.push(line);
    used = 0;
  }
  return lines;
}

/** Columns of a terminal. */
export function countColumns(text: string): number {
  let columns = 0;
  for (const character of text) columns += characterWidth(character);
  return columns;
}

type Style = 'bold' | 'frame' | Severity;

/**
 * Select Graphic Rendition codes: bold, in red or magenta. Both are readable on white and on black; yellow and cyan are not on white,
 * and blue is not on black.
 */
export const severityCodes: Readonly<Record<Severity, string>> = { error: '1;31', warning: '1;35', note: '1' };

// Bold and dim.
const codes: Readonly<Record<Style, string>> = { ...severityCodes, bold: '1', frame: '2' };

export type Paint = (style: Style, text: string) => string;

/** Colours text for a terminal, or returns it unchanged; nothing else in the output may depend on colour. */
export function createPaint(color: boolean): Paint {
  return color ? (style, text) => `\u001b[${codes[style]}m${text}\u001b[0m` : (_, text) => text;
}

interface ColorQuestion {
  readonly isTerminal: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** `NO_COLOR` (no-color.org) takes precedence over `FORCE_COLOR`, which takes precedence over the terminal. */
export function shouldUseColor({ isTerminal, environment }: ColorQuestion): boolean {
  if (isSet(environment['NO_COLOR'])) return false;
  const force = environment['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTerminal && environment['TERM'] !== 'dumb';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

import type { Severity } from '../model/index.ts';

// What terminals draw over two columns: East Asian Wide and Fullwidth, and emoji except the letters of flags. Whole blocks are precise enough:
// a caret may be one column off under a rare symbol.
const wideCharacters = [
  String.raw`\p{Emoji_Presentation}\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3`,
  String.raw`\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f320}`,
  String.raw`\u{1f32d}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f7e0}-\u{1f7f0}\u{1f90c}-\u{1f9ff}\u{1fa70}-\u{1faff}\u{20000}-\u{3fffd}`,
];

/** Created on first use, because most texts are plain ASCII. */
let wide: RegExp | undefined;

/** Columns that a terminal uses for one character: 0, 1 or 2. */
export function characterWidth(character: string): 0 | 1 | 2 {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (/^[\p{Mn}\p{Me}]$/u.test(character)) return 0;
  wide ??= new RegExp(`^(?!\\p{RI})[${wideCharacters.join('')}]$`, 'u');
  return wide.test(character) ? 2 : 1;
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
  if (environment['NO_COLOR']) return false;
  const force = environment['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTerminal && environment['TERM'] !== 'dumb';
}

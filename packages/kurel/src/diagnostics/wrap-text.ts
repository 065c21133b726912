import { characterWidth } from './character-width.ts';

export interface WrapOptions {
  /** Columns of a line. */
  readonly width: number;
  /** Columns of the first line that hold something else already. */
  readonly taken?: number;
}

/** Lines that are broken at spaces to fit; line breaks of the text stay, and no word is broken. */
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

function countColumns(word: string): number {
  let columns = 0;
  for (const character of word) columns += characterWidth(character);
  return columns;
}

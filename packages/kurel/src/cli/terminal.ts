import { countColumns, quote, shouldUseColor, wrapText } from '../diagnostics/index.ts';
import type { Environment } from './environment.ts';

/** The columns of the terminal; `undefined` for a file or pipe, and if the terminal does not report its size. */
export function terminalWidth(
  { stderrIsTerminal, columns }: Environment,
  isTerminal = stderrIsTerminal,
): number | undefined {
  // Some terminals report 0.
  return isTerminal ? columns?.() || undefined : undefined;
}

/** The columns of stdout, limited to a width that is comfortable to read. */
export function readingWidth(environment: Environment): number | undefined {
  const width = terminalWidth(environment, environment.stdoutIsTerminal);
  return width === undefined ? undefined : Math.min(widest, Math.max(narrowest, width));
}

/** For text that goes to a file or pipe. */
export const widest = 100;
const narrowest = 60;

const hanging = 4;

/** Wraps a line to fit the terminal; continuation lines are indented below its start. */
export function fitLine(line: string, width: number | undefined): readonly string[] {
  if (width === undefined || countColumns(line) <= width) return [line];
  // A mark stays with the word after it.
  const [start, indent = ''] = /^( *)(?:[-+~✓→] )?/.exec(line)!;
  const inner = indent.length + hanging;
  const room = Math.max(narrowestPart, width - inner);
  const [first = '', ...rest] = wrapWords(line.slice(start.length), room, start.length - inner);
  return [`${start}${first}`.trimEnd(), ...rest.map((part) => `${' '.repeat(inner)}${part.trim()}`)];
}

const narrowestPart = 20;

/** Wraps text between words, before arrows rather than after them; long words such as paths are broken after punctuation. */
export function wrapWords(text: string, width: number, taken = 0): readonly string[] {
  const words = text.replaceAll(/([→←]) /g, '$1\u00A0').split(' ');
  const parts = words.flatMap((word) => breakWord(word, width));
  return wrapText(parts.join(' '), { width, taken }).map((line) => line.replaceAll(/([→←])\u00A0/g, '$1 '));
}

function breakWord(word: string, width: number): readonly string[] {
  const parts: string[] = [];
  let part = '';
  for (const character of word) {
    if (countColumns(`${part}${character}`) > width) {
      const ends = [/^.*[/,[]/s, /^.*[.=-]/s].map((start) => start.exec(part)?.[0].length ?? 0);
      const cut = ends.find((end) => end > part.length / 2) ?? part.length;
      parts.push(part.slice(0, cut));
      part = part.slice(cut);
    }
    part += character;
  }
  return [...parts, part];
}

const widestColumn = 200;

/** The width of a column of a table. A cell that is longer moves only its own line, because a table may have thousands of lines. */
export function columnWidth(cells: readonly string[], least = 0): number {
  return cells.reduce((most, { length }) => (length > widestColumn ? most : Math.max(most, length)), least);
}

export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, Math.max(0, most - 1))}…` : text;
}

/** Cuts the middle of a line that is too long, so that its end can be read. */
export function cutMiddle(line: string, width: number): string {
  const characters = Array.from(line);
  let columns = countColumns(line);
  if (columns <= width) return line;
  let start = Math.floor(characters.length / 2);
  let end = start;
  for (columns += 1; columns > width && start > 0;) {
    const isEven = (end - start) % 2 === 0;
    columns -= countColumns(characters[isEven ? (start -= 1) : end++]!);
  }
  return `${characters.slice(0, start).join('')}…${characters.slice(end).join('')}`;
}

/** Wraps text in a Select Graphic Rendition code, such as `1` for bold or `36` for cyan. */
export function paint(code: string | undefined, text: string, color: boolean): string {
  return color && code !== undefined && text !== '' ? `\u001B[${code}m${text}\u001B[0m` : text;
}

/** Whether to paint standard output, and its columns. */
export function styleOfStdout(flags: { readonly color: ColorFlag }, environment: Environment) {
  const { stdoutIsTerminal } = environment;
  return {
    color: useColor(flags.color, environment, stdoutIsTerminal),
    width: terminalWidth(environment, stdoutIsTerminal),
  };
}

type ColorFlag = 'auto' | 'always' | 'never' | undefined;

/** Whether to paint, by `--color` and the terminal. */
export function useColor(
  flag: ColorFlag,
  environment: Environment,
  isTerminal = environment.stderrIsTerminal,
): boolean {
  if (flag === 'always') return true;
  if (flag === 'never') return false;
  return shouldUseColor({ isTerminal, environment: environment.variables });
}

/** An image at the start of a line: GitHub Actions executes lines that begin with `::`. */
export function showImage(image: string): string {
  return image.trimStart().startsWith('::') ? quote(image) : image;
}

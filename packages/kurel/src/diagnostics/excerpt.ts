import type { Range } from '../model/index.ts';
import { characterWidth } from './character-width.ts';
import { escapeControls } from './quote.ts';
import type { Place } from './find-place.ts';
import { hiddenText } from './find-secrets.ts';
import { isHighSurrogate, isLowSurrogate } from './find-place.ts';

/** One line of a source with its underlined part, both as a terminal shows them. */
export interface Excerpt {
  readonly text: string;
  readonly indent: number;
  readonly underline: number;
}

interface Cell {
  readonly text: string;
  readonly width: number;
  /** Offset of the character's end in the examined part of the line. */
  readonly end: number;
  readonly marked: boolean;
}

const widest = 100;
// The share of the width before the underlined part when the line is too long to be shown in full.
const lead = 0.3;
// Units examined on each side of the underlined part, because lines of minified JSON can have megabytes.
const reach = 4 * widest;
const tab = '    ';

/** The first line of the range, cut to `columns` if necessary; a range over several lines is underlined to the end of the first. */
export function createExcerpt(
  { source, lines, range, start, hidden }: NonNullable<Place['found']>,
  columns = Infinity,
): Excerpt {
  const { text } = source;
  const bounds = lines.lineBounds(start.line);
  const markStart = Math.max(bounds.start, Math.min(range.start, bounds.end));
  const markEnd = Math.min(Math.max(range.end, markStart), bounds.end);
  const from = wholeCharacter(text, Math.max(bounds.start, markStart - reach));
  const to = wholeCharacter(text, Math.min(bounds.end, markStart + reach));
  const cells = layOut(text.slice(from, to), {
    mark: { start: markStart - from, end: markEnd - from },
    hidden: hidden
      .filter(({ start: first, end: last }) => first < to && last > from)
      .map((range) => ({ start: range.start - from, end: range.end - from })),
  });
  return cut(cells, { columns, cutBefore: from > bounds.start, cutAfter: to < bounds.end, markAt: markStart - from });
}

function wholeCharacter(text: string, offset: number): number {
  const splits = isLowSurrogate(text.charCodeAt(offset)) && isHighSurrogate(text.charCodeAt(offset - 1));
  return splits ? offset - 1 : offset;
}

interface Marks {
  readonly mark: Range;
  /** Ranges that must not be shown. */
  readonly hidden: readonly Range[];
}

function layOut(text: string, { mark, hidden }: Marks): Cell[] {
  const cells: Cell[] = [];
  let covering: Range | undefined;
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    const marked = end > mark.start && at < mark.end;
    const cover = hidden.find((range) => at >= range.start && at < range.end);
    if (cover === undefined) {
      const shown = character === '\t' ? tab : escapeControls(character);
      // Escapes consist of ASCII or of symbols that are one column wide.
      const width = shown === character ? characterWidth(character) : shown.length;
      cells.push({ text: shown, width, end, marked });
    } else {
      // One placeholder for the whole range, because its length must stay secret too.
      const isFirst = cover !== covering;
      cells.push({ text: isFirst ? hiddenText : '', width: isFirst ? hiddenText.length : 0, end, marked });
    }
    covering = cover;
    at = end;
  }
  return cells;
}

interface Cut {
  readonly columns: number;
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
  readonly markAt: number;
}

function cut(cells: readonly Cell[], options: Cut): Excerpt {
  const marked = cells.findIndex((cell) => cell.end > options.markAt);
  const mark = marked === -1 ? cells.length : marked;
  let first = 0;
  let last = cells.length;
  if (options.cutBefore || options.cutAfter || sumWidths(cells) > Math.min(widest, options.columns)) {
    // Two columns are reserved for the ellipses.
    const width = Math.min(widest, options.columns - 2);
    first = stepBack(cells, { from: mark, room: Math.floor(width * lead) });
    last = first;
    for (let room = width; last < cells.length && room >= cells[last]!.width; last += 1) room -= cells[last]!.width;
    // Width that the end of the line does not need goes to its beginning.
    first = stepBack(cells, { from: first, room: width - sumWidths(cells.slice(first, last)) });
  }
  const before = options.cutBefore || first > 0 ? '…' : '';
  const after = options.cutAfter || last < cells.length ? '…' : '';
  const shown = cells.slice(first, last);
  return {
    text: `${before}${shown.map((cell) => cell.text).join('')}${after}`.trimEnd(),
    indent: before.length + sumWidths(cells.slice(first, mark)),
    underline: Math.max(1, sumWidths(shown.filter((cell) => cell.marked))),
  };
}

function stepBack(cells: readonly Cell[], options: { readonly from: number; readonly room: number }): number {
  let index = options.from;
  for (let { room } = options; index > 0 && room >= cells[index - 1]!.width; index -= 1)
    room -= cells[index - 1]!.width;
  return index;
}

function sumWidths(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}

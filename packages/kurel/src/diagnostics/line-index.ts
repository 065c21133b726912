import type { Position } from '../model/index.ts';

/** Converts offsets to positions: one pass over the text, then logarithmic time per offset. */
export interface LineIndex {
  positionAt(offset: number): Position;
  /** Offsets of the line's first character and of the end of its last, without the line break; lines count from 1. */
  lineBounds(line: number): { readonly start: number; readonly end: number };
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = 0xfeff;

/** Lines end with LF, CR LF or CR, as in YAML. A byte order mark belongs to no line. */
export function createLineIndex(text: string): LineIndex {
  const starts = [text.charCodeAt(0) === byteOrderMark ? 1 : 0];
  const ends: number[] = [];
  // Characters of two units, by the offset of the second unit: subtracted from columns, which count characters.
  const pairs: number[] = [];
  for (let offset = starts[0]!; offset < text.length; offset += 1) {
    const unit = text.charCodeAt(offset);
    if (unit === lineFeed || unit === carriageReturn) {
      ends.push(offset);
      if (unit === carriageReturn && text.charCodeAt(offset + 1) === lineFeed) offset += 1;
      starts.push(offset + 1);
    } else if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(offset + 1))) {
      offset += 1;
      pairs.push(offset);
    }
  }
  ends.push(text.length);

  return {
    positionAt(offset) {
      const clamped = clampOffset(offset, text.length);
      const line = Math.max(1, countUpTo(starts, clamped));
      const start = starts[line - 1]!;
      const within = Math.max(start, Math.min(clamped, ends[line - 1]!));
      return { line, column: within - start - (countUpTo(pairs, within) - countUpTo(pairs, start)) + 1 };
    },
    lineBounds(line) {
      const index = Math.max(0, Math.min(line, starts.length) - 1);
      return { start: starts[index]!, end: ends[index]! };
    },
  };
}

let latest: { readonly text: string; readonly index: LineIndex } | undefined;

/** Line and column of an offset. The index of the latest text is cached, so many offsets in one text cost one pass. */
export function positionAt(text: string, offset: number): Position {
  if (latest?.text !== text) latest = { text, index: createLineIndex(text) };
  return latest.index.positionAt(offset);
}

/** Clamps any number to a valid index of the text. */
export function clampOffset(offset: number, length: number): number {
  return Number.isNaN(offset) ? 0 : Math.max(0, Math.min(Math.trunc(offset), length));
}

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

export function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** How many of the sorted numbers are not greater than `limit`. */
function countUpTo(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

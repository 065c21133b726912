import type { Range } from '../model/index.ts';

/** Text that takes the place of a range; an insertion where the range is empty. */
export interface Splice extends Range {
  readonly text: string;
}

/**
 * The text of `range` with all splices applied; undefined when two of them claim the same characters, which only the
 * removal of overlapping stretches may do.
 */
export function applySplices(text: string, range: Range, splices: readonly Splice[]): string | undefined {
  // Insertions come before what is removed from the same place; sort keeps the order of several insertions.
  const ordered = splices.toSorted((a, b) => a.start - b.start || Number(a.end > a.start) - Number(b.end > b.start));
  let result = '';
  let position = range.start;
  for (const splice of ordered) {
    if (splice.start < position && splice.text !== '') return undefined;
    if (splice.start > position) result += text.slice(position, splice.start);
    result += splice.text;
    position = Math.max(position, splice.end);
  }
  return result + text.slice(position, range.end);
}

import type { Edit } from './edit-context.ts';
import { beforeBreak, beginsLine, entryBottom, entryTop, lineStart, type Sheet, skipBlank } from './edit-sheet.ts';
import type { CollectionMark, EntryMark } from './marks.ts';

/**
 * The lines of an entry of a block collection with the comments that are its own: from the start of its first line, or
 * from the entry where something else stands before it, to the end of its last line, without the break.
 */
export function entryLines(sheet: Sheet, mark: CollectionMark, entry: EntryMark) {
  const ownsLine = beginsLine(sheet, entry.range.start);
  const start = ownsLine ? entryTop(sheet, entry) : entry.range.start;
  return { start, end: entryBottom(sheet, entry, mark), ownsLine };
}

/** Removes entries of a block collection of which at least one stays. */
export function removeEntries({ sheet, splices }: Edit, mark: CollectionMark, removed: readonly EntryMark[]): void {
  let first: { start: number; end: number } | undefined;
  for (const entry of removed) {
    const { start, end, ownsLine } = entryLines(sheet, mark, entry);
    // The break before goes, not the one after, so that what is added behind the entry still finds its place.
    const from = ownsLine ? beforeBreak(sheet, start) : start;
    if (!ownsLine || from === start) first = { start, end };
    else if (first !== undefined && from <= first.end) first.end = end;
    else splices.push({ start: from, end, text: '' });
  }
  if (first === undefined) return;
  // What comes next moves up to the place of the first entry: behind the dash, or to the top of the document.
  const next = skipBlank(sheet, first.end);
  const startsDocument = first.start === lineStart(sheet, first.start);
  splices.push({ start: first.start, end: startsDocument ? lineStart(sheet, next) : next, text: '' });
}

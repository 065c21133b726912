import { isJsonObject, isSameJson } from '../model/index.ts';
import type { Json, JsonObject, Range } from '../model/index.ts';
import { beforeBreak, beginsLine, entryBottom, entryTop, lineStart, skipBlank } from './edit-sheet.ts';
import type { Sheet } from './edit-sheet.ts';
import type { CollectionMark, EntryMark } from './marks.ts';

/** What is printed anew around the changed values: nothing, or the outermost lists, because a moved item may contain an anchor. */
export type Reprint = 'nothing' | 'lists';

/** One attempt to edit a document. */
export interface Edit {
  readonly sheet: Sheet;
  /** Collected first, applied once at the end. */
  readonly splices: Splice[];
  /** Only for documents with aliases, where a value can depend on text elsewhere. */
  readonly anchors: Anchors | undefined;
  readonly reprint: Reprint;
  /** Whether a block scalar that ends the text without a line break is rewritten so that something can follow it. */
  readonly closes: boolean;
  /** Passed along, because collections and their values are edited recursively. */
  readonly editValue: (edit: Edit, change: Change) => void;
}

/** A collection on the path from the root. */
export interface Trail {
  readonly mark: CollectionMark;
  readonly up?: Trail | undefined;
}

/** The old and the wanted value of one entry of the collection at the end of the trail. */
export interface Change {
  readonly trail: Trail;
  readonly entry: EntryMark;
  readonly parsed: Json;
  readonly wanted: Json;
}

/** Text that replaces a range; an insertion if the range is empty. */
export interface Splice extends Range {
  readonly text: string;
}

/**
 * The text of `range` with all splices applied; undefined when two of them claim the same characters, which is only
 * allowed for removals.
 */
export function applySplices(text: string, range: Range, splices: readonly Splice[]): string | undefined {
  // Insertions come before removals at the same offset; the sort is stable for several insertions.
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

/**
 * The lines of an entry of a block collection with its own comments: from the start of its first line, or
 * from the entry itself if something else precedes it, to the end of its last line, without the break.
 */
export function entryLines(sheet: Sheet, mark: CollectionMark, entry: EntryMark) {
  const ownsLine = beginsLine(sheet, entry.range.start);
  const start = ownsLine ? entryTop(sheet, entry) : entry.range.start;
  return { start, end: entryBottom(sheet, entry, mark), ownsLine };
}

/** Removes entries of a block collection that keeps at least one. */
export function removeEntries({ sheet, splices }: Edit, mark: CollectionMark, removed: readonly EntryMark[]): void {
  let first: { start: number; end: number } | undefined;
  for (const entry of removed) {
    const { start, end, ownsLine } = entryLines(sheet, mark, entry);
    // The break before is removed, not the one after, so that additions after the entry still find their position.
    const from = ownsLine ? beforeBreak(sheet, start) : start;
    if (!ownsLine || from === start) first = { start, end };
    else if (first !== undefined && from <= first.end) first.end = end;
    else splices.push({ start: from, end, text: '' });
  }
  if (first === undefined) return;
  // The next entry moves up to the position of the first: after the dash, or to the top of the document.
  const next = skipBlank(sheet, first.end);
  const startsDocument = first.start === lineStart(sheet, first.start);
  splices.push({ start: first.start, end: startsDocument ? lineStart(sheet, next) : next, text: '' });
}

/** The value of each anchor after the edit, by name; filled in text order, as a reader would. */
type Anchors = Map<string, Json>;

const DECORATION = /[&!][^\s,[\]{}]*/uy;

/** The anchor before a value, and the start of the value itself. */
export function readDecoration(sheet: Sheet, entry: EntryMark): { readonly anchor: string; readonly start: number } {
  let anchor = '';
  let start = entry.valueRange.start;
  while (entry.decorated && start < entry.valueRange.end) {
    DECORATION.lastIndex = start;
    const token = DECORATION.exec(sheet.text)?.[0];
    if (token === undefined) break;
    if (token.startsWith('&')) anchor = token;
    start = Math.min(skipBlank(sheet, start + token.length), entry.valueRange.end);
  }
  return { anchor, start };
}

/** Whether the unchanged alias at an entry will have the wanted value. */
export function aliasHolds(
  sheet: Sheet,
  entry: EntryMark,
  { anchors, wanted }: { anchors: Anchors; wanted: Json },
): boolean {
  const target = anchors.get(sheet.text.slice(entry.valueRange.start + 1, entry.valueRange.end));
  return target !== undefined && isSameJson(target, wanted);
}

/** What a merge key will provide after the edit; null when its source is gone, undefined when it is not an alias. */
export function readProvided(sheet: Sheet, merge: EntryMark, anchors: Anchors): JsonObject | null | undefined {
  const text = sheet.text.slice(merge.valueRange.start, merge.valueRange.end);
  const names = (/^\[.*\]$/su.test(text) ? text.slice(1, -1).split(',') : [text]).map((name) => name.trim());
  if (!names.every((name) => name.startsWith('*'))) return undefined;
  const provided: { [key: string]: Json } = {};
  for (const name of names) {
    const target = anchors.get(name.slice(1));
    if (!isJsonObject(target)) return null;
    for (const [key, value] of Object.entries(target)) if (!Object.hasOwn(provided, key)) provided[key] = value;
  }
  return provided;
}

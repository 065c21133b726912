import { isJsonObject, isSameJson } from '../model/index.ts';
import type { Json, JsonObject, Range, SourceFile } from '../model/index.ts';
import type { CollectionMark, EntryMark, Marks } from './reading.ts';
import { CR, LF, HASH, SPACE, TAB } from './char-codes.ts';

/** A document as text with marks, the basis of all edits. */
export interface Sheet {
  readonly text: string;
  readonly range: Range;
  readonly marks: Marks;
  /** The line break used for new lines. */
  readonly eol: '\n' | '\r\n';
  /** Reads the marks of the whole document, if `marks` only covers its front. */
  readonly readAllMarks?: () => Marks;
}

/** `undefined` for a scalar and for a collection without marks. */
export function markOf(marks: Marks, value: Json): CollectionMark | undefined {
  return typeof value === 'object' && value !== null ? marks.get(value) : undefined;
}

export const MARKER = '---';

export function makeSheet({ text }: SourceFile, range: Range, marks: Marks): Sheet {
  const lineFeed = text.indexOf('\n', range.start);
  return { text, range, marks, eol: lineFeed > 0 && text.charCodeAt(lineFeed - 1) === CR ? '\r\n' : '\n' };
}

/** Printed lines with the document's line breaks. */
export function withLineBreaks(sheet: Sheet, text: string): string {
  return sheet.eol === '\n' ? text : text.replaceAll('\n', sheet.eol);
}

/** Printed lines for a position that a line break already follows. */
export function withoutLastBreak(sheet: Sheet, text: string): string {
  return withLineBreaks(sheet, text.slice(0, -1));
}

export function lineStart(sheet: Sheet, offset: number): number {
  let start = offset;
  while (start > sheet.range.start && !isBreak(sheet.text.charCodeAt(start - 1))) start--;
  return start;
}

/** The end of the line without its break. */
export function lineEnd(sheet: Sheet, offset: number): number {
  let end = offset;
  while (end < sheet.range.end && !isBreak(sheet.text.charCodeAt(end))) end++;
  return end;
}

/** Skips the line break at `offset`, if there is one. */
export function afterBreak(sheet: Sheet, offset: number): number {
  if (offset >= sheet.range.end) return offset;
  const code = sheet.text.charCodeAt(offset);
  if (code === CR && sheet.text.charCodeAt(offset + 1) === LF) return offset + 2;
  return isBreak(code) ? offset + 1 : offset;
}

/** Moves back over the line break before `offset`, if there is one. */
export function beforeBreak(sheet: Sheet, offset: number): number {
  if (offset <= sheet.range.start) return offset;
  const code = sheet.text.charCodeAt(offset - 1);
  if (code === LF && offset - 1 > sheet.range.start && sheet.text.charCodeAt(offset - 2) === CR) return offset - 2;
  return isBreak(code) ? offset - 1 : offset;
}

export function beginsLine(sheet: Sheet, offset: number): boolean {
  return skipSpaces(sheet, lineStart(sheet, offset)) >= offset;
}

/** Start of the first line of an entry, including the comment lines directly above it at its column. */
function entryTop(sheet: Sheet, entry: EntryMark): number {
  let top = lineStart(sheet, entry.range.start);
  const column = entry.range.start - top;
  while (top > sheet.range.start) {
    const above = lineStart(sheet, beforeBreak(sheet, top));
    const content = skipSpaces(sheet, above);
    if (above === top || content - above !== column || sheet.text.charCodeAt(content) !== HASH) break;
    // A comment after `---` on the marker's line belongs to the document.
    if (above === sheet.range.start && !startsLine(sheet)) break;
    top = above;
  }
  return top;
}

/** End of the last line of an entry, before its break, including its comment and the comments inside it that follow. */
export function entryBottom(sheet: Sheet, entry: EntryMark, mark: CollectionMark): number {
  let bottom = lineEnd(sheet, beforeBreak(sheet, Math.max(entry.range.end, entry.valueRange.end)));
  for (;;) {
    const below = afterBreak(sheet, bottom);
    const content = skipSpaces(sheet, below);
    if (below === bottom || content - below <= mark.indent || sheet.text.charCodeAt(content) !== HASH) return bottom;
    bottom = lineEnd(sheet, content);
  }
}

/** Whether the document starts at the start of a line, not after `---`. */
export function startsLine(sheet: Sheet): boolean {
  const { start } = sheet.range;
  return start === 0 || isBreak(sheet.text.charCodeAt(start - 1));
}

export function endsLine(text: string): boolean {
  return text !== '' && isBreak(text.charCodeAt(text.length - 1));
}

/** The offset right after the colon or the dash of an entry. */
export function afterIndicator(sheet: Sheet, entry: EntryMark): number {
  if (typeof entry.key === 'number') return entry.keyRange.end;
  const colon = sheet.text.indexOf(':', entry.keyRange.end);
  return colon === -1 || colon >= Math.max(entry.valueRange.start, entry.keyRange.end + 1)
    ? entry.keyRange.end
    : colon + 1;
}

export function skipSpaces(sheet: Sheet, offset: number): number {
  let position = offset;
  while (position < sheet.range.end && sheet.text.charCodeAt(position) === SPACE) position++;
  return position;
}

/** Moves to the next character that is neither blank nor a line break. */
export function skipBlank(sheet: Sheet, offset: number): number {
  let position = offset;
  while (position < sheet.range.end && isBlank(sheet.text.charCodeAt(position))) position++;
  return position;
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB || isBreak(code);
}

function isBreak(code: number): boolean {
  return code === LF || code === CR;
}

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

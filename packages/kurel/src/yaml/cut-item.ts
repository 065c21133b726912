import { isSameJson } from '../model/index.ts';
import type { Json, Path, Range, SourceFile } from '../model/index.ts';
import {
  entryLines,
  afterIndicator,
  lineEnd,
  lineStart,
  makeSheet,
  markOf,
  type Sheet,
  skipSpaces,
} from './edit-sheet.ts';
import type { CollectionMark, EntryMark } from './reading.ts';
import { type MarkedDocument, readMarkedDocument, readYaml } from './read-yaml.ts';

/** A separate text and its data. */
export interface CutItem {
  readonly text: string;
  readonly parsed: Json;
}

/**
 * A value inside a document, such as an item of a `List`, as the text of a separate document with its comments;
 * undefined when the text depends on its surroundings, as with an alias to something outside it.
 */
export function cutItem(source: SourceFile, range: Range, path: Path): CutItem | undefined {
  const { data, marks } = readOnce(source, range, path.length + 1);
  const sheet = makeSheet(source, range, marks);
  let value: Json | undefined = data;
  let parent: CollectionMark | undefined;
  let entry: EntryMark | undefined;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    parent = marks.get(value);
    entry = typeof step === 'number' ? parent?.entries[step] : parent?.entries.find(({ key }) => key === step);
    value = (value as { readonly [key: string | number]: Json })[step];
  }
  if (parent === undefined || entry === undefined || value === undefined) return undefined;
  const text = cutText(sheet, { parent, entry, value });
  const { documents, diagnostics } = readYaml({ path: source.path, text });
  const parsed = documents[0]?.data;
  const isRead = diagnostics.length === 0 && documents.length === 1 && parsed !== undefined;
  return isRead && isSameJson(parsed, value) ? { text, parsed } : undefined;
}

interface LastRead {
  readonly start: number;
  readonly markedDepth: number;
  readonly marked: MarkedDocument;
}

// List items are cut one after another; reading the list again for each would be quadratic.
const lastRead = new WeakMap<SourceFile, LastRead>();

/** Only the path to an item and the item itself need marks; marks for everything in a large list would be expensive. */
function readOnce(source: SourceFile, range: Range, markedDepth: number): MarkedDocument {
  const last = lastRead.get(source);
  if (last?.start === range.start && last.markedDepth >= markedDepth) return last.marked;
  const marked = readMarkedDocument(source, range, { markedDepth });
  lastRead.set(source, { start: range.start, markedDepth, marked });
  return marked;
}

interface Item {
  readonly parent: CollectionMark;
  readonly entry: EntryMark;
  readonly value: Json;
}

function cutText(sheet: Sheet, { parent, entry, value }: Item): string {
  const { start, end } = entry.valueRange;
  const mark = markOf(sheet.marks, value);
  if (parent.style === 'flow' || mark?.style !== 'block') {
    const text = sheet.text.slice(start, end);
    if (!text.includes('\n')) return text + sheet.eol;
    const line = lineStart(sheet, start);
    return moveOut(text, skipSpaces(sheet, line) - line) + sheet.eol;
  }
  const lines = entryLines(sheet, parent, entry);
  const above = sheet.text.slice(lines.start, lineStart(sheet, entry.range.start));
  // Only a comment and line breaks can be between the dash and the value.
  const between = sheet.text.slice(afterIndicator(sheet, entry), start).trimStart();
  const first = sheet.text.slice(start, Math.min(lines.end, lineEnd(sheet, start)));
  const rest = sheet.text.slice(Math.min(lines.end, lineEnd(sheet, start)), lines.end);
  return `${moveOut(above, parent.indent)}${moveOut(withoutBlanks(between), mark.indent)}${first}${moveOut(rest, mark.indent)}${sheet.eol}`;
}

/** Moves lines to the left by up to `columns`; the first line only if the text starts with its indentation. */
function moveOut(text: string, columns: number): string {
  return columns === 0 ? text : text.replaceAll(new RegExp(`(^|\\n) {1,${columns}}`, 'gu'), '$1');
}

function withoutBlanks(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}

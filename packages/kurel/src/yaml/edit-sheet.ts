import type { Range, SourceFile } from '../model/index.ts';
import type { CollectionMark, EntryMark, Marks } from './marks.ts';

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

/** The marker before a document. */
export const MARKER = '---';

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const HASH = 0x23;

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
export function entryTop(sheet: Sheet, entry: EntryMark): number {
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

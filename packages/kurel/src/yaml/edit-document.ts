import { isJsonObject, isSameJson } from '../model/index.ts';
import type { Json, JsonObject, Range, SourceFile } from '../model/index.ts';
import { attemptEdit, readsAs } from './edit-attempt.ts';
import type { Reprint, Sheet } from './edit-sheet.ts';
import { endsLine, makeSheet, MARKER, startsLine, withLineBreaks } from './edit-sheet.ts';
import type { Marks } from './reading.ts';
import type { MarkedDocument } from './read-yaml.ts';
import { readMarkedDocument } from './read-yaml.ts';
import { isFilled, writeYaml } from './write-yaml.ts';

export interface DocumentChange {
  readonly wanted: Json;
  /** The data of the document as read before; saves reading parts of the text again. */
  readonly parsed?: Json | undefined;
}

export interface EditResult {
  readonly text: string;
  /** How much was printed anew apart from the values that changed. */
  readonly printed: Reprint | 'document';
}

/**
 * The text of a document with minimal changes so that it reads as `wanted`: only the differences
 * are written; comments, order, quotes and blank lines around them stay.
 */
export function editDocument(source: SourceFile, range: Range, change: DocumentChange): string {
  return editText(source, range, change).text;
}

/** Like `editDocument`, with the method used. An edited text is read again, and printed anew if it is wrong, except in `editLines`. */
export function editText(source: SourceFile, range: Range, { wanted, parsed }: DocumentChange): EditResult {
  const changed = findChangedKeys(parsed, wanted);
  if (changed?.size === 0) return { text: source.text.slice(range.start, range.end), printed: 'nothing' };
  const plain = changed?.size === 1 ? editPlain(source, range, { wanted, parsed, key: [...changed][0]! }) : undefined;
  if (plain !== undefined) return { text: plain, printed: 'nothing' };
  const { document, place } = cutDocument(source, range);
  const marked = readMarkedDocument(document, place, { until: changed });
  if (marked.stop === undefined) return editWhole(makeSheet(document, place, marked.marks), marked, wanted);
  const text = editFront(document, place, { marked, wanted });
  if (text !== undefined) return { text, printed: 'nothing' };
  const whole = readMarkedDocument(document, place);
  return editWhole(makeSheet(document, place, whole.marks), whole, wanted);
}

function editPlain(
  source: SourceFile,
  { start, end }: Range,
  { wanted, parsed, key }: DocumentChange & { readonly key: string },
): string | undefined {
  const isFreshLine = start === 0 || source.text[start - 1] === '\n';
  if (!isFreshLine || !isJsonObject(parsed) || !isJsonObject(wanted)) return undefined;
  return editLines(source.text.slice(start, end), { parsed, wanted, key });
}

function editWhole(sheet: Sheet, { data: parsed }: MarkedDocument, wanted: Json): EditResult {
  if (isSameJson(parsed, wanted)) return { text: sheet.text.slice(sheet.range.start), printed: 'nothing' };
  for (const printed of ['nothing', 'lists'] as const) {
    const text = attemptEdit(sheet, { parsed, wanted, reprint: printed });
    if (text !== undefined && readsAs(sheet, text, wanted)) return { text, printed };
  }
  const text = withLineBreaks(sheet, writeYaml(wanted));
  return { text: startsLine(sheet) ? text : sheet.eol + text, printed: 'document' };
}

/** Only the document, so that the cost does not depend on the rest of the file; a document after `---` keeps its marker. */
function cutDocument(source: SourceFile, { start, end }: Range) {
  const isBehindMarker = start >= MARKER.length && source.text.startsWith(MARKER, start - MARKER.length);
  const head = isBehindMarker ? MARKER : '';
  const text = head + source.text.slice(start, end);
  return { document: { path: source.path, text }, place: { start: head.length, end: text.length } };
}

/** The keys of the root whose values differ; undefined when more than values differ, or when the old data is unknown. */
export function findChangedKeys(parsed: Json | undefined, wanted: Json): ReadonlySet<string> | undefined {
  if (!isJsonObject(parsed) || !isJsonObject(wanted)) return undefined;
  const keys = Object.keys(parsed);
  if (keys.length !== Object.keys(wanted).length) return undefined;
  const changed = new Set<string>();
  for (const key of keys) {
    const other = Object.hasOwn(wanted, key) ? wanted[key] : undefined;
    if (other === undefined) return undefined;
    if (!isSameJson(parsed[key], other)) changed.add(key);
  }
  return changed;
}

/**
 * Edits a document of which only the front was read: the entries of its root up to the last one that changes. Undefined
 * when this is impossible or uncertain.
 *
 * The rest keeps its text and meaning, so only the new front is read again. After a line break, at a key of the
 * root, nothing can still be open: whatever a valid front ends with, such a line ends it just as the end of
 * the text does. The meaning of the keys that follow depends only on earlier anchors and merge keys, of which the
 * front has none, and on the names of the earlier keys, which stay.
 */
export function editFront(
  document: SourceFile,
  place: Range,
  { marked, wanted }: { readonly marked: MarkedDocument; readonly wanted: Json },
): string | undefined {
  const { data: parsed, marks, stop = place.end, hasAnchors } = marked;
  const root = isJsonObject(parsed) ? marks.get(parsed) : undefined;
  if (!isJsonObject(parsed) || !isJsonObject(wanted) || root === undefined) return undefined;
  const isBare = !hasAnchors && root.entries.every(({ key }) => key !== '<<');
  if (!isBare || !endsLine(document.text.slice(0, stop))) return undefined;
  let all: Marks | undefined;
  const readAllMarks = () => (all ??= readMarkedDocument(document, place).marks);
  const sheet = { ...makeSheet(document, place, marks), readAllMarks };
  const wantedFront = pickKeys(wanted, parsed);
  const text = attemptEdit(sheet, { parsed, wanted: wantedFront, reprint: 'nothing' });
  const rest = document.text.slice(stop);
  if (text === undefined || !text.endsWith(rest)) return undefined;
  const front = text.slice(0, text.length - rest.length);
  return endsLine(front) && readsAs(sheet, front, wantedFront) ? text : undefined;
}

function pickKeys(data: JsonObject, like: JsonObject): JsonObject {
  const picked: { [key: string]: Json } = {};
  for (const key of Object.keys(like)) picked[key] = data[key]!;
  return picked;
}

interface LinesChange {
  readonly parsed: JsonObject;
  readonly wanted: JsonObject;
  /** The only key of the root whose value differs. */
  readonly key: string;
}

/**
 * Adds lines to a section that is as simple as most metadata: above it and in it there are only
 * comments and one `key: value` per line, each value complete on its line. Undefined for everything else.
 *
 * The document was read before, so such lines can only be entries of objects that nest by indentation. A line that the
 * writer adds after entries, at their indentation, is therefore one more entry of their object, and nothing
 * else changes its meaning. That is why only this text is not read again, which saves nine tenths of the time.
 */
export function editLines(text: string, { parsed, wanted, key }: LinesChange): string | undefined {
  const section = findSection(text, key);
  const before = parsed[key];
  const after = wanted[key];
  if (section === undefined || !isJsonObject(before) || !isJsonObject(after)) return undefined;
  const lines = readLines(text, section);
  const additions = lines?.[0]?.indent === 2 ? findAdditions(lines, before, after) : undefined;
  if (additions === undefined) return undefined;
  let edited = '';
  let from = 0;
  for (const { at, added } of additions.toSorted((a, b) => a.at - b.at)) {
    edited += text.slice(from, at) + added;
    from = at;
  }
  return edited + text.slice(from);
}

/** The lines below `key:` at column 0, up to the next line that starts there. */
function findSection(text: string, key: string): Range | undefined {
  let at = 0;
  while (!text.startsWith(`${key}:\n`, at)) {
    const lineEnd = text.indexOf('\n', at);
    if (lineEnd === -1 || !lineAbove.test(text.slice(at, lineEnd))) return undefined;
    at = lineEnd + 1;
  }
  const start = at + key.length + 2;
  let end = start;
  while (text[end] === ' ') {
    const lineEnd = text.indexOf('\n', end);
    if (lineEnd === -1) return undefined;
    end = lineEnd + 1;
  }
  // Only the next key or the end closes the section for certain: after a tab or another line break, a value may continue.
  return end > start && (end === text.length || /[A-Za-z]/.test(text[end]!)) ? { start, end } : undefined;
}

const lineAbove = /^(?:#.*|[A-Za-z]+: [A-Za-z0-9][A-Za-z0-9./-]*)?$/;

interface Line {
  readonly indent: number;
  readonly key: string;
  readonly isHead: boolean;
  readonly end: number;
}

// A value is a plain word, or a quoted string without quotes or escapes inside.
const plainLine =
  / +[A-Za-z0-9_][A-Za-z0-9_./-]*:(?: (?:[A-Za-z0-9/.][^\s:#"'\\]*(?::[^\s:#"'\\]+)*|"[^"\\\n]*"|'[^'\n]*'))?\n/y;

function readLines(text: string, { start, end }: Range): readonly Line[] | undefined {
  const lines: Line[] = [];
  for (let at = start; at < end;) {
    plainLine.lastIndex = at;
    if (!plainLine.test(text)) return undefined;
    const lineEnd = plainLine.lastIndex - 1;
    const colon = text.indexOf(':', at);
    let indent = 1;
    while (text[at + indent] === ' ') indent++;
    lines.push({ indent, key: text.slice(at + indent, colon), isHead: colon + 1 === lineEnd, end: lineEnd + 1 });
    at = lineEnd + 1;
  }
  return lines;
}

interface Addition {
  readonly at: number;
  readonly added: string;
}

/** What to add where in an object whose entries start at the first line; undefined when additions are not enough. */
function findAdditions(lines: readonly Line[], before: JsonObject, after: JsonObject): readonly Addition[] | undefined {
  const column = lines[0]!.indent;
  const additions: Addition[] = [];
  for (const [key, value] of Object.entries(before)) {
    const other = Object.hasOwn(after, key) ? after[key] : undefined;
    if (isSameJson(value, other)) continue;
    const head = lines.findIndex((line) => line.indent === column && line.key === key && line.isHead);
    const end = lines.findIndex((line, index) => index > head && line.indent <= column);
    const inner = head === -1 ? [] : lines.slice(head + 1, end === -1 ? undefined : end);
    if (!isJsonObject(value) || !isJsonObject(other) || inner.length === 0) return undefined;
    const inside = findAdditions(inner, value, other);
    if (inside === undefined) return undefined;
    for (const addition of inside) additions.push(addition);
  }
  const fresh = Object.fromEntries(Object.entries(after).filter(([key]) => !Object.hasOwn(before, key)));
  // The indentation of lists depends on the rest of the document, which is not examined here.
  if (holdsList(fresh)) return undefined;
  if (isFilled(fresh)) additions.push({ at: lines.at(-1)!.end, added: indent(writeYaml(fresh), column) });
  return additions;
}

function holdsList(value: Json): boolean {
  return isJsonObject(value) ? Object.values(value).some(holdsList) : Array.isArray(value);
}

function indent(text: string, by: number): string {
  const blanks = ' '.repeat(by);
  // Almost always there is only one line.
  return text.indexOf('\n') === text.length - 1 ? blanks + text : text.replaceAll(/^(?=.)/gm, blanks);
}

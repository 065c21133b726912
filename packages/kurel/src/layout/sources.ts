import { getOrAdd } from '../budget/index.ts';
import { decodeObjects } from '../kube/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, KubeObject, OutputFile, Path, Range, Report, SourceFile, TextOrigin } from '../model/index.ts';
import { editDocument, readYaml, writeJson } from '../yaml/index.ts';
import { refuseHiddenItems } from './layout.ts';
import type { LayoutInput } from './layout.ts';
import { endWithLineBreak, isJson, isRefusal, lineBreakOf, reportUnwritable } from './write-object.ts';

/** `objects` are the final ones, each with its original origin. Objects without a successor are removed from their texts. */
export interface SourcesInput extends Pick<LayoutInput, 'objects' | 'origins' | 'report'> {
  /** All objects of the texts, as read. */
  readonly before: readonly KubeObject[];
}

/** Updates the texts that the objects were read from with only the changes of the objects. */
export function layOutSources(input: SourcesInput): readonly OutputFile[] {
  refuseHiddenItems(input);
  return gatherSources(input).map(({ source, documents }) => ({
    path: source.path,
    text: editSource(source, [...documents.values()], input.report),
  }));
}

interface Source {
  readonly source: SourceFile;
  /** By offset, in text order. */
  readonly documents: Map<number, SourceDocument & { readonly objects: SourceObject[] }>;
}

function gatherSources({ before, objects, origins, report }: SourcesInput): readonly Source[] {
  const successors = new Map<TextOrigin, KubeObject[]>();
  for (const object of objects) {
    const text = origins.get(object)?.text;
    if (text === undefined) reportUnwritable(object, 'it was not read from a file', report);
    else getOrAdd(successors, text, () => []).push(object);
  }
  const sources = new Map<SourceFile, Source>();
  for (const object of before) {
    const text = origins.get(object)?.text;
    if (text === undefined) continue;
    const { source, range } = text;
    const { documents } = getOrAdd(sources, source, () => ({ source, documents: new Map() }));
    const isList = text.path !== undefined;
    const document = getOrAdd(documents, range.start, () => ({ range, isList, objects: [] }));
    // Aliased items of a List are one object with one origin; each use takes the next successor.
    document.objects.push({ parsed: text.parsed, before: object, now: successors.get(text)?.shift() });
  }
  for (const object of [...successors.values()].flat())
    reportUnwritable(object, 'it was not read from any of the input files', report);
  return [...sources.values()];
}

function editSource(source: SourceFile, documents: readonly SourceDocument[], report: Report): string {
  const { text } = source;
  const parts: string[] = [];
  let isEmptied = true;
  let isBlank = true;
  let position = 0;
  for (const document of documents) {
    const { start, end } = document.range;
    const edited = editOrReport(source, document, report);
    const cut = edited === undefined ? separatorStart(text, { start, from: position }) : start;
    const front = text.slice(position, cut);
    parts.push(front, edited ?? '');
    isEmptied &&= edited === undefined;
    isBlank &&= isEmptied && !/^[ \t]*[^\s#]/m.test(front);
    position = edited === undefined && cut === start ? skipSeparator(text, end) : end;
    // The `...` of a removed document has no document before it to end.
    if (isBlank) position = skipDocumentEnd(text, position);
  }
  parts.push(text.slice(position));
  const result = parts.join('');
  if (!isEmptied) return result;
  const left = readYaml({ path: source.path, text: result });
  // Documents that are not objects were never read as such, and are kept.
  const hasData = left.diagnostics.length > 0 || left.documents.some(({ data }) => data !== undefined);
  return hasData ? result : '';
}

function editOrReport(source: SourceFile, document: SourceDocument, report: Report): string | undefined {
  try {
    return editSourceDocument(source, document);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    reportUnwritable(document.objects.find(({ now }) => now !== undefined)!.now!, error.message, report);
    return source.text.slice(document.range.start, document.range.end);
  }
}

/** Start of the `---` of the document at `start`, including its directives; `start` if it has none after `from`. */
function separatorStart(text: string, { start, from }: { readonly start: number; readonly from: number }): number {
  if (start - 3 >= from && isSeparator(text, start - 3, start)) return withDirectives(text, { start: start - 3, from });
  const line = previousLine(text, start);
  if (line < from || !isSeparator(text, line, start)) return start;
  return withDirectives(text, { start: line, from });
}

/** Position after a `---` on its own line: a document without a marker is removed with the marker of the next one. */
function skipSeparator(text: string, position: number): number {
  const end = nextLine(text, position);
  return isSeparator(text, position, end) ? end : skipDocumentEnd(text, position);
}

/** Position after a `...` line, which may have a comment. */
function skipDocumentEnd(text: string, position: number): number {
  const end = nextLine(text, position);
  return /^\.\.\.(?:\s+#.*)?\s*$/.test(text.slice(position, end)) ? end : position;
}

function isSeparator(text: string, start: number, end: number): boolean {
  return text.startsWith('---', start) && text.slice(start + 3, end).trim() === '';
}

function withDirectives(text: string, { start, from }: { readonly start: number; readonly from: number }): number {
  let first = start;
  for (;;) {
    const line = previousLine(text, first);
    if (line === first || line < from || text[line] !== '%') return first;
    first = line;
  }
}

/** Start of the line before the one that starts at `position`. */
function previousLine(text: string, position: number): number {
  return position < 2 ? 0 : text.lastIndexOf('\n', position - 2) + 1;
}

function nextLine(text: string, position: number): number {
  const end = text.indexOf('\n', position);
  return end === -1 ? text.length : end + 1;
}

export interface SourceDocument {
  readonly range: Range;
  /** Whether the objects are items of the document; otherwise the document is the only object. */
  readonly isList: boolean;
  readonly objects: readonly SourceObject[];
}

interface SourceObject {
  /** Object as parsed from the text. */
  readonly parsed: KubeObject;
  readonly before: KubeObject;
  /** `undefined` if it was removed. */
  readonly now: KubeObject | undefined;
}

/** The text of a document with its objects updated; `undefined` if none remains. */
export function editSourceDocument(source: SourceFile, document: SourceDocument): string | undefined {
  const { range, isList, objects } = document;
  const text = source.text.slice(range.start, range.end);
  if (objects.every(({ before, now }) => now === before)) return text;
  if (objects.every(({ now }) => now === undefined)) return undefined;
  const parsed = isList ? readRange(source, range) : objects[0]!.parsed;
  const wanted = isList ? placeItems(parsed, objects, stateItem) : objects[0]!.now!;
  const edited = editText(source, document, { parsed, wanted });
  if (edited === text) return text;
  const kept = isJson(text) && !isJson(edited) ? printJson(text, wanted) : edited;
  return range.end === source.text.length ? endWithLineBreak(kept) : kept;
}

/** Removes items first, so that the remaining ones can be matched by order. */
function editText(
  source: SourceFile,
  { range, objects }: SourceDocument,
  { parsed, wanted }: { readonly parsed: Json; readonly wanted: Json },
): string {
  if (objects.every(({ now }) => now !== undefined)) return editDocument(source, range, { parsed, wanted });
  const left = placeItems(parsed, objects, (item, { now }) => (now === undefined ? undefined : item));
  const cut = editDocument(source, range, { parsed, wanted: left });
  const text = source.text.slice(0, range.start) + cut;
  return editDocument({ path: source.path, text }, { start: range.start, end: text.length }, { parsed: left, wanted });
}

/** Data of a document with its objects updated. */
export function stateSourceDocument(source: SourceFile, { range, isList, objects }: SourceDocument): Json {
  return isList ? placeItems(readRange(source, range), objects, stateItem) : objects[0]!.now!;
}

function readRange({ path, text }: SourceFile, { start, end }: Range): Json {
  return readYaml({ path, text: text.slice(start, end) }).documents[0]?.data ?? null;
}

function printJson(text: string, data: Json): string {
  const start = text.slice(0, text.length - text.trimStart().length);
  const end = text.slice(text.trimEnd().length);
  return start + writeJson(data).replaceAll('\n', lineBreakOf(text)) + end;
}

/** Items of typed lists get their type from the list, so their text need not include it. */
function stateItem(item: Json, { parsed, before, now }: SourceObject): Json | undefined {
  if (now === undefined) return undefined;
  if (now === before) return item;
  const stated = isJsonObject(item) ? item : {};
  const inherited = ['apiVersion', 'kind'].filter((key) => !Object.hasOwn(stated, key) && now[key] === parsed[key]);
  return Object.fromEntries(Object.entries(now).filter(([key]) => !inherited.includes(key)));
}

/** A List with each object replaced by the result of `place`, or removed. A List is removed with its last item. */
function placeItems(
  list: Json,
  objects: readonly SourceObject[],
  place: (item: Json, object: SourceObject) => Json | undefined,
): Json {
  const decoded = decodeObjects([{ index: 0, data: list }], { file: '', report: () => {}, onSkip: () => {} });
  const byKey = new Map(decoded.map(({ path = [] }, index) => [keyOf(path), objects[index]!]));
  return placeIn(list, '') ?? null;

  function placeIn(data: Json, key: string): Json | undefined {
    const object = byKey.get(key);
    if (object !== undefined) return place(data, object);
    if (!isJsonObject(data) || !isJsonArray(data['items'])) return data;
    const { items } = data;
    const left = items.map((item, index) => placeIn(item, `${key}.${index}`)).filter((item) => item !== undefined);
    return left.length === 0 && items.length > 0 ? undefined : { ...data, items: left };
  }
}

function keyOf(path: Path): string {
  return path.map((step) => (typeof step === 'number' ? `.${step}` : '')).join('');
}

import { describeObject } from '../kube/index.ts';
import type { KubeObject, OriginTable, OutputFile, Report, SourceFile, TextOrigin } from '../model/index.ts';
import { readYaml } from '../yaml/index.ts';
import { layoutProblems } from './problems.ts';
import { refuseHiddenItems } from './layout.ts';
import { editSourceDocument } from './sources-document.ts';
import type { SourceDocument, SourceObject } from './sources-document.ts';

export interface SourcesInput {
  /** All objects of the texts, as read. */
  readonly before: readonly KubeObject[];
  /** The final objects, each with its original origin. Objects without a successor are removed from their texts. */
  readonly objects: readonly KubeObject[];
  readonly origins: OriginTable;
  readonly report: Report;
}

/** Updates the texts that the objects were read from with only the changes of the objects. */
export function layOutSources(input: SourcesInput): readonly OutputFile[] {
  refuseHiddenItems(input);
  return gatherSources(input).map(({ source, documents }) => ({
    path: source.path,
    text: editSource(source, [...documents.values()], input),
  }));
}

interface Source {
  readonly source: SourceFile;
  /** By offset, in text order. */
  readonly documents: Map<number, SourceDocument & { readonly objects: SourceObject[] }>;
}

function gatherSources(input: SourcesInput): readonly Source[] {
  const { before, origins } = input;
  const successors = gatherSuccessors(input);
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
    refuse(object, 'it was not read from any of the input files', input);
  return [...sources.values()];
}

function gatherSuccessors(input: SourcesInput): ReadonlyMap<TextOrigin, KubeObject[]> {
  const successors = new Map<TextOrigin, KubeObject[]>();
  for (const object of input.objects) {
    const text = input.origins.get(object)?.text;
    if (text === undefined) refuse(object, 'it was not read from a file', input);
    else getOrAdd(successors, text, () => []).push(object);
  }
  return successors;
}

function editSource(source: SourceFile, documents: readonly SourceDocument[], input: SourcesInput): string {
  const { text } = source;
  const parts: string[] = [];
  let isEmptied = true;
  let isBlank = true;
  let position = 0;
  for (const document of documents) {
    const { start, end } = document.range;
    const edited = editOrRefuse(source, document, input);
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
  return isEmptied && !hasData({ path: source.path, text: result }) ? '' : result;
}

function editOrRefuse(source: SourceFile, document: SourceDocument, input: SourcesInput): string | undefined {
  try {
    return editSourceDocument(source, document);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    refuse(document.objects.find(({ now }) => now !== undefined)!.now!, error.message, input);
    return source.text.slice(document.range.start, document.range.end);
  }
}

function refuse(object: KubeObject, reason: string, { report }: SourcesInput): void {
  const args = { object: describeObject(object), reason };
  report(layoutProblems.create('object-unwritable', args, { subject: { object, path: [] } }));
}

/** Documents that are not objects were never read as such, and are kept. */
function hasData(source: SourceFile): boolean {
  const { documents, diagnostics } = readYaml(source);
  return diagnostics.length > 0 || documents.some(({ data }) => data !== undefined);
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
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

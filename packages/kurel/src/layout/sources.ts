import { describeObject } from '../kube/index.ts';
import type { KubeObject, OriginTable, OutputFile, Report, SourceFile, TextOrigin } from '../model/index.ts';
import { readYaml } from '../yaml/index.ts';
import { layoutProblems } from './problems.ts';
import { refuseHiddenItems } from './layout.ts';
import { editSourceDocument } from './sources-document.ts';
import type { SourceDocument, SourceObject } from './sources-document.ts';

export interface SourcesInput {
  /** All objects of the texts, as they were read. */
  readonly before: readonly KubeObject[];
  /** What became of them, each with the origin of what it was. Those that have no successor are cut out of their texts. */
  readonly objects: readonly KubeObject[];
  readonly origins: OriginTable;
  readonly report: Report;
}

/** The texts that the objects were read from, with what changed in the objects changed in them and nothing else. */
export function layOutSources(input: SourcesInput): readonly OutputFile[] {
  refuseHiddenItems(input);
  return gatherSources(input).map(({ source, documents }) => ({
    path: source.path,
    text: editSource(source, [...documents.values()], input),
  }));
}

interface Source {
  readonly source: SourceFile;
  /** By where they start, in the order of the text. */
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
    // Items of a List that are aliases of one another are one object with one origin; each takes its turn.
    document.objects.push({ parsed: text.parsed, before: object, now: successors.get(text)?.shift() });
  }
  for (const object of [...successors.values()].flat()) refuse(object, 'it is in none of the texts', input);
  return [...sources.values()];
}

function gatherSuccessors(input: SourcesInput): ReadonlyMap<TextOrigin, KubeObject[]> {
  const successors = new Map<TextOrigin, KubeObject[]>();
  for (const object of input.objects) {
    const text = input.origins.get(object)?.text;
    if (text === undefined) refuse(object, 'it was not read from a text', input);
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
    // The end of a document that is gone, with none before it that it could end.
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

/** Documents that are no objects were never read as such, and stay. */
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

/** Where the `---` of the document at `start` begins, with the directives above it; `start` when it has none behind `from`. */
function separatorStart(text: string, { start, from }: { readonly start: number; readonly from: number }): number {
  if (start - 3 >= from && isSeparator(text, start - 3, start)) return withDirectives(text, { start: start - 3, from });
  const line = previousLine(text, start);
  if (line < from || !isSeparator(text, line, start)) return start;
  return withDirectives(text, { start: line, from });
}

/** The place behind a `---` that has its line for itself: a document without one in front takes that of the next with it. */
function skipSeparator(text: string, position: number): number {
  const end = nextLine(text, position);
  return isSeparator(text, position, end) ? end : skipDocumentEnd(text, position);
}

/** The place behind the line of a `...`, which may have a comment. */
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

/** The start of the line that ends right before `position`, which is the start of a line. */
function previousLine(text: string, position: number): number {
  return position < 2 ? 0 : text.lastIndexOf('\n', position - 2) + 1;
}

function nextLine(text: string, position: number): number {
  const end = text.indexOf('\n', position);
  return end === -1 ? text.length : end + 1;
}

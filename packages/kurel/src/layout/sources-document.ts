import type { Json, Range, SourceFile } from '../model/index.ts';
import { editDocument, readYaml, writeJson, writeYaml } from '../yaml/index.ts';
import { cutListItems, stateListItems, type SourceObject } from './sources-list.ts';

export interface SourceDocument {
  readonly range: Range;
  /** The objects are items of the document; otherwise the only one is the document itself. */
  readonly isList: boolean;
  readonly objects: readonly SourceObject[];
}

/** The text of a document with the changes of its objects; `undefined` when none of them is left. */
export function editSourceDocument(source: SourceFile, document: SourceDocument): string | undefined {
  const { range, isList, objects } = document;
  const text = source.text.slice(range.start, range.end);
  if (objects.every(({ before, now }) => now === before)) return text;
  if (objects.every(({ now }) => now === undefined)) return undefined;
  const [{ said, now } = {}] = objects;
  const edit = isList ? editList(source, document) : applyChange(source, range, { said: said!, wanted: now! });
  if (edit.text === text) return text;
  const kept = isJson(text) && !isJson(edit.text) ? printJson(text, edit.wanted) : edit.text;
  return range.end === source.text.length ? endWithLineBreak(kept, text) : kept;
}

interface DocumentEdit {
  readonly text: string;
  readonly wanted: Json;
}

interface DocumentChange {
  readonly said: Json;
  readonly wanted: Json;
}

function applyChange(source: SourceFile, range: Range, change: DocumentChange): DocumentEdit {
  return { text: editDocument(source, range, change), wanted: change.wanted };
}

/** What is gone goes first: which of the items left was which is then plain from their order. */
function editList(source: SourceFile, { range, objects }: SourceDocument): DocumentEdit {
  const text = source.text.slice(range.start, range.end);
  const said = readYaml({ path: source.path, text }).documents[0]?.data ?? null;
  const wanted = stateListItems(said, objects);
  if (objects.every(({ now }) => now !== undefined)) return applyChange(source, range, { said, wanted });
  const left = cutListItems(said, objects);
  const cut = editDocument(source, range, { said, wanted: left });
  const cutSource = { path: source.path, text: source.text.slice(0, range.start) + cut };
  return applyChange(cutSource, { start: range.start, end: cutSource.text.length }, { said: left, wanted });
}

function isJson(text: string): boolean {
  if (!text.trimStart().startsWith('{')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function printJson(text: string, data: Json): string {
  const start = text.slice(0, text.length - text.trimStart().length);
  const end = text.slice(text.trimEnd().length);
  return start + writeJson(data).replaceAll('\n', lineBreakOf(text)) + end;
}

/** A line break more would become part of a block of text that ends the file without one. */
function endWithLineBreak(text: string, like: string): string {
  if (text.endsWith('\n')) return text;
  const ended = text + lineBreakOf(like);
  return meaningOf(ended) === meaningOf(text) ? ended : text;
}

function meaningOf(text: string): string {
  return writeYaml(readYaml({ path: '', text }).documents[0]?.data ?? null);
}

function lineBreakOf(text: string): string {
  return text[text.indexOf('\n') - 1] === '\r' ? '\r\n' : '\n';
}

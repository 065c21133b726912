import { decodeObjects } from '../kube/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, KubeObject, Path, Range, SourceFile } from '../model/index.ts';
import { editDocument, readYaml, writeJson } from '../yaml/index.ts';
import { endWithLineBreak, isJson, lineBreakOf } from './write-object.ts';

export interface SourceDocument {
  readonly range: Range;
  /** Whether the objects are items of the document; otherwise the document is the only object. */
  readonly isList: boolean;
  readonly objects: readonly SourceObject[];
}

/** The text of a document with its objects updated; `undefined` if none remains. */
export function editSourceDocument(source: SourceFile, document: SourceDocument): string | undefined {
  const { range, isList, objects } = document;
  const text = source.text.slice(range.start, range.end);
  if (objects.every(({ before, now }) => now === before)) return text;
  if (objects.every(({ now }) => now === undefined)) return undefined;
  const [{ parsed, now } = {}] = objects;
  const edit = isList ? editList(source, document) : applyChange(source, range, { parsed: parsed!, wanted: now! });
  if (edit.text === text) return text;
  const kept = isJson(text) && !isJson(edit.text) ? printJson(text, edit.wanted) : edit.text;
  return range.end === source.text.length ? endWithLineBreak(kept) : kept;
}

interface DocumentEdit {
  readonly text: string;
  readonly wanted: Json;
}

interface DocumentChange {
  readonly parsed: Json;
  readonly wanted: Json;
}

function applyChange(source: SourceFile, range: Range, change: DocumentChange): DocumentEdit {
  return { text: editDocument(source, range, change), wanted: change.wanted };
}

/** Data of a document with its objects updated. */
export function stateSourceDocument(source: SourceFile, { range, isList, objects }: SourceDocument): Json {
  if (!isList) return objects[0]!.now!;
  return stateListItems(readRange(source, range), objects);
}

function readRange({ path, text }: SourceFile, { start, end }: Range): Json {
  return readYaml({ path, text: text.slice(start, end) }).documents[0]?.data ?? null;
}

/** Removes items first, so that the remaining ones can be matched by order. */
function editList(source: SourceFile, { range, objects }: SourceDocument): DocumentEdit {
  const parsed = readRange(source, range);
  const wanted = stateListItems(parsed, objects);
  if (objects.every(({ now }) => now !== undefined)) return applyChange(source, range, { parsed, wanted });
  const left = cutListItems(parsed, objects);
  const cut = editDocument(source, range, { parsed, wanted: left });
  const cutSource = { path: source.path, text: source.text.slice(0, range.start) + cut };
  return applyChange(cutSource, { start: range.start, end: cutSource.text.length }, { parsed: left, wanted });
}

function printJson(text: string, data: Json): string {
  const start = text.slice(0, text.length - text.trimStart().length);
  const end = text.slice(text.trimEnd().length);
  return start + writeJson(data).replaceAll('\n', lineBreakOf(text)) + end;
}

export interface SourceObject {
  /** Object as parsed from the text. */
  readonly parsed: KubeObject;
  readonly before: KubeObject;
  /** `undefined` if it was removed. */
  readonly now: KubeObject | undefined;
}

/** Data of a List with its objects updated. */
function stateListItems(list: Json, objects: readonly SourceObject[]): Json {
  return placeItems(list, objects, stateItem);
}

/** The List without removed objects; the others are unchanged. */
function cutListItems(list: Json, objects: readonly SourceObject[]): Json {
  return placeItems(list, objects, (item, { now }) => (now === undefined ? undefined : item));
}

/** Items of typed lists get their type from the list, so their text need not include it. */
function stateItem(item: Json, { parsed, before, now }: SourceObject): Json | undefined {
  if (now === undefined) return undefined;
  if (now === before) return item;
  const stated = isJsonObject(item) ? item : {};
  const inherited = ['apiVersion', 'kind'].filter((key) => !Object.hasOwn(stated, key) && now[key] === parsed[key]);
  return Object.fromEntries(Object.entries(now).filter(([key]) => !inherited.includes(key)));
}

type Place = (item: Json, object: SourceObject) => Json | undefined;

function placeItems(list: Json, objects: readonly SourceObject[], place: Place): Json {
  const found = decodeObjects([{ index: 0, data: list }], { file: '', report: () => {}, onSkip: () => {} });
  const byKey = new Map(found.map(({ path = [] }, index) => [keyOf(path), objects[index]!]));
  return placeIn(list, '', { byKey, place }) ?? null;
}

interface Placing {
  readonly byKey: ReadonlyMap<string, SourceObject>;
  readonly place: Place;
}

/** A List is removed with its last item. */
function placeIn(data: Json, key: string, placing: Placing): Json | undefined {
  const object = placing.byKey.get(key);
  if (object !== undefined) return placing.place(data, object);
  if (!isJsonObject(data) || !isJsonArray(data['items'])) return data;
  const { items } = data;
  const left = items
    .map((item, index) => placeIn(item, `${key}.${index}`, placing))
    .filter((item) => item !== undefined);
  return left.length === 0 && items.length > 0 ? undefined : { ...data, items: left };
}

function keyOf(path: Path): string {
  return path.map((step) => (typeof step === 'number' ? `.${step}` : '')).join('');
}

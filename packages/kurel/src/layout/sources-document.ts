import { decodeObjects } from '../kube/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, KubeObject, Path, Range, SourceFile } from '../model/index.ts';
import { editDocument, readYaml, writeJson } from '../yaml/index.ts';
import { endWithLineBreak, isJson, lineBreakOf } from './write-object.ts';

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

/** What a document says once its objects are what they are now. */
export function stateSourceDocument(source: SourceFile, { range, isList, objects }: SourceDocument): Json {
  if (!isList) return objects[0]!.now!;
  return stateListItems(readRange(source, range), objects);
}

function readRange({ path, text }: SourceFile, { start, end }: Range): Json {
  return readYaml({ path, text: text.slice(start, end) }).documents[0]?.data ?? null;
}

/** What is gone goes first: which of the items left was which is then plain from their order. */
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
  /** What the text says. */
  readonly parsed: KubeObject;
  readonly before: KubeObject;
  /** `undefined` when it is gone. */
  readonly now: KubeObject | undefined;
}

/** What a List says once its objects are what they are now. */
function stateListItems(list: Json, objects: readonly SourceObject[]): Json {
  return placeItems(list, objects, stateItem);
}

/** The List without the objects that are gone; the others are as they were. */
function cutListItems(list: Json, objects: readonly SourceObject[]): Json {
  return placeItems(list, objects, (item, { now }) => (now === undefined ? undefined : item));
}

/** Items of typed lists have their type from the list, so the text of the item need not say it. */
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

/** A List goes with the last of its items. */
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

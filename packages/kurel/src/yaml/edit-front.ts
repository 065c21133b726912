import { isJsonObject, type Json, type JsonObject, type Range, type SourceFile } from '../model/index.ts';
import { attemptEdit, readsAs } from './edit-attempt.ts';
import { isSame } from './edit-equal.ts';
import { endsLine, makeSheet } from './edit-sheet.ts';
import type { Marks } from './marks.ts';
import { type MarkedDocument, readMarkedDocument } from './read-marked-document.ts';

/** The keys of the root whose values differ; undefined when not only values do, or when it is not known what was said. */
export function findChangedKeys(said: Json | undefined, wanted: Json): ReadonlySet<string> | undefined {
  if (!isJsonObject(said) || !isJsonObject(wanted)) return undefined;
  const keys = Object.keys(said);
  if (keys.length !== Object.keys(wanted).length) return undefined;
  const changed = new Set<string>();
  for (const key of keys) {
    const other = Object.hasOwn(wanted, key) ? wanted[key] : undefined;
    if (other === undefined) return undefined;
    if (!isSame(said[key]!, other)) changed.add(key);
  }
  return changed;
}

/**
 * Edits a document of which only the front was read: the entries of its root up to the last one that changes. Undefined
 * when this cannot be done, or not for certain.
 *
 * What follows keeps its text and its meaning, so only the new front is read again. Behind a line break, at a key of the
 * root, nothing can still be open: whatever a front that reads well by itself ends with, such a line ends it as the end of
 * the text does. What a key of the root then means depends on nothing but anchors and merge keys before it, of which the
 * front has none, and on the names of the keys before it, which stay.
 */
export function editFront(
  document: SourceFile,
  place: Range,
  { marked, wanted }: { readonly marked: MarkedDocument; readonly wanted: Json },
): string | undefined {
  const { data: said, marks, stop = place.end, hasAnchors } = marked;
  const root = isJsonObject(said) ? marks.get(said) : undefined;
  if (!isJsonObject(said) || !isJsonObject(wanted) || root === undefined) return undefined;
  const isBare = !hasAnchors && root.entries.every(({ key }) => key !== '<<');
  if (!isBare || !endsLine(document.text.slice(0, stop))) return undefined;
  let all: Marks | undefined;
  const readAllMarks = () => (all ??= readMarkedDocument(document, place).marks);
  const sheet = { ...makeSheet(document, place, marks), readAllMarks };
  const wantedFront = pickKeys(wanted, said);
  const text = attemptEdit(sheet, { said, wanted: wantedFront, reprint: 'nothing' });
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

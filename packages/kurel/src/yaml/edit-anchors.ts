import type { Json, JsonObject } from '../model/index.ts';
import { isJsonObject, isSameJson } from '../model/index.ts';
import type { Sheet } from './edit-sheet.ts';
import { skipBlank } from './edit-sheet.ts';
import type { EntryMark } from './marks.ts';

/** What each anchor will stand for after the edit, by name; filled in the order of the text, as a reader would. */
export type Anchors = Map<string, Json>;

const DECORATION = /[&!][^\s,[\]{}]*/uy;

/** The anchor in front of a value, and where the value itself begins. */
export function readDecoration(sheet: Sheet, entry: EntryMark): { readonly anchor: string; readonly start: number } {
  let anchor = '';
  let start = entry.valueRange.start;
  while (entry.decorated && start < entry.valueRange.end) {
    DECORATION.lastIndex = start;
    const token = DECORATION.exec(sheet.text)?.[0];
    if (token === undefined) break;
    if (token.startsWith('&')) anchor = token;
    start = Math.min(skipBlank(sheet, start + token.length), entry.valueRange.end);
  }
  return { anchor, start };
}

/** Whether the alias at an entry will stand for the wanted value without being touched. */
export function aliasHolds(
  sheet: Sheet,
  entry: EntryMark,
  { anchors, wanted }: { anchors: Anchors; wanted: Json },
): boolean {
  const target = anchors.get(sheet.text.slice(entry.valueRange.start + 1, entry.valueRange.end));
  return target !== undefined && isSameJson(target, wanted);
}

/** What a merge key will provide after the edit; null when its source is gone, undefined when it is not an alias. */
export function readProvided(sheet: Sheet, merge: EntryMark, anchors: Anchors): JsonObject | null | undefined {
  const text = sheet.text.slice(merge.valueRange.start, merge.valueRange.end);
  const names = (/^\[.*\]$/su.test(text) ? text.slice(1, -1).split(',') : [text]).map((name) => name.trim());
  if (!names.every((name) => name.startsWith('*'))) return undefined;
  const provided: { [key: string]: Json } = {};
  for (const name of names) {
    const target = anchors.get(name.slice(1));
    if (!isJsonObject(target)) return null;
    for (const [key, value] of Object.entries(target)) if (!Object.hasOwn(provided, key)) provided[key] = value;
  }
  return provided;
}

import { isSameJson } from '../model/index.ts';
import type { Json, JsonArray, JsonObject } from '../model/index.ts';
import { applySplices, entryLines, readProvided, removeEntries, beginsLine, withoutLastBreak } from './edit-sheet.ts';
import type { Edit, Trail } from './edit-sheet.ts';
import { findLayout } from './edit-value.ts';
import { matchItems } from './edit-match.ts';
import type { ListMatch } from './edit-match.ts';
import type { EntryMark } from './reading.ts';
import { isFilled, KUBECTL_LAYOUT, writeBlock } from './write-yaml.ts';

/** The old and the wanted data of the collection at the end of the trail. */
export interface CollectionChange<Data> {
  readonly trail: Trail;
  readonly parsed: Data;
  readonly wanted: Data;
}

export interface MappingPlan {
  /** Without the merge key. */
  readonly kept: readonly EntryMark[];
  readonly removed: readonly EntryMark[];
  /** The merge key, if it is kept. */
  readonly merge?: EntryMark;
  /** In the order of the wanted object. */
  readonly added: JsonObject;
  /** A merge key that provides unwanted entries, and the entries that replace it. */
  readonly expanded?: { readonly merge: EntryMark; readonly entries: JsonObject };
}

const MERGE = '<<';

export function planMapping(
  { sheet, anchors }: Edit,
  { trail: { mark }, parsed, wanted }: CollectionChange<JsonObject>,
): MappingPlan {
  const merge = Object.hasOwn(parsed, MERGE) ? undefined : mark.entries.find((entry) => entry.key === MERGE);
  const others = mark.entries.filter((entry) => entry !== merge);
  const removed = others.filter((entry) => !Object.hasOwn(wanted, entry.key));
  const kept = others.filter((entry) => Object.hasOwn(wanted, entry.key));
  if (merge === undefined) return { kept, removed, added: pick(wanted, (key) => !Object.hasOwn(parsed, key)) };
  const written = new Set(mark.entries.map((entry) => entry.key));
  const provided = anchors && readProvided(sheet, merge, anchors);
  const expands =
    provided === undefined
      ? !isSameJson(parsed, wanted)
      : provided === null || Object.keys(provided).some((key) => !Object.hasOwn(wanted, key));
  if (!expands) {
    const holds = (key: string) =>
      !provided || (Object.hasOwn(provided, key) && isSameJson(provided[key], wanted[key]));
    return { kept, removed, merge, added: pick(wanted, (key) => !written.has(key) && !holds(key)) };
  }
  const entries = pick(wanted, (key) => !written.has(key) && Object.hasOwn(parsed, key));
  return {
    kept,
    removed,
    added: pick(wanted, (key) => !written.has(key) && !Object.hasOwn(parsed, key)),
    expanded: { merge, entries },
  };
}

/** Edits an object in block style; false when nothing of it would be kept. */
export function editBlockMapping(edit: Edit, change: CollectionChange<JsonObject>): boolean {
  const { trail, parsed, wanted } = change;
  const { mark } = trail;
  const { kept, removed, added, merge, expanded } = planMapping(edit, change);
  const isExpanded = expanded !== undefined && isFilled(expanded.entries);
  const staying = lastOf([kept.at(-1), merge, isExpanded ? expanded.merge : undefined]);
  if (staying === undefined) return false;
  const gone = expanded !== undefined && !isExpanded ? [...removed, expanded.merge] : removed;
  removeEntries(
    edit,
    mark,
    gone.toSorted((a, b) => a.range.start - b.range.start),
  );
  if (isExpanded) expandMerge(edit, trail, expanded);
  for (const entry of kept)
    edit.editValue(edit, { trail, entry, parsed: parsed[entry.key]!, wanted: wanted[entry.key]! });
  if (isFilled(added)) {
    const { end } = entryLines(edit.sheet, mark, staying);
    edit.splices.push({ start: end, end, text: edit.sheet.eol + writeEntries(edit, trail, added) });
  }
  return true;
}

/** The entry that comes last in the text. */
export function lastOf(entries: readonly (EntryMark | undefined)[]): EntryMark | undefined {
  const present = entries.filter((entry) => entry !== undefined);
  return present.reduce<EntryMark | undefined>((last, entry) => {
    return last === undefined || entry.range.start > last.range.start ? entry : last;
  }, undefined);
}

function expandMerge(edit: Edit, trail: Trail, { merge, entries }: { merge: EntryMark; entries: JsonObject }): void {
  const { end } = entryLines(edit.sheet, trail.mark, merge);
  const text = writeEntries(edit, trail, entries).trimStart();
  edit.splices.push({ start: merge.range.start, end, text });
}

function writeEntries(edit: Edit, trail: Trail, entries: JsonObject): string {
  const isFlat = Object.values(entries).every((value) => {
    return typeof value === 'string' ? !value.includes('\n') : !isFilled(value);
  });
  const layout = isFlat ? KUBECTL_LAYOUT : findLayout(edit, trail);
  return withoutLastBreak(edit.sheet, writeBlock(entries, { column: trail.mark.indent, layout }));
}

function pick(data: JsonObject, isPicked: (key: string) => boolean): JsonObject {
  const picked: { [key: string]: Json } = {};
  for (const key of Object.keys(data)) if (isPicked(key)) picked[key] = data[key]!;
  return picked;
}

/** Edits a list in block style; false when no item would keep its place. */
export function editBlockList(edit: Edit, change: CollectionChange<JsonArray>): boolean {
  const { trail, parsed, wanted } = change;
  const { mark } = trail;
  const match = matchItems(parsed, wanted);
  const staying = new Set(match.from.filter((_, index) => match.stays[index]));
  if (staying.size === 0) return false;
  const first = mark.entries[0]!;
  // If the first item of a list after another dash is removed, the next item takes over its line.
  const isTakenOver = !staying.has(0) && match.stays[0] !== true && !beginsLine(edit.sheet, first.range.start);
  const removed = mark.entries.filter((_, index) => !staying.has(index) && !(isTakenOver && index === 0));
  removeEntries(edit, mark, removed);
  const texts = writeMoved(edit, change, match);
  if (texts === undefined) return false;
  const textOf = (index: number) => texts.get(index) ?? writeItem(edit, trail, wanted[index]!);
  insertItems(edit, trail, { match, textOf, ...(isTakenOver ? { inPlaceOf: first } : {}) });
  return true;
}

/** Edits the old items in text order; returns the texts of those that move. */
function writeMoved(
  edit: Edit,
  { trail, parsed, wanted }: CollectionChange<JsonArray>,
  match: ListMatch,
): Map<number, string> | undefined {
  const { mark } = trail;
  const texts = new Map<number, string>();
  const target = new Map(match.from.map((source, index) => [source, index]));
  for (const [source, entry] of mark.entries.entries()) {
    const index = target.get(source);
    if (index === undefined) continue;
    const item = { trail, entry, parsed: parsed[source]!, wanted: wanted[index]! };
    if (match.stays[index] === true) {
      edit.editValue(edit, item);
      continue;
    }
    const lines = entryLines(edit.sheet, mark, entry);
    const inner: Edit = { ...edit, splices: [] };
    edit.editValue(inner, item);
    const text = applySplices(edit.sheet.text, lines, inner.splices);
    if (text === undefined) return undefined;
    texts.set(index, lines.ownsLine ? text : ' '.repeat(mark.indent) + text);
  }
  return texts;
}

interface Insertion {
  readonly match: ListMatch;
  readonly textOf: (index: number) => string;
  /** An item whose place is taken by the items before it. */
  readonly inPlaceOf?: EntryMark;
}

/** Inserts new and moved items after the item before them, or before the first item that stays. */
function insertItems(edit: Edit, { mark }: Trail, { match, textOf, inPlaceOf }: Insertion): void {
  const { sheet, splices } = edit;
  let before: EntryMark | undefined;
  const front: string[] = [];
  for (let index = 0; index < match.from.length; index++) {
    if (match.stays[index] === true) {
      const entry = mark.entries[match.from[index]!]!;
      if (before === undefined && front.length > 0) {
        const { start, end, ownsLine } = entryLines(sheet, mark, inPlaceOf ?? entry);
        const text = front.join(sheet.eol);
        if (inPlaceOf !== undefined) splices.push({ start, end, text: text.slice(mark.indent) });
        else if (ownsLine) splices.push({ start, end: start, text: text + sheet.eol });
        else
          splices.push({ start, end: start, text: `${text.slice(mark.indent)}${sheet.eol}${' '.repeat(mark.indent)}` });
      }
      before = entry;
    } else if (before === undefined) front.push(textOf(index));
    else {
      const { end } = entryLines(sheet, mark, before);
      splices.push({ start: end, end, text: sheet.eol + textOf(index) });
    }
  }
}

function writeItem(edit: Edit, trail: Trail, item: Json): string {
  const place = { column: trail.mark.indent, layout: findLayout(edit, trail) };
  return withoutLastBreak(edit.sheet, writeBlock([item], place));
}

import type { Json, JsonArray } from '../model/index.ts';
import type { Edit, Trail } from './edit-context.ts';
import { entryLines, removeEntries } from './edit-entries.ts';
import { findLayout } from './edit-layout.ts';
import { type ListMatch, matchItems } from './edit-match.ts';
import { beginsLine, withoutLastBreak } from './edit-sheet.ts';
import { applySplices } from './edit-splice.ts';
import type { EntryMark } from './marks.ts';
import { writeBlock } from './write-yaml.ts';

export interface ListChange {
  readonly trail: Trail;
  readonly said: JsonArray;
  readonly wanted: JsonArray;
}

/** Edits a list in block style; false when none of its items would keep its place. */
export function editBlockList(edit: Edit, change: ListChange): boolean {
  const { trail, said, wanted } = change;
  const { mark } = trail;
  const match = matchItems(said, wanted);
  const staying = new Set(match.from.filter((_, index) => match.stays[index]));
  if (staying.size === 0) return false;
  const first = mark.entries[0]!;
  // The first item of a list behind another dash cannot leave its line without leaving it to the next.
  const isTakenOver = !staying.has(0) && match.stays[0] !== true && !beginsLine(edit.sheet, first.range.start);
  const removed = mark.entries.filter((_, index) => !staying.has(index) && !(isTakenOver && index === 0));
  removeEntries(edit, mark, removed);
  const texts = writeMoved(edit, change, match);
  if (texts === undefined) return false;
  const textOf = (index: number) => texts.get(index) ?? writeItem(edit, trail, wanted[index]!);
  insertItems(edit, trail, { match, textOf, ...(isTakenOver ? { inPlaceOf: first } : {}) });
  return true;
}

/** Edits the old items in the order of the text; gives the texts of those that move. */
function writeMoved(
  edit: Edit,
  { trail, said, wanted }: ListChange,
  match: ListMatch,
): Map<number, string> | undefined {
  const { mark } = trail;
  const texts = new Map<number, string>();
  const target = new Map(match.from.map((source, index) => [source, index]));
  for (const [source, entry] of mark.entries.entries()) {
    const index = target.get(source);
    if (index === undefined) continue;
    const item = { trail, entry, said: said[source]!, wanted: wanted[index]! };
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
  /** An item that gives its place to those in front. */
  readonly inPlaceOf?: EntryMark;
}

/** New and moved items go behind the item before them, or in front of the first that stays. */
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

import type { Edit, Trail } from './edit-context.ts';
import { findFlowStyle } from './edit-layout.ts';
import type { ListChange } from './edit-list.ts';
import { lastOf, type MappingChange, planMapping } from './edit-mapping.ts';
import { matchItems } from './edit-match.ts';
import { withLineBreaks } from './edit-sheet.ts';
import { applySplices } from './edit-splice.ts';
import type { EntryMark } from './marks.ts';
import { type FlowStyle, writeFlow, writeFlowKey } from './write-flow.ts';

/** Edits a mapping in braces; false when nothing of it would stay. */
export function editFlowMapping(edit: Edit, change: MappingChange): boolean {
  const { trail, said, wanted } = change;
  const plan = planMapping(edit, change);
  const last = lastOf([plan.kept.at(-1), plan.merge]);
  if (last === undefined) return false;
  for (const entry of plan.kept) {
    edit.editValue(edit, { trail, entry, said: said[entry.key]!, wanted: wanted[entry.key]! });
  }
  removeFlowEntries(edit, trail, new Set(plan.merge === undefined ? plan.kept : [...plan.kept, plan.merge]));
  const style = findFlowStyle(edit.sheet, trail);
  const added = Object.entries({ ...plan.expanded?.entries, ...plan.added }).map(([key, value]) => {
    return `${writeFlowKey(key, style)}${withLineBreaks(edit.sheet, writeFlow(value, style))}`;
  });
  insertAfter(edit, last, { texts: added, style });
  return true;
}

/** Edits a list in brackets; false when none of its items would keep its place. */
export function editFlowList(edit: Edit, { trail, said, wanted }: ListChange): boolean {
  const { entries } = trail.mark;
  const match = matchItems(said, wanted);
  const staying = new Set(match.from.filter((_, index) => match.stays[index]).map((source) => entries[source]!));
  if (staying.size === 0) return false;
  const style = findFlowStyle(edit.sheet, trail);
  let before: EntryMark | undefined;
  let texts: string[] = [];
  for (let index = 0; index < wanted.length; index++) {
    const source = match.from[index]!;
    const entry = entries[source];
    const item = entry && { trail, entry, said: said[source]!, wanted: wanted[index]! };
    if (item !== undefined && match.stays[index] === true) {
      if (before === undefined) insertBefore(edit, item.entry, { texts, style });
      else insertAfter(edit, before, { texts, style });
      edit.editValue(edit, item);
      before = item.entry;
      texts = [];
      continue;
    }
    const inner: Edit = { ...edit, splices: [] };
    if (item !== undefined) edit.editValue(inner, item);
    const moved = item && applySplices(edit.sheet.text, item.entry.range, inner.splices);
    texts.push(moved ?? withLineBreaks(edit.sheet, writeFlow(wanted[index]!, style)));
  }
  insertAfter(edit, before!, { texts, style });
  removeFlowEntries(edit, trail, staying);
  return true;
}

interface Insertion {
  readonly texts: readonly string[];
  readonly style: FlowStyle;
}

function insertBefore({ splices }: Edit, entry: EntryMark, { texts, style }: Insertion): void {
  const { start } = entry.range;
  splices.push({ start, end: start, text: texts.map((text) => text + style.comma).join('') });
}

const COMMENT_BEHIND = /(?:[ \t]+|[ \t]*(,)[ \t]+)#[^\r\n]*/uy;

function insertAfter({ sheet, splices }: Edit, entry: EntryMark, { texts, style }: Insertion): void {
  if (texts.length === 0) return;
  const { end } = entry.range;
  COMMENT_BEHIND.lastIndex = end;
  const comment = COMMENT_BEHIND.exec(sheet.text);
  if (comment === null || style.lines === undefined) {
    splices.push({ start: end, end, text: texts.map((text) => style.comma + text).join('') });
    return;
  }
  // The comment stays with its entry, so the new ones begin below it.
  const below = end + comment[0].length;
  const lines = style.comma + texts.join(style.comma);
  const hasComma = comment[1] !== undefined;
  if (!hasComma) splices.push({ start: end, end, text: ',' });
  splices.push({ start: below, end: below, text: lines.replace(/^[^\r\n]*/u, '') + (hasComma ? ',' : '') });
}

/** Each run of entries that go takes one comma with it: the one behind it, or at the end the one before. */
function removeFlowEntries({ sheet, splices }: Edit, { mark }: Trail, staying: ReadonlySet<EntryMark>): void {
  let before: EntryMark | undefined;
  let run: EntryMark[] = [];
  for (const entry of mark.entries) {
    if (!staying.has(entry)) {
      run.push(entry);
      continue;
    }
    if (run.length > 0) splices.push({ start: run[0]!.range.start, end: entry.range.start, text: '' });
    run = [];
    before = entry;
  }
  if (run.length === 0 || before === undefined) return;
  const { start } = run[0]!.range;
  const comma = sheet.text.slice(before.range.end, start);
  // A comment behind the comma belongs to the entry before; YAML does not mind a comma at the end.
  const from = comma.includes('#') ? before.range.end + comma.trimEnd().length : before.range.end;
  const end = run.at(-1)!.range.end;
  const ownComment = /^(?:[ \t]+|[ \t]*,[ \t]+)#[^\r\n]*/u.exec(sheet.text.slice(end, mark.range.end))?.[0] ?? '';
  splices.push({ start: from, end: end + ownComment.length, text: '' });
}

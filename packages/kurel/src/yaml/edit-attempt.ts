import { isJsonArray, isJsonObject, isSameJson } from '../model/index.ts';
import type { Json, JsonObject, JsonArray } from '../model/index.ts';
import {
  aliasHolds,
  applySplices,
  readDecoration,
  afterBreak,
  beforeBreak,
  lineEnd,
  lineStart,
  markOf,
  MARKER,
  skipBlank,
  startsLine,
  withLineBreaks,
  withoutLastBreak,
} from './edit-sheet.ts';
import type { Change, Edit, Reprint, Trail, Sheet } from './edit-sheet.ts';
import { findFlowStyle, replaceValue } from './edit-value.ts';
import { editBlockList, editBlockMapping, lastOf, planMapping } from './edit-mapping.ts';
import type { CollectionChange } from './edit-mapping.ts';
import { matchItems } from './edit-match.ts';
import type { EntryMark } from './reading.ts';
import { readYaml } from './read-yaml.ts';
import { isFilled, writeFlow, writeFlowKey, writeYaml } from './write-yaml.ts';
import type { FlowStyle } from './write-yaml.ts';

interface Attempt {
  readonly parsed: Json;
  readonly wanted: Json;
  readonly reprint: Reprint;
}

/** The text of the sheet with the differences spliced in; undefined when they overlap. */
export function attemptEdit(sheet: Sheet, { parsed, wanted, reprint }: Attempt): string | undefined {
  const star = sheet.text.indexOf('*', sheet.range.start);
  const anchors = star !== -1 && star < sheet.range.end ? new Map<string, Json>() : undefined;
  const edit: Edit = { sheet, splices: [], anchors, reprint, editValue };
  const mark = markOf(sheet.marks, parsed);
  const isEdited = mark !== undefined && editCollection(edit, { trail: { mark }, parsed, wanted });
  return isEdited ? applySplices(sheet.text, sheet.range, edit.splices) : replaceRoot(sheet, parsed, wanted);
}

/** Whether an edited text has the wanted data. */
export function readsAs(sheet: Sheet, text: string, wanted: Json): boolean {
  const { documents, diagnostics } = readYaml({ path: '', text: startsLine(sheet) ? text : MARKER + text });
  if (diagnostics.some((finding) => finding.severity === 'error') || documents.length > 1) return false;
  return isSameJson(documents[0]?.data ?? null, wanted);
}

function editValue(edit: Edit, change: Change): void {
  const { sheet, anchors, reprint } = edit;
  const { entry, parsed, wanted } = change;
  if (anchors !== undefined) {
    if (entry.value === 'alias') {
      if (!aliasHolds(sheet, entry, { anchors, wanted })) replaceValue(edit, change);
      return;
    }
    const { anchor } = readDecoration(sheet, entry);
    if (anchor !== '') anchors.set(anchor.slice(1), wanted);
  }
  const isUnchanged = isSameJson(parsed, wanted);
  // Aliases need attention even if nothing changes.
  if (isUnchanged && anchors === undefined) return;
  const mark = markOf(sheet.marks, parsed);
  if (mark === undefined) {
    if (!isUnchanged) replaceValue(edit, change);
    return;
  }
  const collected = edit.splices.length;
  const isPrinted = reprint === 'lists' && isJsonArray(parsed) && !isUnchanged;
  if (!isPrinted && editCollection(edit, { trail: { mark, up: change.trail }, parsed, wanted })) return;
  edit.splices.length = collected;
  replaceValue(edit, change);
}

/** Edits inside a collection; false when it has to be replaced as a whole. */
function editCollection(edit: Edit, { trail, parsed, wanted }: CollectionChange<Json>): boolean {
  const isFlow = trail.mark.style === 'flow';
  // Not `isFilled(parsed)`: an object may contain a merge key that adds nothing.
  if (trail.mark.entries.length === 0) return isSameJson(parsed, wanted);
  if (isJsonArray(parsed) && isJsonArray(wanted)) {
    return (isFlow ? editFlowList : editBlockList)(edit, { trail, parsed, wanted });
  }
  if (isJsonObject(parsed) && isJsonObject(wanted)) {
    return (isFlow ? editFlowMapping : editBlockMapping)(edit, { trail, parsed, wanted });
  }
  return false;
}

/** The document with another root; the comments above and below the old root stay. */
function replaceRoot(sheet: Sheet, parsed: Json, wanted: Json): string | undefined {
  const mark = markOf(sheet.marks, parsed);
  if (mark === undefined) return replaceContent(sheet, wanted);
  if (mark.style === 'flow' && mark.entries.length > 0 && isFilled(wanted)) {
    const { lines, ...style } = findFlowStyle(sheet, { mark });
    const step = lines?.step;
    const text = writeFlow(wanted, step === undefined ? style : { ...style, comma: ', ', lines: { pad: '', step } });
    return applySplices(sheet.text, sheet.range, [{ ...mark.range, text: withLineBreaks(sheet, text) }]);
  }
  const text = withoutLastBreak(sheet, writeYaml(wanted));
  const end = lineEnd(sheet, beforeBreak(sheet, mark.range.end));
  if (!isFilled(wanted) && mark.style === 'flow')
    return applySplices(sheet.text, sheet.range, [{ ...mark.range, text }]);
  // A comment after empty brackets stays above the lines that replace them.
  const comment = mark.style === 'flow' ? sheet.text.slice(mark.range.end, end).trim() : '';
  const start = lineStart(sheet, mark.range.start);
  const isBehindMarker = start === sheet.range.start && !startsLine(sheet);
  const lead = isBehindMarker
    ? `${comment === '' ? '' : ` ${comment}`}${sheet.eol}`
    : comment === ''
      ? ''
      : comment + sheet.eol;
  return applySplices(sheet.text, sheet.range, [{ start, end, text: lead + text }]);
}

/** Replaces everything after the leading comments of the document with data. */
function replaceContent(sheet: Sheet, wanted: Json): string {
  const { start, end } = sheet.range;
  let content = start;
  for (;;) {
    const next = skipBlank(sheet, content);
    if (next === end || sheet.text[next] !== '#') {
      content = next === end ? end : Math.max(content, lineStart(sheet, next));
      break;
    }
    content = afterBreak(sheet, lineEnd(sheet, next));
  }
  const above = sheet.text.slice(start, content);
  const endsLine = above === '' ? startsLine(sheet) : /[\r\n]$/u.test(above);
  return above + (endsLine ? '' : sheet.eol) + withLineBreaks(sheet, writeYaml(wanted));
}

/** Edits an object in braces; false when nothing of it would be kept. */
function editFlowMapping(edit: Edit, change: CollectionChange<JsonObject>): boolean {
  const { trail, parsed, wanted } = change;
  const plan = planMapping(edit, change);
  const last = lastOf([plan.kept.at(-1), plan.merge]);
  if (last === undefined) return false;
  for (const entry of plan.kept) {
    edit.editValue(edit, { trail, entry, parsed: parsed[entry.key]!, wanted: wanted[entry.key]! });
  }
  removeFlowEntries(edit, trail, new Set(plan.merge === undefined ? plan.kept : [...plan.kept, plan.merge]));
  const style = findFlowStyle(edit.sheet, trail);
  const added = Object.entries({ ...plan.expanded?.entries, ...plan.added }).map(([key, value]) => {
    return `${writeFlowKey(key, style)}${withLineBreaks(edit.sheet, writeFlow(value, style))}`;
  });
  insertAfter(edit, last, { texts: added, style });
  return true;
}

/** Edits a list in brackets; false when no item would keep its place. */
function editFlowList(edit: Edit, { trail, parsed, wanted }: CollectionChange<JsonArray>): boolean {
  const { entries } = trail.mark;
  const match = matchItems(parsed, wanted);
  const staying = new Set(match.from.filter((_, index) => match.stays[index]).map((source) => entries[source]!));
  if (staying.size === 0) return false;
  const style = findFlowStyle(edit.sheet, trail);
  let before: EntryMark | undefined;
  let texts: string[] = [];
  for (let index = 0; index < wanted.length; index++) {
    const source = match.from[index]!;
    const entry = entries[source];
    const item = entry && { trail, entry, parsed: parsed[source]!, wanted: wanted[index]! };
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
  // The comment stays with its entry, so the new entries start below it.
  const below = end + comment[0].length;
  const lines = style.comma + texts.join(style.comma);
  const hasComma = comment[1] !== undefined;
  if (!hasComma) splices.push({ start: end, end, text: ',' });
  splices.push({ start: below, end: below, text: lines.replace(/^[^\r\n]*/u, '') + (hasComma ? ',' : '') });
}

/** Each run of removed entries takes one comma with it: the one after it, or at the end the one before. */
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
  // A comment after the comma belongs to the entry before it; YAML allows a trailing comma.
  const from = comma.includes('#') ? before.range.end + comma.trimEnd().length : before.range.end;
  const end = run.at(-1)!.range.end;
  const ownComment = /^(?:[ \t]+|[ \t]*,[ \t]+)#[^\r\n]*/u.exec(sheet.text.slice(end, mark.range.end))?.[0] ?? '';
  splices.push({ start: from, end: end + ownComment.length, text: '' });
}

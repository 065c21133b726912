import { isJsonArray, isJsonObject, type Json } from '../model/index.ts';
import { aliasHolds, readDecoration } from './edit-anchors.ts';
import type { Change, Edit, Reprint, Trail } from './edit-context.ts';
import { isSame } from './edit-equal.ts';
import { editFlowList, editFlowMapping } from './edit-flow.ts';
import { editBlockList } from './edit-list.ts';
import { editBlockMapping } from './edit-mapping.ts';
import { replaceRoot } from './edit-root.ts';
import { MARKER, type Sheet, startsLine } from './edit-sheet.ts';
import { applySplices } from './edit-splice.ts';
import { replaceValue } from './edit-value.ts';
import { readYaml } from './read-yaml.ts';
import { isFilled } from './write-yaml.ts';

export interface Attempt {
  readonly said: Json;
  readonly wanted: Json;
  readonly reprint: Reprint;
  readonly closes?: boolean;
}

/** The text of the sheet with the differences spliced in; undefined when they get in each other's way. */
export function attemptEdit(sheet: Sheet, { said, wanted, reprint, closes = false }: Attempt): string | undefined {
  const star = sheet.text.indexOf('*', sheet.range.start);
  const anchors = star !== -1 && star < sheet.range.end ? new Map<string, Json>() : undefined;
  const edit: Edit = { sheet, splices: [], anchors, reprint, closes, editValue };
  const mark = typeof said === 'object' && said !== null ? sheet.marks.get(said) : undefined;
  const isEdited = mark !== undefined && editCollection(edit, { trail: { mark }, said, wanted });
  return isEdited ? applySplices(sheet.text, sheet.range, edit.splices) : replaceRoot(sheet, said, wanted);
}

/** Whether an edited text says what it should. */
export function readsAs(sheet: Sheet, text: string, wanted: Json): boolean {
  const { documents, diagnostics } = readYaml({ path: '', text: startsLine(sheet) ? text : MARKER + text });
  if (diagnostics.some((finding) => finding.severity === 'error') || documents.length > 1) return false;
  return isSame(documents[0]?.data ?? null, wanted);
}

function editValue(edit: Edit, change: Change): void {
  const { sheet, anchors, reprint } = edit;
  const { entry, said, wanted } = change;
  if (anchors !== undefined) {
    if (entry.value === 'alias') {
      if (!aliasHolds(sheet, entry, { anchors, wanted })) replaceValue(edit, change);
      return;
    }
    const { anchor } = readDecoration(sheet, entry);
    if (anchor !== '') anchors.set(anchor.slice(1), wanted);
  }
  const isUnchanged = isSame(said, wanted);
  // Aliases and an open end have to be looked at even where nothing changes.
  if (isUnchanged && anchors === undefined && !edit.closes) return;
  const mark = typeof said === 'object' && said !== null ? sheet.marks.get(said) : undefined;
  if (mark === undefined) {
    if (!isUnchanged || (edit.closes && isOpenBlockScalar(edit, change))) replaceValue(edit, change);
    return;
  }
  const collected = edit.splices.length;
  const isPrinted = !isUnchanged && reprint !== 'nothing' && isReprinted(change, reprint);
  if (!isPrinted && editCollection(edit, { trail: { mark, up: change.trail }, said, wanted })) return;
  edit.splices.length = collected;
  replaceValue(edit, change);
}

function isOpenBlockScalar({ sheet }: Edit, { entry }: Change): boolean {
  return (entry.value === 'literal' || entry.value === 'folded') && entry.valueRange.end === sheet.range.end;
}

/** Whether a collection in which something changes is printed as a whole. */
function isReprinted({ said, wanted }: Change, reprint: Reprint): boolean {
  if (reprint === 'sections' || !isJsonObject(said) || !isJsonObject(wanted)) return true;
  const keys = Object.keys(wanted);
  return (
    keys.length !== Object.keys(said).length ||
    keys.some((key) => !Object.hasOwn(said, key) || (!isFilled(wanted[key]!) && !isSame(said[key]!, wanted[key]!)))
  );
}

interface CollectionChange {
  readonly trail: Trail;
  readonly said: Json;
  readonly wanted: Json;
}

/** Edits inside a collection; false when it has to be replaced as a whole. */
function editCollection(edit: Edit, { trail, said, wanted }: CollectionChange): boolean {
  const isFlow = trail.mark.style === 'flow';
  // Not `isFilled(said)`: a merge key may stand in a mapping and give it nothing.
  if (trail.mark.entries.length === 0) return isSame(said, wanted);
  if (isJsonArray(said) && isJsonArray(wanted)) {
    return (isFlow ? editFlowList : editBlockList)(edit, { trail, said, wanted });
  }
  if (isJsonObject(said) && isJsonObject(wanted)) {
    return (isFlow ? editFlowMapping : editBlockMapping)(edit, { trail, said, wanted });
  }
  return false;
}

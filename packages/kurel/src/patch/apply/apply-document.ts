import { addToList } from '../../budget/index.ts';
import { isJsonObject, isKubeObject, TreeEdits } from '../../model/index.ts';
import type { Json, Location, Path } from '../../model/index.ts';
import type { FilledTree } from '../../parameters/index.ts';
import { applyJsonPatch } from '../json-patch/apply-json-patch.ts';
import type { JsonEdit } from '../json-patch/apply-json-patch.ts';
import { mergeJson, reportDirectives } from '../merge/merge-json.ts';
import { isBuiltIn } from '../merge/merging.ts';
import { mergeStrategic } from '../merge/merge-strategic.ts';
import type { DocumentPatch } from '../patch.ts';
import { typeForField } from './type-value.ts';
import { nodeAt } from './kind-shape.ts';
import type { KindShape } from './kind-shape.ts';
import type { ObjectPatching } from './patch-run.ts';
import { locationBelow } from './prepare-field.ts';
import { applyProblems } from './problems.ts';

/** Applies a document patch to one object; `filled` is the document with its references resolved. */
export function applyDocument(patch: DocumentPatch, filled: FilledTree, patching: ObjectPatching): void {
  const { object: before, index, key: object, run, report, shape } = patching;
  const { type, location } = patch;
  const typed = type === 'json' ? filled : typeDocument(filled, shape);
  const { data: document, writtenPath } = typed;
  if (type === 'strategic' && isJsonObject(document)) {
    addToList(run.strategic, index, { document, location });
  }
  const edits: JsonEdit[] = [];
  const after =
    type === 'json'
      ? applyJsonPatch(before, document, { report, location, budget: run.budget, edits })
      : merge({ type, document, location }, patching);
  if (patching.failed || after === undefined) return;
  if (!isKubeObject(after)) {
    report(applyProblems.create('patch-breaks-object', { object }, { location }));
    return;
  }
  patching.object = after;
  // Recorded changes share parts of the tree, so it must be copied before the next edit.
  patching.edits.release();
  const { kindSchema: kind } = shape;
  if (type !== 'json') {
    const source = { patch, data: document, writtenPath, kind };
    run.changes.push({ index, object, operation: type, path: [], before, after, location, source });
  }
  for (const { operation, path, from, before: old, after: value } of edits) {
    const source = { patch, data: document, writtenPath, kind, operation };
    run.changes.push({ index, object, operation: type, path, from, before: old, after: value, location, source });
  }
}

/** Converts references that were a whole string to the type of their field. All other values are kept as written. */
function typeDocument(filled: FilledTree, { kindSchema }: KindShape): FilledTree {
  const { data: written, spots } = filled;
  if (spots.length === 0) return filled;
  const edits = new TreeEdits();
  let data = written;
  for (const { path, whole } of spots) {
    const node = whole === undefined || kindSchema === undefined ? undefined : nodeAt(kindSchema.schema, path);
    if (whole === undefined || node === undefined) continue;
    const typed = typeForField(whole.value, { node, path }, (inside) => whole.writtenAt?.(inside));
    data = edits.editAt(data, path, () => typed);
  }
  return { ...filled, data };
}

function merge(
  { type, document, location }: Omit<DocumentPatch, 'target'>,
  patching: ObjectPatching,
): Json | undefined {
  const { object, shape, report } = patching;
  if (!isJsonObject(document)) return undefined;
  const locate = (path: Path, at: 'key' | 'value'): Location => ({ ...locationBelow(location, path), at });
  if (type === 'strategic') {
    return mergeStrategic(object, document, {
      schema: shape.kindSchema?.schema,
      builtIn: isBuiltIn(shape.kindSchema),
      report,
      locate,
    });
  }
  reportDirectives(document, { report, locate });
  return patching.failed ? undefined : mergeJson(object, document);
}

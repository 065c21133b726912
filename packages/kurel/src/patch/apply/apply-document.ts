import { getOrAdd, spend } from '../../budget/index.ts';
import { isJsonObject, isKubeObject, valueAt } from '../../model/index.ts';
import type { Json, Location, Path } from '../../model/index.ts';
import { referencesIn } from '../../parameters/index.ts';
import type { FilledTree } from '../../parameters/index.ts';
import { applyJsonPatch } from '../json-patch/apply-json-patch.ts';
import { mergeJson, reportDirectives } from '../merge/merge-json.ts';
import { isBuiltIn } from '../merge/merging.ts';
import { mergeStrategic } from '../merge/merge-strategic.ts';
import type { DocumentPatch } from '../patch.ts';
import { TreeEdits } from '../tree-edits.ts';
import { typeForField } from './type-value.ts';
import { findDifferences } from './store-value.ts';
import { nodeAt } from './kind-shape.ts';
import type { KindShape } from './kind-shape.ts';
import type { ObjectPatching } from './patch-run.ts';
import { applyProblems } from './problems.ts';

/** Applies a document patch to one object; `filled` is the document with its references resolved. */
export function applyDocument(patch: DocumentPatch, filled: FilledTree, patching: ObjectPatching): void {
  const { object: before, index, key, run } = patching;
  const { document: written } = patch;
  const typed = { ...patch, document: patch.type === 'json' ? filled.data : typeDocument(filled, patching.shape) };
  const { type, document, location } = typed;
  if (type === 'strategic' && isJsonObject(document)) {
    getOrAdd(run.strategic, index, () => []).push({ document, location });
  }
  const after = merge(typed, patching);
  if (patching.failed || after === undefined) return;
  if (!isKubeObject(after)) {
    patching.report(applyProblems.create('patch-breaks-object', { object: key }, { location }));
    return;
  }
  patching.object = after;
  // Recorded changes share parts of the tree, so it must be copied before the next edit.
  patching.edits.release();
  if (run.options.unchanged === true) {
    const variables = variablesIn(written);
    run.changes.push({ index, object: key, operation: type, path: [], before, after, location, variables });
    return;
  }
  const differences = findDifferences(before, after);
  spend(run.budget, 'changes', differences.length, () => location);
  // Thousands of list items can share one part of the document.
  const variablesByPart = new Map<Json, readonly string[]>();
  for (const difference of differences) {
    const { path } = difference;
    const inside = nearestPath(document, path);
    const place = { ...location, path: [...(location.path ?? []), ...inside] };
    const part = valueAt(written, inside) ?? null;
    const variables = getOrAdd(variablesByPart, part, () => variablesIn(part));
    run.changes.push({ ...difference, index, object: key, operation: type, location: place, variables });
  }
}

/** Converts references that were a whole string to the type of their field. All other values are kept as written. */
function typeDocument({ data, spots }: FilledTree, { kindSchema }: KindShape): Json {
  const edits = new TreeEdits();
  let document = data;
  for (const { path, whole } of spots) {
    const node = whole === undefined || kindSchema === undefined ? undefined : nodeAt(kindSchema.schema, path);
    if (whole === undefined || node === undefined) continue;
    const typed = typeForField(whole.value, { node, path }, (inside) => whole.writtenAt?.(inside));
    document = edits.editAt(document, path, () => typed);
  }
  return document;
}

function variablesIn(data: Json): readonly string[] {
  return referencesIn(data).map(({ text }) => text);
}

function merge({ type, document, location }: DocumentPatch, patching: ObjectPatching): Json | undefined {
  const { object, shape, report, run } = patching;
  if (type === 'json') return applyJsonPatch(object, document, { report, location, budget: run.budget });
  if (!isJsonObject(document)) return undefined;
  const locate = (path: Path, at: 'key' | 'value'): Location => ({
    ...location,
    path: [...(location.path ?? []), ...path],
    at,
  });
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

/** How far a path of the object exists in the patch document, where lists have other indexes. */
function nearestPath(document: Json, path: Path): Path {
  const nearest: (string | number)[] = [];
  let value: Json | undefined = document;
  for (const step of path) {
    if (typeof step === 'number' || !isJsonObject(value) || !Object.hasOwn(value, step)) break;
    nearest.push(step);
    value = value[step];
  }
  return nearest;
}

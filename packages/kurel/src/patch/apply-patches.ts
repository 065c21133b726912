import { reportExhaustion, spend } from '../budget/index.ts';
import { isSecret, nameOf, namespaceOf } from '../kube/index.ts';
import { hiddenText } from '../diagnostics/index.ts';
import { isKubeObject, isSameJson } from '../model/index.ts';
import type { Json, KubeObject, Report } from '../model/index.ts';
import { deepest, referencesIn, sizeOf } from '../parameters/index.ts';
import type {
  ConflictReport,
  DocumentPatch,
  FieldPatch,
  Patch,
  PatchFile,
  PatchOptions,
  PatchResult,
} from './patch.ts';
import { applyDocument } from './apply/apply-document.ts';
import { applyField } from './apply/apply-field.ts';
import type { Reach } from './apply/apply-field.ts';
import { isDocumentReached } from './apply/document-reach.ts';
import { deriveTarget } from './apply/derive-target.ts';
import { resolveTarget } from './apply/resolve-target.ts';
import type { Resolved } from './apply/target-readings.ts';
import { describeValue } from './apply/format-path.ts';
import type { ObjectPatching, PatchRun, Setting, StrategicUse } from './apply/patch-run.ts';
import { startRun } from './apply/patch-run.ts';
import { isMeantGlobally, isReached, pathExists } from './apply/find-places.ts';
import { fillData, isEnabled, prepareField, writtenDataOf } from './apply/prepare-field.ts';
import type { PreparedField } from './apply/prepare-field.ts';
import { applyProblems } from './apply/problems.ts';
import { reportPendingImages } from './apply/image-parts.ts';
import { traceValueOf } from './apply/trace-values.ts';
import { findConflicts } from './merge/find-conflicts.ts';
import { isBuiltIn } from './merge/merging.ts';
import { mergeProblems } from './merge/problems.ts';

/** Applies all patches, file by file, to copies of the objects. After an error, every object is returned unchanged. */
export function applyPatches(
  objects: readonly KubeObject[],
  files: readonly PatchFile[],
  options: PatchOptions,
): PatchResult {
  const run = startRun(objects, options);
  const conflicts = reportExhaustion(() => {
    for (const file of files) applyFile(file, run);
    return reportConflicts(run);
  }, run.report);
  const result = finishRun(run, conflicts ?? []);
  for (const diagnostic of run.limit.omitted()) options.report(diagnostic);
  return result;
}

/** All or nothing: an object that cannot be patched leaves all of them unchanged. */
function finishRun(run: PatchRun, conflicts: readonly ConflictReport[]): PatchResult {
  const { objects, patchings, state, options, changes } = run;
  const enabled = new Map<number, boolean>();
  for (const patching of patchings.values()) {
    checkObject(patching, run);
    if (patching.enabled !== undefined) enabled.set(patching.index, patching.enabled.value);
  }
  if (state.failed) return { objects, changes: [], enabled, conflicts };
  const kept = objects.flatMap((before, index) => {
    const patching = patchings.get(index);
    if (patching === undefined) return [before];
    if (patching.enabled?.value === false) {
      const { key: object, enabled: decision } = patching;
      const { source } = decision;
      const { location } = source.patch;
      const removal = { path: [], before, after: undefined };
      changes.push({ index, object, operation: 'enabled', ...removal, location, source });
      run.report(applyProblems.create('object-left-out', { object }, { location }));
      return [];
    }
    const after = patching.object;
    const origin = after === before ? undefined : options.origins?.get(before);
    if (origin !== undefined) options.origins?.set(after, origin);
    return [after];
  });
  return { objects: kept, changes, enabled, conflicts };
}

function checkObject({ object, key, index, failed }: ObjectPatching, { report, changes }: PatchRun): void {
  if (failed || isKubeObject(object)) return;
  const location = changes.findLast((change) => change.index === index)?.location;
  report(applyProblems.create('patch-breaks-object', { object: key }, { location }));
}

/** Reports conflicting patches for one object; they are applied anyway, and the last one wins. */
function reportConflicts(run: PatchRun): readonly ConflictReport[] {
  const reports = [...run.strategic]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([index, uses]) => (uses.length < 2 ? [] : reportStrategic(index, uses, run)));
  if (run.options.conflicts !== true) return reports;
  const patchings = [...run.patchings.values()].toSorted((a, b) => a.index - b.index);
  for (const patching of patchings) reportOverridden(patching, run);
  return reports;
}

function reportStrategic(index: number, uses: readonly StrategicUse[], run: PatchRun): readonly ConflictReport[] {
  const { shape, key } = run.open(index);
  const object = run.objects[index]!;
  // Every patch is compared with every other patch.
  spend(run.budget, 'changes', (uses.length * (uses.length - 1)) / 2, () => uses[0]!.location);
  const conflicts = findConflicts(
    uses.map(({ document }) => document),
    { schema: shape.kindSchema?.schema, builtIn: isBuiltIn(shape.kindSchema) },
  ).filter(({ patchIndexA, patchIndexB }) => {
    const [earlier, later] = [uses[patchIndexA]!.location.file, uses[patchIndexB]!.location.file];
    return run.options.mayOverride?.(earlier, later) !== true;
  });
  for (const { patchIndexA, patchIndexB, path, description } of conflicts) {
    const first = uses[patchIndexA]!.location;
    const { location } = uses[patchIndexB]!;
    const related = [{ message: 'the other patch', location: first }];
    // The values of a Secret must not appear in a message.
    const args = { object: key, description: isSecret(object) ? `they set ${path} to different values` : description };
    run.report(applyProblems.create('patch-conflict', args, { location, related }));
  }
  if (conflicts.length === 0) return [];
  const namespace = namespaceOf(object);
  return [
    {
      resourceName: nameOf(object),
      resourceKind: object.kind,
      ...(namespace === '' ? {} : { resourceNamespace: namespace }),
      resourceKey: key,
      conflicts,
    },
  ];
}

/** Reported between files only: within one file the order is obvious. */
function reportOverridden({ settings = [], key: object, object: patched }: ObjectPatching, { report }: PatchRun): void {
  const isHidden = isSecret(patched);
  const last = new Map<string, Setting>();
  for (const setting of settings) {
    const { path } = setting;
    const before = last.get(path);
    last.set(path, setting);
    if (before === undefined || before.location.file === setting.location.file) continue;
    if (isSameJson(before.value, setting.value)) continue;
    const show = (value: Json | undefined): string => (isHidden ? hiddenText : describeValue(value));
    const args = { path, object, before: show(before.value), after: show(setting.value) };
    const related = [{ message: 'first set here', location: before.location }];
    report(applyProblems.create('patch-overridden', args, { location: setting.location, related }));
  }
}

/** Applies the patches of one file: merges first, because they create structure, then single fields. */
function applyFile(file: PatchFile, run: PatchRun): void {
  const { patches } = file;
  const { trace } = run.options;
  if (trace !== undefined) for (const patch of patches) trace(`patch loaded: ${describePatch(patch)}`);
  for (const patch of patches) if (isShaping(patch)) applyDocumentPatch(patch, run);
  for (const patch of patches) {
    if (patch.type === 'field') applyFieldPatch(patch, file, run);
    else if (!isShaping(patch)) applyDocumentPatch(patch, run);
  }
  for (const patching of run.patchings.values())
    if (patching.pendingImages !== undefined) reportPendingImages(patching);
}

/** Merges give an object its structure; JSON Patch operations are as precise as field patches and run with them. */
function isShaping(patch: Patch): patch is DocumentPatch & { readonly type: 'strategic' | 'merge' } {
  return patch.type === 'strategic' || patch.type === 'merge';
}

function describePatch(patch: Patch): string {
  const shown = traceValueOf(patch);
  if (patch.type !== 'field') return `${patch.type} ${shown}`;
  const last = patch.steps.at(-1)?.type;
  const operation = last === 'append' || last === 'insert' || last === 'delete' ? last : 'replace';
  return `${patch.text} ${operation} ${shown}`;
}

function applyDocumentPatch(patch: DocumentPatch, run: PatchRun): void {
  const { target } = patch;
  if (target.type !== 'header' && target.type !== 'text') return;
  // Merges follow the patch with the call stack. A patch from a file is never that deep.
  if (patch.type !== 'json' && sizeOf(patch.document).depth > deepest) {
    run.report(mergeProblems.create('smp-too-deep', { limit: deepest }, patch));
    return;
  }
  const filled = fillData(patch.document, patch.location, run.substitution);
  const resolved = resolveTarget(target, [], run);
  if (!filled.isComplete || resolved === undefined) return;
  const indexes =
    resolved.isAnyKind === true ? keepDocumentReached(resolved, { patch, data: filled.data }, run) : resolved.indexes;
  for (const index of indexes) {
    spend(run.budget, 'changes', 1, () => patch.location);
    run.options.trace?.(`${patch.type} patch resolved: ${run.index.keyOf(index)}`);
    applyDocument(patch, filled, run.open(index));
  }
}

/** A document for every kind applies only to objects whose kind has its fields. */
function keepDocumentReached(
  { indexes }: Resolved,
  { patch, data }: { readonly patch: DocumentPatch; readonly data: Json },
  run: PatchRun,
): readonly number[] {
  spend(run.budget, 'changes', indexes.length / objectsOfChange, () => patch.location);
  const reached = indexes.filter((index) => isDocumentReached(patch.type, data, run.open(index)));
  const { target, location } = patch;
  if (indexes.length > 0 && reached.length === 0 && target.type === 'text') {
    reportNoEffect({ text: target.text.text, location }, { reason: 'no matching kind has these fields' }, run);
  }
  return reached;
}

function applyFieldPatch(patch: FieldPatch, file: PatchFile, run: PatchRun): void {
  const prepared = prepareField(patch, { source: file.source, substitution: run.substitution });
  // A missing target is reported even if a reference is wrong as well.
  const resolved = resolveField(prepared ?? { ...emptyPreparation, patch, source: { patch, values: [] } }, run);
  if (prepared === undefined || resolved === undefined) return;
  const { indexes, consumed } = resolved;
  const inside = consumed === 0 ? prepared : { ...prepared, steps: prepared.steps.slice(consumed) };
  const enabled = patch.target.type === 'all' ? undefined : readEnabled(inside, run.report);
  if (enabled === 'wrong') return;
  const reach: Reach = { isMany: resolved.isPattern === true, hits: 0, misses: 0 };
  for (const index of indexes) {
    spend(run.budget, 'changes', 1, () => patch.location);
    const patching = run.open(index);
    run.options.trace?.(`patch resolved: ${patch.text} → ${patching.key}`);
    if (enabled === undefined) applyField(inside, patching, reach);
    else patching.enabled = { value: enabled.value, source: prepared.source };
  }
  if (reach.hits > 0 || reach.misses === 0) return;
  reportNoEffect(patch, { reason: 'no object has the item it selects' }, run);
}

function reportNoEffect(
  { text, location }: Pick<FieldPatch, 'text' | 'location'>,
  { reason, hint }: { readonly reason: string; readonly hint?: string | undefined },
  { report }: PatchRun,
): void {
  report(applyProblems.create('patch-no-match', { what: text, reason, hint }, { location }));
}

const emptyPreparation = {
  steps: [],
  operation: { type: 'delete', what: undefined },
} as const;

/** Steps of the header: only these can continue a name that contains dots. */
function stepsOfHeader({ patch, steps }: PreparedField): PreparedField['steps'] {
  const { target, location } = patch;
  if (target.type !== 'header') return [];
  const [header, key] = [target.location.range, location.range];
  if (header === undefined || key === undefined) return steps;
  // If the header inserts an item, the header itself is the location of the patch.
  const end = key.start <= header.start && header.end <= key.end ? key.end : key.start;
  return steps.filter(({ range }) => range === undefined || range.start < end);
}

function resolveField(prepared: PreparedField, run: PatchRun): Resolved | undefined {
  const { patch, steps } = prepared;
  const { target, location } = patch;
  if (target.type === 'header' || target.type === 'text') {
    // `enabled: false` for a missing object is already satisfied.
    const isAbsenceMeant = isEnabled(steps) && enabledValueOf(prepared) === false;
    const context = isAbsenceMeant ? { ...run, isAbsenceMeant } : run;
    const resolved = resolveTarget(target, stepsOfHeader(prepared), context);
    return resolved?.isAnyKind === true ? keepReached(resolved, prepared, run) : resolved;
  }
  if (steps.length === 0) return undefined;
  if (target.type === 'derived') {
    const exists = (index: number): boolean => pathExists(prepared, run.open(index));
    return deriveTarget(steps, { target, location, context: run, exists });
  }
  // A deletion for all objects applies to those that have the field.
  const isMeant = prepared.operation.type === 'delete' ? pathExists : isMeantGlobally;
  const indexes = run.objects.flatMap((_, index) => (isMeant(prepared, run.open(index)) ? [index] : []));
  if (indexes.length === 0) {
    const isDeletion = isMeant === pathExists;
    const reason = isDeletion ? 'no object has this field' : 'no object can have this field';
    const hint = run.objects.length === 0 || isDeletion ? undefined : 'add a header such as [deployment.web] above it';
    reportNoEffect(patch, { reason, hint }, run);
  }
  return { indexes, consumed: 0 };
}

/** A header for every kind applies only to objects whose kind has the field. */
function keepReached(resolved: Resolved, prepared: PreparedField, run: PatchRun): Resolved {
  const { patch } = prepared;
  if (resolved.indexes.length === 0 || isEnabled(prepared.steps)) return resolved;
  spend(run.budget, 'changes', resolved.indexes.length / objectsOfChange, () => patch.location);
  const indexes = resolved.indexes.filter((index) => isReached(prepared, run.open(index)));
  if (indexes.length === 0) reportNoEffect(patch, { reason: 'no matching kind has this field' }, run);
  return { ...resolved, indexes };
}

/** Searching this many objects for a path costs as much of the budget as one change. */
const objectsOfChange = 2;

/** Value of `enabled: …` directly under a target; `undefined` for every other patch. */
function readEnabled(prepared: PreparedField, report: Report): { readonly value: boolean } | 'wrong' | undefined {
  if (!isEnabled(prepared.steps)) return undefined;
  const enabled = enabledValueOf(prepared);
  if (enabled !== undefined) return { value: enabled };
  const { patch, operation } = prepared;
  const data = writtenValueOf(operation);
  const { value } = patch;
  // A variable in the header has no part in the value.
  const [reference] = value.type === 'scalar' || value.type === 'data' ? referencesIn(writtenDataOf(value)) : [];
  const args = {
    value:
      operation.type === 'replace' ? describeValue(data) : operation.type === 'delete' ? 'a deletion' : 'a list item',
    variable: reference?.text,
  };
  report(applyProblems.create('enabled-not-boolean', args, { location: patch.location }));
  return 'wrong';
}

function enabledValueOf({ operation }: PreparedField): boolean | undefined {
  const data = writtenValueOf(operation);
  if (typeof data === 'string' && /^(?:true|false)$/i.test(data)) return data.toLowerCase() === 'true';
  return typeof data === 'boolean' ? data : undefined;
}

function writtenValueOf(operation: PreparedField['operation']): Json {
  const value = operation.type === 'replace' ? operation.value : undefined;
  return value?.type === 'lexeme' ? value.text : value?.type === 'data' ? value.data : null;
}

import { spend } from '../../budget/index.ts';
import type { DocumentPatch, FieldPatch, Patch, PatchFile } from '../patch.ts';
import { applyDocument } from './apply-document.ts';
import { applyField } from './apply-field.ts';
import type { Reach } from './apply-field.ts';
import { deriveTarget } from './derive-target.ts';
import { isMeantGlobally, pathExists } from './path-exists.ts';
import { fillData, prepareField } from './prepare-field.ts';
import type { PatchRun } from './patch-run.ts';
import type { PreparedField } from './prepared.ts';
import { applyProblems } from './problems.ts';
import { readEnabled } from './read-enabled.ts';
import { reportPendingImages } from './replace-image-part.ts';
import { resolveTarget } from './resolve-target.ts';
import type { Resolved } from './resolve-target.ts';
import { traceValueOf } from './trace-values.ts';

/** Applies the patches of one file: what gives documents their shape first, then what sets single fields. */
export function applyFile(file: PatchFile, run: PatchRun): void {
  const { patches } = file;
  const { trace } = run.options;
  if (trace !== undefined) for (const patch of patches) trace(`patch loaded: ${describePatch(patch)}`);
  for (const patch of patches) if (isShaping(patch)) applyDocumentPatch(patch, run);
  for (const patch of patches) {
    if (patch.type === 'field') applyFieldPatch(patch, file, run);
    else if (!isShaping(patch)) applyDocumentPatch(patch, run);
  }
  for (const patching of run.patchings.values()) if (patching.pendingImages.size > 0) reportPendingImages(patching);
}

/** Merges give an object its broad shape; JSON Patch operations are as precise as field patches and go with them. */
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
  const filled = fillData(patch.document, patch.location, run.substitution);
  const resolved = resolveTarget(target, [], run);
  if (!filled.isComplete || resolved === undefined) return;
  for (const index of resolved.indexes) {
    spend(run.budget, 'changes', 1, () => patch.location);
    run.options.trace?.(`${patch.type} patch resolved: ${run.index.keyOf(index)}`);
    applyDocument(patch, filled, { patching: run.open(index), run });
  }
}

function applyFieldPatch(patch: FieldPatch, file: PatchFile, run: PatchRun): void {
  const prepared = prepareField(patch, { source: file.source, substitution: run.substitution });
  // A target that is not there is told even if a variable is wrong, too.
  const found = resolveField(prepared ?? { ...emptyPreparation, patch }, run);
  if (prepared === undefined || found === undefined) return;
  const { indexes, consumed } = found;
  const inside = consumed === 0 ? prepared : { ...prepared, steps: prepared.steps.slice(consumed) };
  const enabled = patch.target.type === 'all' ? undefined : readEnabled(inside, run.report);
  if (enabled === 'wrong') return;
  const reach: Reach = { isMany: found.isPattern === true, hits: 0, misses: 0 };
  for (const index of indexes) {
    spend(run.budget, 'changes', 1, () => patch.location);
    const patching = run.open(index);
    run.options.trace?.(`patch resolved: ${patch.text} → ${patching.key}`);
    if (enabled === undefined) applyField(inside, patching, reach);
    else patching.enabled = { value: enabled.value, location: patch.location };
  }
  if (reach.hits > 0 || reach.misses === 0) return;
  const args = { what: patch.text, reason: 'no object has what it selects' };
  run.report(applyProblems.create('patch-no-match', args, { location: patch.location }));
}

const emptyPreparation = {
  steps: [],
  operation: { type: 'delete', what: undefined },
  variables: [],
} as const;

/** The steps that stand in the header: only they can be the rest of a name with dots. */
function stepsOfHeader({ patch, steps }: PreparedField): PreparedField['steps'] {
  const { target, location } = patch;
  if (target.type !== 'header') return [];
  const [header, key] = [target.location.range, location.range];
  if (header === undefined || key === undefined) return steps;
  // A header that inserts is the place of its patch itself.
  const end = key.start <= header.start && header.end <= key.end ? key.end : key.start;
  return steps.filter(({ range }) => range === undefined || range.start < end);
}

function resolveField(prepared: PreparedField, run: PatchRun): Resolved | undefined {
  const { patch, steps } = prepared;
  const { target, location } = patch;
  if (target.type === 'header' || target.type === 'text') return resolveTarget(target, stepsOfHeader(prepared), run);
  if (steps.length === 0) return undefined;
  if (target.type === 'derived') {
    const exists = (index: number): boolean => pathExists(prepared, run.open(index));
    return deriveTarget(steps, { target, location, context: run, exists });
  }
  // What is to be deleted everywhere need not be everywhere.
  const isMeant = prepared.operation.type === 'delete' ? pathExists : isMeantGlobally;
  const indexes = run.objects.flatMap((_, index) => (isMeant(prepared, run.open(index)) ? [index] : []));
  if (indexes.length === 0) {
    const isDeletion = isMeant === pathExists;
    const args = { what: patch.text, reason: isDeletion ? 'no object has it' : 'no object has a place for it' };
    const hint =
      run.objects.length === 0 || isDeletion ? undefined : 'write a header such as [deployment.web] above it';
    run.report(applyProblems.create('patch-no-match', { ...args, hint }, { location }));
  }
  return { indexes, consumed: 0 };
}

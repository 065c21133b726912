import { createBudget, spend } from '../../budget/index.ts';
import { isSecretValue } from '../../kube/index.ts';
import { isJsonArray, isJsonObject, isPathBelow, isSameJson, stepInto, TreeEdits, valueAt } from '../../model/index.ts';
import type { Budget, Diagnostic, Json, JsonArray, Location, Path, Report } from '../../model/index.ts';
import { deepest, sizeOf } from '../../parameters/index.ts';
import { locationBelow } from '../apply/prepare-field.ts';
import type { Change } from '../patch.ts';
import { jsonPatchProblems } from './problems.ts';
import { describeJson, explainMissing, findPlace, nameOf, readOperations } from './read-operations.ts';
import type { JsonPatchOperation, Obstacle, Pointer, Place } from './read-operations.ts';

interface JsonPatchOptions {
  readonly report: Report;
  /** Location of the list of operations. */
  readonly location: Location;
  /** Budget of the run. */
  readonly budget?: Budget | undefined;
  /** Receives what each operation did, if all of them succeed. */
  readonly edits?: JsonEdit[] | undefined;
}

/** What an operation did, at a path of the target at that time. */
export interface JsonEdit extends Pick<Change, 'path' | 'from' | 'before' | 'after'> {
  /** Position of the operation in the patch. */
  readonly operation: number;
}

/** After this many failures the patch was written for another object, and more findings do not help. */
const mostDoubts = 20;

/**
 * Applies a JSON Patch (RFC 6902), completely or not at all: returns the target itself if a problem was reported. Neither the
 * target nor the patch is changed.
 */
export function applyJsonPatch(target: Json, operations: Json, options: JsonPatchOptions): Json {
  const { report, location, budget = createBudget() } = options;
  const locate = (path: Path): Location => locationBelow(location, path);
  const invalid: Diagnostic[] = [];
  const read = readOperations(operations, (path, problem) =>
    invalid.push(jsonPatchProblems.create('json-patch-invalid', problem, { location: locate(path) })),
  );
  for (const diagnostic of invalid) report(diagnostic);
  // If one operation is invalid, the others would run on unexpected data.
  if (invalid.length > 0) return target;
  const tree = new TreeEdits();
  const run: Run = { root: target, target, tree, budget, locate, index: 0, edits: [] };
  const doubtful: Pointer[] = [];
  for (const [index, operation] of read.entries()) {
    run.index = index;
    const pointers = 'from' in operation ? [operation.from, operation.path] : [operation.path];
    // An operation inside the failed path would fail for the same reason.
    if (pointers.some((pointer) => doubtful.some((holder) => isPathBelow(pointer, holder)))) continue;
    const failure = perform(run, operation);
    if (failure === undefined) continue;
    report(describeFailure(operation, failure, locate([index, ...failure.at])));
    for (const pointer of pointers) doubtful.push(pointer.slice(0, -1));
    if (doubtful.length >= mostDoubts) break;
  }
  if (doubtful.length > 0) return target;
  for (const edit of run.edits) options.edits?.push(edit);
  return run.root;
}

interface Run {
  root: Json;
  /** Before the first operation. */
  readonly target: Json;
  readonly tree: TreeEdits;
  readonly budget: Budget;
  readonly locate: (path: Path) => Location;
  /** Index of the current operation. */
  index: number;
  readonly edits: JsonEdit[];
}

function perform(run: Run, operation: JsonPatchOperation): Failure | undefined {
  if (operation.op === 'add') return add(run, operation.path, operation);
  const source = findExisting(run.root, 'from' in operation ? operation.from : operation.path);
  if ('reason' in source) return { code: 'json-patch-path', at: ['from' in operation ? 'from' : 'path'], ...source };
  const { path, value } = source;
  if (operation.op === 'test') {
    if (sizeOf(operation.value).depth > deepest) {
      return { ...tooDeep, at: ['value'], reason: `the value has more than ${deepest} levels` };
    }
    if (isSameJson(value, operation.value)) return undefined;
    const difference = findDifference(value, operation.value)!;
    const reported = isSecretPart(run, [...path, ...difference.path])
      ? { reason: 'the value differs (hidden)' }
      : describeDifference(difference, path);
    return { code: 'json-patch-test-failed', at: ['value', ...difference.path], ...reported };
  }
  if (operation.op === 'replace') return put(run, source, operation);
  if (operation.op === 'remove') {
    if (path.length === 0) return wholeObject;
    edit(run, { path, before: value, after: undefined });
    return undefined;
  }
  // The value must not change in its old place, and its size is kept.
  if (run.tree.owns(value)) run.tree.release();
  if (operation.op === 'move') {
    if (isSameJson(operation.from, operation.path)) return undefined;
    run.root = run.tree.editAt(run.root, path, () => undefined);
    return add(run, operation.path, { value, from: path });
  }
  // Otherwise a few lines that copy copies could fill the memory.
  const { values, depth } = sizeOf(value);
  if (depth <= deepest) spend(run.budget, 'values', values, () => run.locate([run.index, 'from']));
  return add(run, operation.path, { value });
}

/** Whether a value must not appear in messages. Earlier operations may have copied it to another field, or changed the kind. */
function isSecretPart({ root, target }: Run, path: Path): boolean {
  if (isSecretValue(root, path) || isSecretValue(target, path)) return true;
  return valueAt(target, ['kind']) === 'Secret' && !isSameJson(valueAt(root, path), valueAt(target, path));
}

function findExisting(root: Json, pointer: Pointer): { readonly path: Path; readonly value: Json } | Obstacle {
  const place = findPlace(root, pointer);
  if ('reason' in place) return place;
  const { path, value } = place;
  return value === undefined ? explainMissing(root, path) : { path, value };
}

const wholeObject: Failure = {
  code: 'json-patch-path',
  at: ['path'],
  reason: 'a patch cannot remove the whole object',
};

interface NewValue {
  readonly value: Json;
  /** Path that the value was removed from. */
  readonly from?: Path | undefined;
}

function add(run: Run, pointer: Pointer, { value, from }: NewValue): Failure | undefined {
  const place = findPlace(run.root, pointer);
  if ('reason' in place) return { code: 'json-patch-path', at: ['path'], ...place };
  // With an index the value is inserted before that item; with a key it replaces the value.
  const isItem = typeof place.path.at(-1) === 'number';
  return put(run, isItem ? { ...place, value: undefined } : place, { value, from });
}

function put(run: Run, { path, value: before }: Place, { value, from }: NewValue): Failure | undefined {
  const { depth } = sizeOf(value);
  if (before !== undefined && depth <= deepest && isSameJson(before, value)) {
    // The recorded value stays in the tree, where later operations may change parts of it.
    if (run.tree.owns(before)) run.tree.release();
    edit(run, { path, from, before, after: before });
    return undefined;
  }
  if (path.length + depth > deepest) return tooDeep;
  edit(run, { path, from, before, after: value });
  return undefined;
}

/** Edits the tree. A list item without a value before is inserted. */
function edit(run: Run, { path, from, before, after }: Omit<JsonEdit, 'operation'>): void {
  const { tree, root } = run;
  const index = path.at(-1);
  const isInserted = typeof index === 'number' && before === undefined;
  run.root = isInserted
    ? tree.editAt(root, path.slice(0, -1), (list) => tree.insertItem(list as JsonArray, index, after!))
    : tree.editAt(root, path, () => after);
  // A copy, because a path that has grown reserves memory for more.
  run.edits.push({ operation: run.index, path: [...path], from, before, after });
}

const tooDeep: Failure = {
  code: 'json-patch-too-large',
  at: ['path'],
  reason: `the result would have more than ${deepest} levels`,
};

/** Why a well-formed operation failed. */
interface Failure extends Obstacle {
  readonly code: 'json-patch-path' | 'json-patch-test-failed' | 'json-patch-too-large';
  /** Path of the invalid member in the operation. */
  readonly at: Path;
}

interface Difference {
  readonly path: Path;
  /** `undefined` if the value does not exist there. */
  readonly actual: Json | undefined;
  readonly wanted: Json | undefined;
}

/** The first difference between two values, `undefined` if they are equal: key order does not matter, numbers compare by value. */
function findDifference(actual: Json | undefined, wanted: Json | undefined, path: Path = []): Difference | undefined {
  const steps = commonSteps(actual, wanted);
  if (steps === undefined) return isSameJson(actual, wanted) ? undefined : { path, actual, wanted };
  for (const step of steps) {
    const difference = findDifference(stepInto(actual, step), stepInto(wanted, step), [...path, step]);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** The steps into two values that have the same type, and as lists the same length. */
function commonSteps(actual: Json | undefined, wanted: Json | undefined): Iterable<string | number> | undefined {
  if (isJsonArray(actual) && isJsonArray(wanted)) return actual.length === wanted.length ? wanted.keys() : undefined;
  if (!isJsonObject(actual) || !isJsonObject(wanted)) return undefined;
  return new Set([...Object.keys(wanted), ...Object.keys(actual)]);
}

function describeDifference({ path, actual, wanted }: Difference, from: Path): Obstacle {
  const place = nameOf([...from, ...path]);
  if (actual === undefined) return { reason: `${place} does not exist` };
  if (wanted === undefined) return { reason: `${place} exists, but the test does not expect it` };
  const reason = `expected ${path.length === 0 ? '' : `${place} to be `}${describeJson(wanted)}, got ${describeJson(actual)}`;
  const looksSame = typeof actual !== typeof wanted && textOf(actual) === textOf(wanted);
  return {
    reason,
    hint: looksSame ? 'check the quotes: a string never equals a number, a boolean or null' : undefined,
  };
}

function textOf(value: Json): string | undefined {
  return typeof value === 'object' && value !== null ? undefined : String(value);
}

function describeFailure(operation: JsonPatchOperation, failure: Failure, location: Location): Diagnostic {
  const { code, at, reason, hint } = failure;
  const isMoving = 'from' in operation;
  const place = nameOf(isMoving && at[0] === 'from' ? operation.from : operation.path);
  const op = isMoving && at[0] === 'path' ? `${operation.op} to` : operation.op;
  return jsonPatchProblems.create(code, { op, place, reason, hint }, { location });
}

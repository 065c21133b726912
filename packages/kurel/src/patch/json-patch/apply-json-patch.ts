import { createBudget, spend } from '../../budget/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Budget, Diagnostic, Json, JsonArray, JsonObject, Location, Path, Report } from '../../model/index.ts';
import { describeJson, isSamePointer, isWithin } from './parse-pointer.ts';
import { findDifference } from './find-difference.ts';
import type { Difference } from './find-difference.ts';
import { explainMissing, findPlace, nameOf } from './find-place.ts';
import type { Obstacle } from './find-place.ts';
import { deepest, measure } from './measure.ts';
import type { Measures } from './measure.ts';
import type { Pointer } from './parse-pointer.ts';
import { jsonPatchProblems } from './problems.ts';
import { readOperations } from './read-operations.ts';
import type { JsonPatchOperation } from './read-operations.ts';

type Collection = JsonArray | JsonObject;

/**
 * Data that is changed step by step while what was given stays as it is. A collection is copied when it is changed for the
 * first time and then belongs to the draft, so that many changes of one list copy it once.
 */
class Draft {
  #root: Json;
  /** Holders of an owned collection are owned too, so what is not owned has nothing owned in it. */
  #owned = new Set<Json>();

  constructor(root: Json) {
    this.#root = root;
  }

  get root(): Json {
    return this.#root;
  }

  /** Takes a value out of the draft's hands: it will not change, whatever happens to the place where it stands. */
  share<T extends Json | undefined>(value: T): T {
    if (value !== undefined && this.#owned.has(value)) this.#owned = new Set();
    return value;
  }

  /** Puts a value in place of what is there, or under a new key. */
  set(path: Path, value: Json): void {
    const step = path.at(-1);
    if (step === undefined) this.#root = value;
    else (this.#own(path) as Record<string | number, Json>)[step] = value;
  }

  /** Makes room for a value in a list. */
  insert(path: Path, value: Json): void {
    const list = this.#own(path) as Json[];
    const index = path.at(-1) as number;
    if (index === list.length) list.push(value);
    else list.splice(index, 0, value);
  }

  /** Takes away a key or an item; the items behind it move up. */
  remove(path: Path): void {
    const holder = this.#own(path) as Json[] | Record<string, Json>;
    const step = path.at(-1)!;
    if (Array.isArray(holder)) holder.splice(step as number, 1);
    else delete holder[step];
  }

  /** The collection that holds the place, its own copy. */
  #own(path: Path): Collection {
    let holder = (this.#root = this.#copy(this.#root as Collection));
    for (const step of path.slice(0, -1)) {
      const inner = holder as Record<string | number, Collection>;
      holder = inner[step] = this.#copy(inner[step]!);
    }
    return holder;
  }

  #copy(collection: Collection): Collection {
    if (this.#owned.has(collection)) return collection;
    const copy = isJsonArray(collection) ? [...collection] : { ...collection };
    this.#owned.add(copy);
    return copy;
  }
}

export interface JsonPatchOptions {
  readonly report: Report;
  /** Where the list of operations stands; findings point into it. */
  readonly location: Location;
  /** Of the run that the patch is applied in. */
  readonly budget?: Budget | undefined;
}

export interface JsonPatchResult {
  /** The target itself when something was reported or nothing was changed. */
  readonly result: Json;
  /** In the order of the operations; a move makes two. */
  readonly changes: readonly JsonPatchChange[];
}

export interface JsonPatchChange {
  /** Position of the operation in the patch. */
  readonly operation: number;
  /** In the data as the operation found it. */
  readonly path: Path;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** When so many places were not as expected, the patch was made for another object; saying so more often does not help. */
const mostDoubts = 20;

/** Applies a JSON Patch (RFC 6902), all of it or nothing. Neither the target nor the patch is changed. */
export function applyJsonPatch(target: Json, operations: Json, options: JsonPatchOptions): JsonPatchResult {
  const { report, location, budget = createBudget() } = options;
  const unchanged: JsonPatchResult = { result: target, changes: [] };
  const locate = (path: Path): Location => ({ ...location, path: [...(location.path ?? []), ...path] });
  const invalid: Diagnostic[] = [];
  const read = readOperations(operations, (path, problem) =>
    invalid.push(jsonPatchProblems.create('json-patch-invalid', problem, { location: locate(path) })),
  );
  for (const diagnostic of invalid) report(diagnostic);
  // With one of the operations missing, what the others find is not what they were written for.
  if (invalid.length > 0) return unchanged;
  const run: Run = { draft: new Draft(target), changes: [], measures: new WeakMap(), budget, locate };
  const doubtful: Pointer[] = [];
  for (const [index, operation] of read.entries()) {
    const pointers = 'from' in operation ? [operation.from, operation.path] : [operation.path];
    // An operation beside one that failed would fail for the same reason.
    if (pointers.some((pointer) => doubtful.some((holder) => isWithin(pointer, holder)))) continue;
    const failure = perform(run, operation, index);
    if (failure === undefined) continue;
    report(describeFailure(operation, failure, locate([index, ...failure.at])));
    for (const pointer of pointers) doubtful.push(pointer.slice(0, -1));
    if (doubtful.length >= mostDoubts) break;
  }
  return doubtful.length > 0 ? unchanged : { result: run.draft.root, changes: run.changes };
}

interface Run {
  readonly draft: Draft;
  readonly changes: JsonPatchChange[];
  readonly measures: Measures;
  readonly budget: Budget;
  readonly locate: (path: Path) => Location;
}

function perform(run: Run, operation: JsonPatchOperation, index: number): Failure | undefined {
  const { draft } = run;
  if (operation.op === 'add') return add(run, { pointer: operation.path, value: operation.value, index });
  const source = findExisting(draft.root, 'from' in operation ? operation.from : operation.path);
  if ('reason' in source) return { type: 'path', at: ['from' in operation ? 'from' : 'path'], ...source };
  const { path, value } = source;
  if (operation.op === 'test') {
    const difference = findDifference(value, operation.value);
    if (difference === undefined) return undefined;
    const reported = isSecretField(draft.root, path)
      ? { reason: hiddenDifference }
      : describeDifference(difference, path);
    return { type: 'test-failed', at: ['value', ...difference.path], ...reported };
  }
  if (operation.op === 'replace') return put(run, { path, before: value, value: operation.value, index });
  if (operation.op === 'remove') return remove(run, { path, value, index });
  if (operation.op === 'move') {
    if (isSamePointer(operation.from, operation.path)) return undefined;
    remove(run, { path, value, index });
    return add(run, { pointer: operation.path, value, index });
  }
  // Copies of copies would otherwise fill the memory with a few lines.
  const { size } = measure(draft.share(value), run.measures);
  spend(run.budget, 'values', size, () => run.locate([index, 'from']));
  return add(run, { pointer: operation.path, value, index });
}

function findExisting(root: Json, pointer: Pointer): { readonly path: Path; readonly value: Json } | Obstacle {
  const place = findPlace(root, pointer);
  if ('reason' in place) return place;
  const { path, value } = place;
  return value === undefined ? explainMissing(root, path) : { path, value };
}

interface Removal {
  readonly path: Path;
  readonly value: Json;
  readonly index: number;
}

function remove({ draft, changes }: Run, { path, value, index }: Removal): Failure | undefined {
  if (path.length === 0) return { type: 'path', at: ['path'], reason: 'nothing would be left' };
  changes.push({ operation: index, path, before: draft.share(value), after: undefined });
  draft.remove(path);
  return undefined;
}

interface Addition {
  readonly pointer: Pointer;
  readonly value: Json;
  readonly index: number;
}

function add(run: Run, { pointer, value, index }: Addition): Failure | undefined {
  const place = findPlace(run.draft.root, pointer);
  if ('reason' in place) return { type: 'path', at: ['path'], ...place };
  const { path } = place;
  // An index says in front of which item the value goes; a key, whose value it replaces.
  if (typeof path.at(-1) !== 'number') return put(run, { path, before: place.value, value, index });
  if (path.length + measure(value, run.measures).depth > deepest) return tooDeep;
  run.changes.push({ operation: index, path, before: undefined, after: value });
  run.draft.insert(path, value);
  return undefined;
}

interface Replacement extends Removal {
  readonly before: Json | undefined;
}

function put({ draft, changes, measures }: Run, { path, before, value, index }: Replacement): Failure | undefined {
  if (before !== undefined && findDifference(before, value) === undefined) return undefined;
  if (path.length + measure(value, measures).depth > deepest) return tooDeep;
  changes.push({ operation: index, path, before: draft.share(before), after: value });
  draft.set(path, value);
  return undefined;
}

const tooDeep: Failure = {
  type: 'too-large',
  at: ['path'],
  reason: `mappings and lists would be nested more than ${deepest} deep`,
};

/** Why a well-formed operation could not be done. */
interface Failure extends Obstacle {
  readonly type: 'path' | 'test-failed' | 'too-large';
  /** Where in the operation the member stands that does not fit. */
  readonly at: Path;
}

function describeDifference({ path, found, wanted }: Difference, from: Path): Obstacle {
  const place = nameOf([...from, ...path]);
  if (found === undefined) return { reason: `${place} is not there` };
  if (wanted === undefined) return { reason: `${place} is there, but the test does not have it` };
  const reason = `${path.length === 0 ? 'it' : place} is ${describeJson(found)}, not ${describeJson(wanted)}`;
  const looksSame = typeof found !== typeof wanted && textOf(found) === textOf(wanted);
  return { reason, hint: looksSame ? 'a text never equals a number, a boolean or null; mind the quotes' : undefined };
}

function textOf(value: Json): string | undefined {
  return typeof value === 'object' && value !== null ? undefined : String(value);
}

const hiddenDifference = 'it is another value (hidden)';

/** What a Secret holds is not told, neither what is there nor what was expected. */
function isSecretField(root: Json, [field]: Path): boolean {
  return isJsonObject(root) && root['kind'] === 'Secret' && (field === 'data' || field === 'stringData');
}

function describeFailure(operation: JsonPatchOperation, failure: Failure, location: Location): Diagnostic {
  const { type, at, reason, hint } = failure;
  const isMoving = 'from' in operation;
  const place = nameOf(isMoving && at[0] === 'from' ? operation.from : operation.path);
  const op = isMoving && at[0] === 'path' ? `${operation.op} to` : operation.op;
  const problem = { op, place, reason, hint };
  if (type === 'path') return jsonPatchProblems.create('json-patch-path', problem, { location });
  if (type === 'test-failed') return jsonPatchProblems.create('json-patch-test-failed', problem, { location });
  return jsonPatchProblems.create('json-patch-too-large', problem, { location });
}

import type { Json, KubeObject, Location, Path } from '../model/index.ts';
import { gvkOf } from '../kube/index.ts';
import type { Change, DocumentPatch, FieldPatch, PatchFile } from '../patch/index.ts';
import type { KindSchema, SchemaStore } from '../schema/index.ts';
import { findInDocument } from './find-in-document.ts';
import { below, findSaid } from './find-said.ts';
import type { CausesOf, HistoryEvent } from './object-history.ts';
import { traceParameters } from './parameter-sources.ts';
import type { FindParameter } from './parameter-sources.ts';
import { putAt } from './put-at.ts';
import type { Owned } from './put-at.ts';

export interface PatchRecord {
  /** The object before any of the patches. */
  readonly object: KubeObject;
  /** Those of this object, in order. */
  readonly changes: readonly Change[];
  /** The files that the patches are in. */
  readonly files: readonly PatchFile[];
  readonly findParameter: FindParameter;
  /** Where the patches knew from how lists are merged. */
  readonly store?: SchemaStore | undefined;
}

/** What patches did to an object, each with the very line that says so and the parameters in it. */
export function eventsOfPatches({
  object,
  changes,
  files,
  findParameter,
  store,
}: PatchRecord): readonly HistoryEvent[] {
  const gvk = gvkOf(object);
  const kind = gvk === undefined ? undefined : store?.find(gvk);
  const findPatch = finderOf(files);
  const events: HistoryEvent[] = [];
  let now: Json = object;
  let owned: Owned = new WeakSet();
  let open: { readonly patch: DocumentPatch; readonly before: Json } | undefined;
  const close = (): void => {
    if (open === undefined) return;
    events.push(eventOfDocument(open.patch, { before: open.before, after: now, kind, findParameter }));
    open = undefined;
    // The record has the whole tree.
    owned = new WeakSet();
  };
  for (const change of changes) {
    if (change.operation === 'enabled') continue;
    const patch = findPatch(change.location);
    // A document is one step, however many fields it changes: items of lists move in all of it at once.
    if (patch !== open?.patch) close();
    if (patch !== undefined && patch.type !== 'field') {
      if (open === undefined) owned = new WeakSet();
      open ??= { patch, before: now };
    } else events.push(eventOfField(change, patch, findParameter));
    const { path, after } = change;
    now = putAt(now, path, { after, inserts: operations[change.operation] === 'insert', owned }) ?? now;
  }
  close();
  return events;
}

type FindPatch = (location: Location) => FieldPatch | DocumentPatch | undefined;

// Many objects are patched by the same files.
const finders = new WeakMap<readonly PatchFile[], FindPatch>();

function finderOf(files: readonly PatchFile[]): FindPatch {
  const known = finders.get(files) ?? createPatchFinder(files);
  finders.set(files, known);
  return known;
}

/** Finds the patch that a recorded change points to. */
function createPatchFinder(files: readonly PatchFile[]): FindPatch {
  const fields = new Map<string, FieldPatch>();
  const documents = new Map<string, DocumentPatch[]>();
  for (const { patches } of files) {
    for (const patch of patches) {
      const { location } = patch;
      if (patch.type === 'field') fields.set(keyOf(location), patch);
      else documents.set(location.file, [...(documents.get(location.file) ?? []), patch]);
    }
  }
  return (location) =>
    fields.get(keyOf(location)) ??
    documents.get(location.file)?.find((patch) => isBelow(location.path ?? [], patch.location));
}

function keyOf({ file, document, path, at, range }: Location): string {
  return JSON.stringify([file, document, path, at, range?.start, range?.end]);
}

function isBelow(path: Path, { path: above = [] }: Location): boolean {
  return above.every((step, index) => path[index] === step);
}

const operations: Partial<Record<Change['operation'], HistoryEvent['operation']>> = {
  append: 'insert',
  insertBefore: 'insert',
  insertAfter: 'insert',
};

function eventOfField(
  { operation, path, after, location }: Change,
  patch: FieldPatch | undefined,
  find: FindParameter,
): HistoryEvent {
  const causesOf: CausesOf = (field) => {
    const said = patch === undefined ? undefined : findSaid(patch, { path: field, changed: path.length, find });
    const parameters = traceParameters(said?.parameters ?? [], find);
    const places = { location: said?.location ?? location, valueLocation: said?.valueLocation };
    return [{ kind: 'patch', words: patch?.text ?? '', ...places, parameters, isSaid: said !== undefined }];
  };
  const isItem = operation === 'delete' && typeof path.at(-1) === 'number';
  return { operation: isItem ? 'remove' : (operations[operation] ?? 'set'), path, after, causesOf };
}

const documentWords: Readonly<Record<DocumentPatch['type'], string>> = {
  strategic: 'strategic merge',
  merge: 'merge',
  json: 'JSON patch',
};

interface DocumentStep {
  readonly before: Json;
  readonly after: Json;
  readonly kind: KindSchema | undefined;
  readonly findParameter: FindParameter;
}

function eventOfDocument(
  patch: DocumentPatch,
  { before, after, kind, findParameter: find }: DocumentStep,
): HistoryEvent {
  const causesOf: CausesOf = (path, value) => {
    const found = findInDocument(patch, { path, object: value === undefined ? before : after, kind, find });
    return [
      {
        kind: 'patch',
        words: documentWords[patch.type],
        location: below(patch.location, found.path),
        parameters: traceParameters(found.parameters, find),
        isSaid: found.isSaid,
      },
    ];
  };
  return { operation: 'set', path: [], after, causesOf };
}

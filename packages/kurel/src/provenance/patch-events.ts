import { getOrAdd } from '../budget/index.ts';
import { isJsonArray, isPathBelow, stepInto } from '../model/index.ts';
import { gvkOf } from '../kube/index.ts';
import type { Json, KubeObject, Location, Path } from '../model/index.ts';
import { parseTemplate, wholeReference } from '../parameters/index.ts';
import { TreeEdits } from '../patch/index.ts';
import type { Change, DocumentPatch, FieldPatch, ItemEntry, PatchFile, PlaceStep } from '../patch/index.ts';
import type { SchemaStore } from '../schema/index.ts';
import { findInDocument } from './find-in-document.ts';
import type { CausesOf, HistoryEvent, TraceStep } from './field-trace.ts';
import { parametersIn, traceParameters } from './parameter-sources.ts';
import type { FindParameter } from './parameter-sources.ts';

export interface PatchRecord {
  /** The object before any patch. */
  readonly object: KubeObject;
  /** Changes of this object, in order. */
  readonly changes: readonly Change[];
  /** Files of the patches. */
  readonly files: readonly PatchFile[];
  readonly findParameter: FindParameter;
  /** Schemas that determined how lists were merged. */
  readonly store?: SchemaStore | undefined;
}

/** Changes that patches made to an object, each with its exact line and parameters. */
export function eventsOfPatches(record: PatchRecord): readonly HistoryEvent[] {
  const { object, changes, files, findParameter: find, store } = record;
  const gvk = gvkOf(object);
  const kind = gvk === undefined ? undefined : store?.find(gvk);
  const findPatch = getOrAdd(finders, files, () => createPatchFinder(files));
  const events: HistoryEvent[] = [];
  let now: Json = object;
  const edits = new TreeEdits();
  let open: { readonly patch: DocumentPatch; readonly before: Json } | undefined;
  const close = (): void => {
    if (open === undefined) return;
    events.push(eventOfDocument(open.patch, open.before, now));
    open = undefined;
    // The recorded change shares the whole tree.
    edits.release();
  };
  for (const change of changes) {
    if (change.operation === 'enabled') continue;
    const patch = findPatch(change.location);
    // A document is a single step, because list items move in all of it at once.
    if (patch !== open?.patch) close();
    if (patch !== undefined && patch.type !== 'field') {
      if (open === undefined) edits.release();
      open ??= { patch, before: now };
    } else events.push(eventOfField(change, patch));
    now = repeat(change);
  }
  close();
  return events;

  function repeat({ path, after, operation }: Change): Json {
    const index = path.at(-1);
    if (operations[operation] !== 'insert' || typeof index !== 'number') return edits.editAt(now, path, () => after);
    const insert = (list: Json | undefined): Json =>
      edits.insertItem(isJsonArray(list) ? list : [], index, after ?? null);
    return edits.editAt(now, path.slice(0, -1), insert);
  }

  function eventOfField({ operation, path, after, location }: Change, patch: FieldPatch | undefined): HistoryEvent {
    const causesOf: CausesOf = (field) => {
      const source = patch && findValueSource(patch, { path: field, changed: path.length, find });
      const parameters = traceParameters(source?.parameters ?? [], find);
      const keys = patch && (keysInData(patch, field, source) ?? keysAround(patch, path));
      const places = { location: source?.location ?? location, valueLocation: source?.valueLocation, keys };
      return [{ kind: 'patch', words: patch?.text ?? '', ...places, parameters, isExplicit: source !== undefined }];
    };
    const isItem = operation === 'delete' && typeof path.at(-1) === 'number';
    return { operation: isItem ? 'remove' : (operations[operation] ?? 'set'), path, after, causesOf };
  }

  function eventOfDocument(patch: DocumentPatch, before: Json, after: Json): HistoryEvent {
    const causesOf: CausesOf = (path, value) => {
      const source = findInDocument(patch, { path, object: value === undefined ? before : after, kind, find });
      const location = below(patch.location, source.path);
      const keys = keysAbove(location, positionIn(patch, source.path, path));
      const parameters = traceParameters(source.parameters, find);
      const words = documentWords[patch.type];
      return [{ kind: 'patch', words, location, keys, parameters, isExplicit: source.isExplicit }];
    };
    return { operation: 'set', path: [], after, causesOf };
  }
}

type FindPatch = (location: Location) => FieldPatch | DocumentPatch | undefined;

// Many objects are patched by the same files.
const finders = new WeakMap<readonly PatchFile[], FindPatch>();

/** Finds the patch of a recorded change. */
function createPatchFinder(files: readonly PatchFile[]): FindPatch {
  const fields = new Map<string, FieldPatch>();
  const documents = new Map<string, DocumentPatch[]>();
  for (const { patches } of files) {
    for (const patch of patches) {
      const { location } = patch;
      if (patch.type === 'field') fields.set(keyOf(location), patch);
      else getOrAdd(documents, location.file, () => []).push(patch);
    }
  }
  return (location) =>
    fields.get(keyOf(location)) ??
    documents.get(location.file)?.find((patch) => isPathBelow(location.path ?? [], patch.location.path ?? []));
}

function keyOf({ file, document, path, at, range }: Location): string {
  return JSON.stringify([file, document, path, at, range?.start, range?.end]);
}

const operations: Partial<Record<Change['operation'], HistoryEvent['operation']>> = {
  append: 'insert',
  insertBefore: 'insert',
  insertAfter: 'insert',
};

/** Locations where a .kpatch file names the parents of the field that it sets. */
function keysAround({ steps, location }: FieldPatch, path: Path): ReadonlyMap<number, Location> | undefined {
  if (location.range === undefined) return undefined;
  const keys = new Map<number, Location>();
  for (let last = 1; last <= Math.min(steps.length, path.length); last += 1) {
    const step = steps.at(-last)!;
    if (step.type !== 'field' || step.name.text !== path.at(-last)) break;
    if (last > 1) keys.set(path.length - last + 1, { ...location, range: step.range });
  }
  return keys.size === 0 ? undefined : keys;
}

/** Locations of the parents of a field inside the value of a YAML patch. */
function keysInData({ value }: FieldPatch, field: Path, source: ValueSource | undefined): TraceStep['keys'] {
  if (value.type !== 'data' || source?.location.path === undefined) return undefined;
  const levels = source.location.path.length - (value.location.path?.length ?? 0);
  return keysAbove(source.location, { depth: field.length, levels });
}

/** Locations of the parents of a field, by their depth in the object. The last `levels` steps of the location lead to it. */
function keysAbove(
  location: Location,
  { depth, levels }: { readonly depth: number; readonly levels: number },
): TraceStep['keys'] {
  if (levels <= 0 || location.path === undefined) return undefined;
  const { path } = location;
  const above = Array.from({ length: levels }, (_, index) => index + 1);
  return new Map(above.map((up) => [depth - up, { ...location, path: path.slice(0, -up), at: 'key' }]));
}

const documentWords: Readonly<Record<DocumentPatch['type'], string>> = {
  strategic: 'strategic merge',
  merge: 'merge',
  json: 'JSON Patch',
};

/** A merge document has the depth of the object; the value of a JSON Patch operation begins at any depth. */
function positionIn({ type }: DocumentPatch, inPatch: Path, path: Path) {
  if (type !== 'json') return { depth: inPatch.length, levels: inPatch.length - 1 };
  return { depth: path.length, levels: inPatch[1] === 'value' ? inPatch.length - 2 : 0 };
}

/** The part of a patch that sets a field. */
interface ValueSource {
  readonly location: Location;
  /** Location of the value, if `location` is that of its key. */
  readonly valueLocation?: Location | undefined;
  readonly parameters: readonly Path[];
}

interface SourceQuestion {
  /** Path of the field in the object. */
  readonly path: Path;
  /** Length of the path in the recorded change; the path that the patch names may be shorter. */
  readonly changed: number;
  readonly find: FindParameter;
}

/** A key of a patch file with its value. */
type Entry = Pick<ItemEntry, 'value' | 'location'>;

/** The part of a patch value that sets a field; `undefined` if the patch affects the field without setting it. */
function findValueSource({ value, location }: FieldPatch, question: SourceQuestion): ValueSource | undefined {
  if (value.type === 'none') return undefined;
  if (value.type === 'item') return findInItem(value.entries, question);
  const { path, changed, find } = question;
  // The fields of an object are recorded one by one, so the longest existing path into the value is the right one.
  for (let start = Math.min(1, changed); start <= changed; start += 1) {
    const source = findInEntry({ value, location }, path.slice(start), find);
    if (source !== undefined) return source;
  }
  return undefined;
}

function findInEntry({ value, location }: Entry, path: Path, find: FindParameter): ValueSource | undefined {
  if (value.type === 'data') {
    const source = findInData(value.data, path, { location: value.location, find });
    return source === undefined || path.length > 0 ? source : { ...source, location, valueLocation: source.location };
  }
  const { text } = value.template;
  const parameters = parametersOf(text, path, find);
  const valueLocation = value.location;
  if (parameters !== undefined) return { location, valueLocation, parameters };
  // A string may be read as a list, whose items have no location of their own.
  return wholeReference(value.template) === undefined
    ? { location, valueLocation, parameters: parametersIn(text) }
    : undefined;
}

/** References in a string; for one that is an object or list, the reference to the value at a path inside it. */
function parametersOf(text: string, path: Path, find: FindParameter): readonly Path[] | undefined {
  if (path.length === 0) return parametersIn(text);
  const whole = wholeReference(parseTemplate(text))?.path;
  if (whole === undefined) return undefined;
  const inside = [...whole, ...path];
  return find(inside) === undefined ? undefined : [inside];
}

/** Data in a patch file, in which each field has its own line. */
function findInData(
  data: Json,
  path: Path,
  { location, find }: { readonly location: Location; readonly find: FindParameter },
): ValueSource | undefined {
  let value: Json | undefined = data;
  for (const [index, step] of path.entries()) {
    if (typeof value === 'string') {
      const parameters = parametersOf(value, path.slice(index), find);
      return parameters === undefined ? undefined : { location: below(location, path.slice(0, index)), parameters };
    }
    value = stepInto(value, step);
    if (value === undefined) return undefined;
  }
  return { location: below(location, path), parameters: typeof value === 'string' ? parametersIn(value) : [] };
}

/** The last entry of an insertion that sets a field of the new item. */
function findInItem(entries: readonly ItemEntry[], { path, changed, find }: SourceQuestion): ValueSource | undefined {
  const inside = path.slice(changed);
  const wanted = inside.join('.');
  for (const { steps, ...entry } of entries.toReversed()) {
    const name = steps.map(describeStep).join('.');
    // `image.tag` sets a part of `image`.
    const isPart = name.startsWith(`${wanted}.`);
    if (wanted !== name && !isPart && !wanted.startsWith(`${name}.`)) continue;
    const source = findInEntry(entry, isPart ? [] : restOf(inside, name), find);
    if (source !== undefined) return source;
  }
  return undefined;
}

function describeStep(step: PlaceStep): string {
  if (step.type === 'field') return step.name.text;
  return step.type === 'index' ? String(step.index) : '*';
}

/** Rest of a path after a name that may span one or more steps. */
function restOf(path: Path, name: string): Path {
  let length = 0;
  while (length < path.length && path.slice(0, length).join('.') !== name) length += 1;
  return path.slice(length);
}

function below(location: Location, path: Path): Location {
  if (path.length === 0 || location.range !== undefined) return location;
  return { ...location, path: [...(location.path ?? []), ...path], at: 'value' };
}

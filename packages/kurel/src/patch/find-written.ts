import { isPathBelow, stepInto } from '../model/index.ts';
import type { Json, Location, Path } from '../model/index.ts';
import { parametersIn, unfilledTree } from '../parameters/index.ts';
import { locationBelow, writtenDataOf } from './apply/prepare-field.ts';
import { findInPatch } from './merge/find-in-patch.ts';
import { isBuiltIn } from './merge/merging.ts';
import type { Change, DocumentSource, FieldPatch, FieldSource, FilledData, ItemEntry } from './patch.ts';

/** The part of a patch that sets a field; for a field that it affects without setting it, the patch or its nearest part. */
export interface WrittenPart {
  readonly location: Location;
  /** Location of the value, if `location` is that of its key. */
  readonly valueLocation?: Location | undefined;
  /** Locations where the patch names the parents of the field, possibly in its header, by path length. */
  readonly keys?: ReadonlyMap<number, Location> | undefined;
  /** Parameters in the value and in the keys on its path. */
  readonly parameters: readonly Path[];
  /** Whether the part sets this exact field. */
  readonly isExplicit: boolean;
}

/** Finds the part of a patch that a field comes from. `value` is that of the field after the change. */
export function findWritten(change: Change, field: Path, value: Json | undefined): WrittenPart {
  const { source } = change;
  return 'data' in source ? findInDocument(change, source, { field, value }) : findInField(change, source, field);
}

interface InValue {
  /** Path as written, up to the string that the part comes from. */
  readonly path: Path;
  readonly parameters: readonly Path[];
}

/** Where a part of a value is written. */
function readValue(written: Json, { writtenPath }: FilledData, path: Path): InValue {
  const steps = writtenPath(path);
  let [value, depth]: [Json | undefined, number] = [written, 0];
  for (; depth < steps.length && typeof value !== 'string'; depth += 1) value = stepInto(value, steps[depth]!);
  const own = steps.slice(0, depth);
  const inKeys = own.flatMap((step, index) => (step === path[index] ? [] : parametersIn(String(step))));
  // If a string became an object or a list, the rest of the path is inside its parameter.
  const rest = path.slice(depth);
  const inText = typeof value === 'string' ? parametersIn(value).map((parameter) => parameter.concat(rest)) : [];
  return { path: own, parameters: [...inKeys, ...inText] };
}

/** A merge document has the depth of the object; the value of a JSON Patch operation begins at any depth. */
function findInDocument(
  { path: changed, before, after }: Change,
  source: DocumentSource,
  { field, value }: { readonly field: Path; readonly value: Json | undefined },
): WrittenPart {
  const { data, kind, operation } = source;
  const { type, document, location } = source.patch;
  const isMerge = operation === undefined;
  const { path, isExplicit } = findInPatch(
    data,
    isMerge ? field : [operation, 'value', ...field.slice(changed.length)],
    {
      object: value === undefined ? before : after,
      schema: type === 'strategic' ? kind?.schema : undefined,
      builtIn: isBuiltIn(kind),
    },
  );
  const part = readValue(document, source, path);
  const place = below(location, part.path);
  const keys = isMerge
    ? keysAbove(place, { start: 1, levels: part.path.length - 1 })
    : keysAbove(place, { start: changed.length, levels: part.path.length - 2 });
  const pointers = isMerge ? [] : ['path', 'from'].map((member) => readValue(document, source, [operation, member]));
  return { location: place, keys, parameters: [...pointers, part].flatMap(({ parameters }) => parameters), isExplicit };
}

function findInField({ path: changed }: Change, source: FieldSource, field: Path): WrittenPart {
  const { patch } = source;
  const inside = field.slice(changed.length);
  for (const { entry, filled, path } of entriesFor(source, inside)) {
    const { isExplicit } = findInPatch(filled.data, path, { object: undefined, builtIn: false });
    if (!isExplicit) continue;
    const { location, value } = entry;
    const { path: written, parameters } = readValue(writtenDataOf(value), filled, path);
    const place =
      written.length === 0 ? { location, valueLocation: value.location } : { location: below(value.location, written) };
    const levels = patch.value.type === 'data' ? written.length : 0;
    const inData = keysAbove(place.location, { start: changed.length, levels });
    return { ...place, keys: inData ?? keysAround(patch, changed), parameters, isExplicit };
  }
  return { location: patch.location, keys: keysAround(patch, changed), parameters: [], isExplicit: false };
}

interface FilledEntry {
  readonly entry: Pick<ItemEntry, 'value' | 'location'>;
  readonly filled: FilledData;
  /** Path of the field in the value. */
  readonly path: Path;
}

/** The value of a patch, or the entries of a new item that set a field of it, the last one first. */
function entriesFor({ patch, values, places = [] }: FieldSource, inside: Path): readonly FilledEntry[] {
  const { value, location } = patch;
  if (value.type === 'none') return [];
  const filledAt = (index: number, own: ItemEntry['value']): FilledData =>
    values[index] ?? unfilledTree(writtenDataOf(own));
  if (value.type !== 'item') return [{ entry: { value, location }, filled: filledAt(0, value), path: inside }];
  return value.entries
    .flatMap((entry, index) => {
      const place = places[index]?.find((path) => isPathBelow(inside, path));
      if (place === undefined) return [];
      return [{ entry, filled: filledAt(index, entry.value), path: inside.slice(place.length) }];
    })
    .toReversed();
}

/** Locations where a .kpatch file names the parents of the field that it sets. */
function keysAround({ steps, location }: FieldPatch, path: Path): WrittenPart['keys'] {
  if (location.range === undefined) return undefined;
  const keys = new Map<number, Location>();
  for (let last = 1; last <= Math.min(steps.length, path.length); last += 1) {
    const step = steps.at(-last)!;
    if (step.type !== 'field' || step.name.text !== path.at(-last)) break;
    if (last > 1) keys.set(path.length - last + 1, { ...location, range: step.range });
  }
  return keys.size === 0 ? undefined : keys;
}

interface Levels {
  /** Path length of the topmost parent in the object. */
  readonly start: number;
  /** Number of parents: the last steps of the location. */
  readonly levels: number;
}

/** Locations of the parents of a value that is written below them. */
function keysAbove(location: Location, { start, levels }: Levels): WrittenPart['keys'] {
  if (levels <= 0 || location.path === undefined) return undefined;
  const { path } = location;
  const above = Array.from({ length: levels }, (_, index) => index + 1);
  return new Map(above.map((up) => [start + levels - up, { ...location, path: path.slice(0, -up), at: 'key' }]));
}

function below(location: Location, path: Path): Location {
  if (path.length === 0 || location.range !== undefined) return location;
  return { ...locationBelow(location, path), at: 'value' };
}

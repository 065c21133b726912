import { spend } from '../../budget/index.ts';
import { isJsonObject, isSameJson } from '../../model/index.ts';
import type { Json, KubeObject, Path } from '../../model/index.ts';
import type { Operation } from '../application.ts';
import { editAt, findDifferences } from './edit-json.ts';
import type { Place } from './find-places.ts';
import { formatNamedPath } from './format-path.ts';
import type { ObjectPatching, Patching } from './patch-run.ts';

const neighboursOfChange = 64;

interface Storing extends Patching {
  readonly operation: Operation;
  /** What the patch wants, when that is only a part of the value: the tag of an image. */
  readonly part?: { readonly wanted: string | undefined };
}

/** Puts a value in its place, or takes it away; the same value again is no change, unless those are asked for, too. */
export function storeValue(place: Place, after: Json | undefined, storing: Storing): void {
  const { patching, prepared, part } = storing;
  patching.settings?.push({
    path: `${formatNamedPath(place.path, patching.object)}${part === undefined ? '' : `.${place.imagePart!}`}`,
    value: part === undefined ? after : part.wanted,
    location: prepared.patch.location,
  });
  const isSame = isSameJson(place.value, after);
  if (!isSame) setAt(patching, place.path, () => after);
  if (patching.options.unchanged === true) {
    // The record has parts of the tree.
    if (isStructure(place.value) || isStructure(after)) patching.owned = new Set();
    return recordChange({ path: place.path, before: place.value, after }, storing);
  }
  if (isSame) return;
  const merged = isJsonObject(place.value) && isJsonObject(after) && storing.operation === 'replace';
  const differences = merged
    ? findDifferences(place.value, after, place.path)
    : [{ ...place, before: place.value, after }];
  for (const difference of differences) recordChange(difference, storing);
}

function isStructure(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null;
}

export function setAt(
  patching: ObjectPatching,
  path: Path,
  change: (value: Json | undefined) => Json | undefined,
): void {
  // Whether it is still an object is looked at when all patches are applied.
  const { object, owned, budget } = patching;
  // To copy a neighbour is little beside a change, but neighbours are many.
  const onCopy = (count: number): void => spend(budget, 'changes', count / neighboursOfChange);
  patching.object = editAt(object, { path, change, owned, onCopy }) as KubeObject;
}

export function recordChange(
  { path, before, after }: { readonly path: Path; readonly before: Json | undefined; readonly after: Json | undefined },
  { prepared, patching, operation }: Storing,
): void {
  const { index, key: object, changes } = patching;
  const { patch, variables } = prepared;
  changes.push({ index, object, operation, path, before, after, location: patch.location, variables });
}

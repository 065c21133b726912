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
  /** The requested value if it is only a part of the stored one, such as the tag of an image. */
  readonly part?: { readonly wanted: string | undefined };
}

/** Stores or deletes a value. An equal value is not a change, unless unchanged values are recorded. */
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
    // The recorded change shares parts of the tree.
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
  // Whether the result is still a Kubernetes object is checked after all patches.
  const { object, owned, budget } = patching;
  // Copying a sibling costs much less than a change, but there may be many.
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

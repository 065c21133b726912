import { isJsonArray, isJsonObject, isSameJson } from '../../model/index.ts';
import type { Json, KubeObject, Path } from '../../model/index.ts';
import type { Operation } from '../patch.ts';
import type { Place } from './find-places.ts';
import { formatNamedPath } from './format-path.ts';
import type { Patching } from './patch-run.ts';

interface Difference {
  readonly path: Path;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Paths where two trees differ, as deep as both have objects; lists of equal length are compared item by item. */
export function findDifferences(before: Json | undefined, after: Json | undefined, path: Path = []): Difference[] {
  if (before === after) return [];
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) =>
      findDifferences(
        Object.hasOwn(before, key) ? before[key] : undefined,
        Object.hasOwn(after, key) ? after[key] : undefined,
        [...path, key],
      ),
    );
  }
  if (isJsonArray(before) && isJsonArray(after) && before.length === after.length) {
    return after.flatMap((item, index) => findDifferences(before[index], item, [...path, index]));
  }
  return isSameJson(before, after) ? [] : [{ path, before, after }];
}

interface Storing extends Patching {
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
  const operation = after === undefined ? 'delete' : 'replace';
  const isSame = isSameJson(place.value, after);
  // Whether the result is still a Kubernetes object is checked after all patches.
  if (!isSame) patching.object = patching.edits.editAt(patching.object, place.path, () => after) as KubeObject;
  if (patching.run.options.unchanged === true) {
    // The recorded change shares parts of the tree.
    if (isStructure(place.value) || isStructure(after)) patching.edits.release();
    return recordChange({ path: place.path, before: place.value, after }, operation, storing);
  }
  if (isSame) return;
  const isMerged = isJsonObject(place.value) && isJsonObject(after);
  const differences = isMerged
    ? findDifferences(place.value, after, place.path)
    : [{ ...place, before: place.value, after }];
  for (const difference of differences) recordChange(difference, operation, storing);
}

function isStructure(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null;
}

export function recordChange(
  { path, before, after }: Difference,
  operation: Operation,
  { prepared, patching }: Patching,
): void {
  const { index, key: object, run } = patching;
  const { patch, variables } = prepared;
  run.changes.push({ index, object, operation, path, before, after, location: patch.location, variables });
}

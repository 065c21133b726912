import { nameOf } from '../../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, Path } from '../../../model/index.ts';
import type { ComposedObject } from '../compose/composition.ts';

/** The objects of another run in the order of this one; `undefined` where there is none. */
export function pairObjects(
  objects: readonly ComposedObject[],
  others: readonly ComposedObject[],
): readonly (ComposedObject | undefined)[] {
  const isSame = (a: ComposedObject, b: ComposedObject | undefined): boolean =>
    b !== undefined && a.object.kind === b.object.kind && a.handler === b.handler;
  if (objects.length === others.length && objects.every((one, index) => isSame(one, others[index]))) return others;
  return objects.map((one) =>
    others.find((other) => isSame(one, other) && nameOf(one.object) === nameOf(other.object)),
  );
}

/** The ends of `before` that are not the same in `after`. */
export function findChanged(before: Json, after: Json | undefined, found: (path: Path) => void, path: Path = []): void {
  if (before === after) return;
  if (isJsonArray(before) && before.length > 0) {
    const items = isJsonArray(after) ? after : [];
    for (const [index, item] of before.entries()) findChanged(item, items[index], found, [...path, index]);
  } else if (isJsonObject(before) && Object.keys(before).length > 0) {
    const fields = isJsonObject(after) ? after : {};
    for (const [key, value] of Object.entries(before)) {
      findChanged(value, Object.hasOwn(fields, key) ? fields[key] : undefined, found, [...path, key]);
    }
  } else if (!isSameEnd(before, after)) found(path);
}

function isSameEnd(before: Json, after: Json | undefined): boolean {
  if (isJsonArray(before)) return isJsonArray(after) && after.length === 0;
  if (isJsonObject(before)) return isJsonObject(after) && Object.keys(after).length === 0;
  return before === after;
}

import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, Location, Path } from '../../../model/index.ts';

/** What is shown of a field: of a mapping or list with something in it the key, for its first line speaks of another field. */
export function aimAt(object: Json, path: Path): Pick<Location, 'at'> {
  let value: Json | undefined = object;
  for (const step of path) {
    if (isJsonArray(value)) value = value[Number(step)];
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  const isFilled = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  return isFilled && typeof path.at(-1) === 'string' ? { at: 'key' } : {};
}

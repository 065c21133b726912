import { isJsonArray } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';

/** As deep as the YAML reader goes. */
export const deepest = 256;

/** Whether following the value would take more calls than a program should make; finding out takes none. */
export function isTooDeep(value: Json): boolean {
  let level: readonly Json[] = [value];
  for (let depth = 0; depth <= deepest; depth += 1) {
    const collections = level.filter((item) => typeof item === 'object' && item !== null);
    if (collections.length === 0) return false;
    level = collections.flatMap((item) => (isJsonArray(item) ? item : Object.values(item)));
  }
  return true;
}

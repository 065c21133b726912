import { isJsonArray } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';

export interface Measure {
  /** Collections inside one another; a scalar has none. */
  readonly depth: number;
  /** Values in all, itself included. */
  readonly size: number;
}

/** As deep as the YAML reader goes, so that what a patch makes can be read again. */
export const deepest = 256;

const scalar: Measure = { depth: 0, size: 1 };
const bottomless: Measure = { depth: Infinity, size: Infinity };

/** Known measures of values that do not change any more, so that moving a large value many times costs little. */
export type Measures = WeakMap<object, Measure>;

/** Values deeper than `deepest` are infinite: nobody has to know by how much. */
export function measure(value: Json, known: Measures, level = 0): Measure {
  if (typeof value !== 'object' || value === null) return scalar;
  const before = known.get(value);
  if (before !== undefined) return before;
  if (level >= deepest) return bottomless;
  let depth = 0;
  let size = 1;
  for (const item of isJsonArray(value) ? value : Object.values(value)) {
    const inner = measure(item, known, level + 1);
    depth = Math.max(depth, inner.depth);
    size += inner.size;
  }
  const found = { depth: depth + 1, size };
  if (depth < Infinity) known.set(value, found);
  return found;
}

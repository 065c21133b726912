import { isJsonArray } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';

export interface Measure {
  /** Nesting depth; a scalar has 0. */
  readonly depth: number;
  /** Number of values, including this one. */
  readonly size: number;
}

/** The limit of the YAML reader, so that the result can be read again. */
export const deepest = 256;

const scalar: Measure = { depth: 0, size: 1 };
const bottomless: Measure = { depth: Infinity, size: Infinity };

/** Cached measures of values that no longer change, so that moving a large value repeatedly is cheap. */
export type Measures = WeakMap<object, Measure>;

/** Values deeper than `deepest` measure as infinite. */
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

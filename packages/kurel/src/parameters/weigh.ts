import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json } from '../model/index.ts';

/** More than any parameter has; references to references would otherwise grow without end. */
export const mostValues = 1_000_000;

/** As deep as a file may be. */
export const deepest = 256;

export interface Weight {
  /** How many values there are, with all that is shared counted each time. */
  readonly count: number;
  /** How many mappings and lists are inside one another. */
  readonly depth: number;
}

const single: Weight = { count: 1, depth: 0 };

export function weigh(value: Json, known = new Map<Json, Weight>()): Weight {
  if (typeof value !== 'object' || value === null) return single;
  const before = known.get(value);
  if (before !== undefined) return before;
  let [count, depth] = [1, 0];
  const items = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  for (const item of items) {
    const weight = weigh(item, known);
    count += weight.count;
    depth = Math.max(depth, weight.depth);
  }
  const weight = { count, depth: depth + 1 };
  known.set(value, weight);
  return weight;
}

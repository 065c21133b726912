import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json } from '../model/index.ts';

/** More than any parameter has; references to references would otherwise grow without end. */
export const mostValues = 1_000_000;

/** Whether a tree, with all that is shared in it counted each time, has more values than `mostValues`. */
export function isTooLarge(value: Json): boolean {
  return weigh(value, new Map()) > mostValues;
}

function weigh(value: Json, known: Map<Json, number>): number {
  if (typeof value !== 'object' || value === null) return 1;
  const before = known.get(value);
  if (before !== undefined) return before;
  let weight = 1;
  const items = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  for (const item of items) weight += weigh(item, known);
  known.set(value, weight);
  return weight;
}

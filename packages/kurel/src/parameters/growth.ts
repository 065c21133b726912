import type { Json } from '../model/index.ts';
import { weigh } from './weigh.ts';
import type { Weight } from './weigh.ts';

/** Of one text that references are put into. Real values are far from it; forty levels of `${a}${a}` are not. */
export const longestText = 1 << 20;

/** Of all that references put into one package, in characters. */
export const mostGrowth = 1 << 26;

/** Keeps count of what references make of little. */
export interface Growth {
  /** Counts a value that takes the place of a reference; whether there is still room for it. */
  add(value: Json): boolean;
}

export function createGrowth(): Growth {
  const weights = new Map<Json, Weight>();
  let size = 0;
  return {
    add(value) {
      size += typeof value === 'string' ? value.length : weigh(value, weights).count * charactersOfValue;
      return size <= mostGrowth;
    },
  };
}

/** What a value comes to when it is written, roughly. */
const charactersOfValue = 16;

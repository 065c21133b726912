import type { Json } from '../model/index.ts';

/** Documents that are nested deeper are looked at more closely. */
export const commonDepth = 40;

/** Of the depths of all values of such a document, together. */
export const mostLevels = 4_000_000;

/**
 * The depths of all values together. Every path, and every line that is indented, is as long as its value is deep: 250,000 values that
 * are 250 deep would be hundreds of megabytes.
 */
export function countLevels(data: Json): number {
  let levels = 0;
  const walk = (value: Json, depth: number): void => {
    levels += depth;
    if (typeof value !== 'object' || value === null) return;
    for (const inner of Object.values(value) as readonly Json[]) walk(inner, depth + 1);
  };
  walk(data, 0);
  return levels;
}

import { lstatSync } from 'node:fs';

export const minute = 60 * 1000;
export const day = 24 * 60 * minute;

/** Whether a file or directory was last written more than this many milliseconds ago. */
export function isOlderThan(path: string, milliseconds: number): boolean {
  return Date.now() - lstatSync(path).mtimeMs > milliseconds;
}

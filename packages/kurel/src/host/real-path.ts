import { realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** Where an absolute path leads; of one with nothing there, where it would be. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : resolve(realPathOf(parent), basename(path));
  }
}

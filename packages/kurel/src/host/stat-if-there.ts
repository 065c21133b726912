import { type Stats, statSync } from 'node:fs';
import { errorCode } from './file-errors.ts';

/** What stands at a path, links followed. Node 20 throws for a path through a file even when told not to throw; later ones do not. */
export function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

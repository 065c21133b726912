import { resolve } from 'node:path';

import { toSlashes } from '../host/index.ts';
import type { Environment } from './environment.ts';

/** Where a path of the user is. Messages quote it as it was written, which only works from the directory it was written in. */
export function placeOnDisk(path: string, { workingDirectory }: Environment): string {
  return workingDirectory === process.cwd() ? path : toSlashes(resolve(workingDirectory, path));
}

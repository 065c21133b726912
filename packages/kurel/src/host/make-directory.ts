import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { UndoLog } from './undo-log.ts';

/** Makes a directory and those above it, each of which the log can take back. */
export function makeDirectory(directory: string, log: UndoLog): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true) return;
  makeDirectory(dirname(directory), log);
  log.act(
    () => mkdirSync(directory),
    () => rmdirSync(directory),
  );
}

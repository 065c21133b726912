import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectory } from './make-directory.ts';
import type { NewFile } from './replace-files.ts';
import { makeStaging, removeStaging, stagedTree } from './staging-directory.ts';
import { createUndoLog } from './undo-log.ts';

/** Makes a directory that is not there, with its files: it appears with all of them in one step, or not at all. */
export function placeDirectory(directory: string, files: readonly NewFile[]): void {
  const log = createUndoLog();
  let staging: string;
  try {
    makeDirectory(dirname(directory), log);
    staging = makeStaging(dirname(directory));
    log.cleanUp(() => removeStaging(staging));
    const tree = stagedTree(staging);
    for (const { path, text } of files) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    }
    renameSync(tree, directory);
  } catch (error) {
    log.takeBack();
    throw error;
  }
  removeStaging(staging);
}

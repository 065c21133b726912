import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { errorCode } from './file-errors.ts';
import { holdSignals } from './hold-signals.ts';
import { requireUnowned } from './output-inventory.ts';
import { hostProblems } from './problems.ts';
import { replaceFiles, reportFailure } from './replace-files.ts';
import { removeStaleStagings } from './staging-directory.ts';

/**
 * Writes a file completely or not at all, and creates its directories. Writes to devices and pipes directly. Does not write unchanged
 * content. A file in the inventory of an output directory is an error.
 */
export function writeOutputFile(path: string, text: string | Uint8Array): void {
  const write = (): void => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true || (stats === undefined && path.endsWith('/')))
      throw hostProblems.error('output-blocked', { path, found: 'a directory', needed: 'a file' });
    if (stats?.isFile() === true) requireUnowned(path);
    if (stats?.isFIFO() === true) requireReader(path);
    if (stats !== undefined && !stats.isFile()) writeFileSync(path, text);
    else if (stats === undefined) replaceFile(path, text, undefined);
    // Writes the target of a link, so that the link remains.
    else if (!readFileSync(path).equals(Buffer.from(text))) {
      replaceFile(realpathSync.native(path), text, stats.mode & 0o7777);
    }
  };
  reportFailure(path, write, 'always');
}

/** Writes a file completely or not at all. The mode defaults to that of new files. */
export function replaceFile(path: string, text: string | Uint8Array, mode: number | undefined): void {
  const directory = dirname(path);
  const release = holdSignals();
  try {
    removeStaleStagings(directory);
    const files = [{ path: basename(path), text, mode }];
    const [added, changed] = existsSync(path) ? [[], files] : [files, []];
    replaceFiles(directory, { plan: { added, changed, removed: [] } });
  } finally {
    release();
  }
}

/** Opening a pipe without a reader would block forever. */
function requireReader(path: string): void {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch (cause) {
    if (errorCode(cause) !== 'ENXIO') throw cause;
    throw hostProblems.error('output-failed', { path, reason: 'it is a pipe without a reader' }, { cause });
  }
}

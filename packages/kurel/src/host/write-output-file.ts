import {
  chmodSync,
  closeSync,
  constants,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DiagnosticError } from '../diagnostics/index.ts';
import { errorCode, makeDirectory, toFileAccessError } from './file-errors.ts';
import { holdSignals } from './hold-signals.ts';
import { requireUnowned } from './neighbour-inventories.ts';
import { hostProblems } from './problems.ts';
import { makeStaging, removeStaging, removeStaleStagings } from './staging-directory.ts';
import { createUndoLog } from './undo-log.ts';

/**
 * Writes a file whole or not at all, with the directories it needs. Devices and pipes are written to as they are; the same
 * content is not written again. Files that belong to a build that wrote a whole directory are refused.
 */
export function writeOutputFile(path: string, text: string): void {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) throw new DiagnosticError([blocked(path)]);
    if (stats?.isFile() === true) requireUnowned(path);
    if (stats?.isFIFO() === true) requireReader(path);
    if (stats !== undefined && !stats.isFile()) writeFileSync(path, text);
    else if (stats === undefined) replaceFile(path, text, undefined);
    // A link stays a link: what it leads to is written.
    else if (!readFileSync(path).equals(Buffer.from(text))) replaceFile(realpathSync.native(path), text, stats);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    // The path as it was given, whatever the system was at when it refused.
    const problem = hostProblems.create('output-failed', { path, reason: toFileAccessError(path, error).detail });
    throw new DiagnosticError([problem], { cause: error });
  }
}

function replaceFile(path: string, text: string, before: Stats | undefined): void {
  const directory = dirname(path);
  const log = createUndoLog();
  const release = holdSignals();
  try {
    makeDirectory(directory, log);
    removeStaleStagings(directory);
    const staging = makeStaging(directory);
    log.cleanUp(() => removeStaging(staging));
    const staged = join(staging, 'new-0');
    writeFileSync(staged, text);
    if (before !== undefined) chmodSync(staged, before.mode & 0o7777);
    renameSync(staged, path);
    removeStaging(staging);
  } catch (error) {
    log.takeBack();
    throw error;
  } finally {
    release();
  }
}

/** Opening a pipe waits for whoever reads it, which may be nobody. */
function requireReader(path: string): void {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch (cause) {
    if (errorCode(cause) !== 'ENXIO') throw cause;
    const problem = hostProblems.create('output-failed', { path, reason: 'is a pipe that nobody reads' });
    throw new DiagnosticError([problem], { cause });
  }
}

function blocked(path: string) {
  return hostProblems.create('output-blocked', { path, found: 'a directory', needed: 'a file' });
}

import {
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DiagnosticError } from '../diagnostics/index.ts';
import { errorCode, isOlderThan, minute, statIfThere } from './file-errors.ts';
import {
  isStaleSignature,
  makeSignature,
  readSignature,
  type SignedProcess,
  signProcess,
} from './staging-directory.ts';
import { inventoryName } from './output-inventory.ts';
import { hostProblems } from './problems.ts';

const lockName = '.kurel-lock';

export interface LockOptions {
  readonly attempts?: number;
  /** Runs between two attempts. */
  readonly pause?: (attempt: number) => void;
  /** Called before each pause. */
  readonly onWait?: (() => void) | undefined;
}

const patientAttempts = 300;
/** Shortly after a lock was not released: the run has failed, and each of its outputs may have such a lock. */
const attemptsAfterFailure = 12;
/** When that was. A process that watches or serves is patient again later. */
let failedAt = -Infinity;

/**
 * Locks a directory for this process. The lock is a file in the directory, or next to it if it does not exist yet. Waits for another
 * process for about half a minute, then fails. Call the result to remove the lock.
 */
export function lockOutput(
  directory: string,
  { attempts = chooseAttempts(), pause = pauseBriefly, onWait }: LockOptions = {},
): () => void {
  const created = new Set<string>();
  let attempt = 1;
  // Breaking a lock, or losing it to a new directory, does not count as an attempt, but must end too.
  for (let turn = 1; turn <= attempts * turnsPerAttempt; turn++) {
    // Repeated in every turn, because the process with the lock removes parents that it created and did not need.
    for (const parent of missingParents(directory)) {
      created.add(parent);
      makeMissing(parent);
    }
    const lock = lockOf(directory);
    if (tryLock(lock)) {
      // If another process has created the directory, later processes lock inside it.
      if (lockOf(directory) === lock) return () => release(lock, [...created]);
      rmSync(lock);
    } else if (!breakStale(lock)) {
      if (attempt >= attempts || isNoLock(lock)) break;
      onWait?.();
      pause(attempt);
      attempt += 1;
    }
  }
  failedAt = performance.now();
  throw lockedBy(directory, lockOf(directory));
}

function chooseAttempts(): number {
  return performance.now() - failedAt < minute ? attemptsAfterFailure : patientAttempts;
}

const turnsPerAttempt = 10;

/** Removes the lock of a process that was killed before it had created the directory. */
export function removeStaleLock(directory: string): void {
  breakStale(lockBeside(directory));
}

/** Whether the directory cannot be written at all, so that reading it needs no lock. */
export function isUnwritable(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'].includes(errorCode(error));
}

function lockOf(directory: string): string {
  return statIfThere(directory)?.isDirectory() === true ? join(directory, lockName) : lockBeside(directory);
}

/** Builds of new directories with the same parent do not wait for each other, unless the parent is an output itself. */
function lockBeside(directory: string): string {
  const parent = dirname(directory);
  if (isThere(join(parent, inventoryName))) return join(parent, lockName);
  // The name of a file has less than 256 bytes, up to three per character. Directories with longer names may share a lock.
  return join(parent, `${lockName}-of-${basename(directory).slice(0, 70)}`);
}

/** The directories above the given one that do not exist, outermost first. */
function missingParents(directory: string): readonly string[] {
  const parent = dirname(directory);
  if (parent === directory || statIfThere(parent) !== undefined) return [];
  return [...missingParents(parent), parent];
}

/** Node's own `recursive` never returns where a directory cannot be created although its parent exists, as in /proc. */
function makeMissing(directory: string): void {
  try {
    mkdirSync(directory);
  } catch (error) {
    // Another process was faster, or has removed the parent, which the next turn creates.
    if (errorCode(error) !== 'EEXIST' && !hasLostParent(error, directory)) throw error;
  }
}

/** Whether another process has removed the parent of a path. If the parent exists, nothing can be created in it, as in /proc. */
function hasLostParent(error: unknown, path: string): boolean {
  return errorCode(error) === 'ENOENT' && statIfThere(dirname(path)) === undefined;
}

function release(lock: string, parents: readonly string[]): void {
  rmSync(lock, { force: true });
  try {
    for (const parent of parents.toReversed()) rmdirSync(parent);
  } catch {
    // The directory is in use, as intended.
  }
}

/** Creates the lock with its content in one step, so that a killed process leaves a lock with its name or none. */
function tryLock(lock: string): boolean {
  if (isThere(lock)) return false;
  let signature: string | undefined;
  try {
    signature = makeSignature(dirname(lock));
    linkOrWrite(signature, lock);
    return true;
  } catch (error) {
    if (isThere(lock) || hasLostParent(error, lock)) return false;
    throw error;
  } finally {
    if (signature !== undefined) rmSync(signature, { force: true });
  }
}

function linkOrWrite(signature: string, lock: string): void {
  try {
    linkSync(signature, lock);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw error;
    // Some file systems have no hard links.
    writeFileSync(lock, signProcess(), { flag: 'wx' });
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Removes the lock of a dead process. Only one process does so at a time, and it checks again first: otherwise a slow process could
 * remove a new lock of a third one.
 */
function breakStale(lock: string): boolean {
  if (!isStale(lock)) return false;
  const breaking = join(dirname(lock), basename(lock).replace(lockName, `${lockName}-break`));
  try {
    closeSync(openSync(breaking, 'wx'));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    // Breaking takes three system calls, so a process that started this long ago was killed.
    if (isThere(breaking) && isOlderThan(breaking, minute)) rmSync(breaking, { force: true });
    return false;
  }
  try {
    const isBroken = isStale(lock);
    if (isBroken) rmSync(lock, { force: true });
    return isBroken;
  } finally {
    rmSync(breaking, { force: true });
  }
}

function isStale(lock: string): boolean {
  try {
    // Without hard links, a process can be killed between creating the lock and writing its name.
    return lstatSync(lock).isFile() && isStaleSignature(lock);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Whether something else has the name of the lock, such as a file from a repository, which no build will remove. */
function isNoLock(lock: string): boolean {
  const stats = lstatSync(lock, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (!stats.isFile()) return true;
  const text = readLock(lock);
  // Without hard links, it is empty for a moment.
  return text !== '' && readSignature(text) === undefined;
}

function readHolder(lock: string): SignedProcess | undefined {
  return readSignature(readLock(lock));
}

/** Empty if the lock was released in the meantime. */
function readLock(lock: string): string {
  try {
    return lstatSync(lock).isFile() ? readFileSync(lock, 'utf8') : '';
  } catch {
    return '';
  }
}

function lockedBy(directory: string, lock: string): DiagnosticError {
  const holder = readHolder(lock);
  return hostProblems.error('output-locked', { path: directory, lock, holder });
}

/** Most builds hold the lock for a few milliseconds. */
function pauseBriefly(attempt: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.min(2 ** attempt, 100));
}

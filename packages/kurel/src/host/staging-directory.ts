import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorCode } from './file-errors.ts';

const prefix = '.kurel-staging-';
const stagingName = /^\.kurel-staging-[A-Za-z0-9]{6}$/;
const stagedName = /^(?:new|old|gone)-\d+$/;
const ownerName = 'owner';
const day = 24 * 60 * 60 * 1000;

/** A directory for files on their way, inside the place they go to because a rename must not leave the file system. */
export function makeStaging(directory: string): string {
  const staging = mkdtempSync(join(directory, prefix));
  try {
    writeFileSync(join(staging, ownerName), `${process.pid} ${hostname()}\n`);
  } catch (error) {
    removeStaging(staging);
    throw error;
  }
  return staging;
}

export function removeStaging(staging: string): void {
  rmSync(staging, { recursive: true, force: true });
}

/** Makes the directory one that no later run clears away, because it holds the only copy of somebody's files. */
export function keepStaging(staging: string): void {
  rmSync(join(staging, ownerName), { force: true });
}

/** Whether a path lies in a staging directory, whose name says nothing to a user. */
export function isStaged(path: string): boolean {
  return path.includes(prefix);
}

/** Clears away what runs that were killed have left in a directory. What cannot be removed does no harm and stays. */
export function removeStaleStagings(directory: string): void {
  for (const staging of listStagings(directory)) {
    try {
      if (isStale(staging)) removeStaging(staging);
    } catch {
      continue;
    }
  }
}

function listStagings(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && stagingName.test(entry.name))
      .map((entry) => join(directory, entry.name));
  } catch {
    return [];
  }
}

/** Only with nothing but our files in it, and an owner that is dead, or on another machine and long past. */
function isStale(staging: string): boolean {
  const owner = join(staging, ownerName);
  const entries = readdirSync(staging, { withFileTypes: true });
  if (!entries.every((entry) => entry.isFile() && (entry.name === ownerName || stagedName.test(entry.name))))
    return false;
  const [, pid, host] = /^([1-9]\d{0,9}) (.*)\n$/.exec(readFileSync(owner, 'utf8')) ?? [];
  if (pid === undefined) return false;
  return host === hostname() ? !isRunning(Number(pid)) : Date.now() - lstatSync(owner).mtimeMs > day;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

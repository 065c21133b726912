import {
  type Dirent,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { day, isOlderThan, minute } from './file-errors.ts';
import { readSignature, signProcess } from './process-signature.ts';

const prefix = '.kurel-staging-';
const stagingName = /^\.kurel-staging-[A-Za-z0-9]{6}$/;
const stagedName = /^(?:new|old|gone)-\d+$/;
const treeName = 'tree';
const ownerName = 'owner';

/** Creates a directory for staged files inside the target directory, because a rename works only within a file system. */
export function makeStaging(directory: string): string {
  const staging = mkdtempSync(join(directory, prefix));
  try {
    writeFileSync(join(staging, ownerName), signProcess());
  } catch (error) {
    removeStaging(staging);
    throw error;
  }
  return staging;
}

/** Removes the owner file last: a directory without one is never cleaned up, so a process that is killed here must not leave one. */
export function removeStaging(staging: string): void {
  for (const entry of existsSync(staging) ? readdirSync(staging) : []) {
    if (entry !== ownerName) rmSync(join(staging, entry), { recursive: true, force: true });
  }
  rmSync(staging, { recursive: true, force: true });
}

/** The path for a staged directory tree. */
export function stagedTree(staging: string): string {
  return join(staging, treeName);
}

/** The file in a staging directory that names its process. */
export function signatureIn(staging: string): string {
  return join(staging, ownerName);
}

/** Protects the directory from clean-up by later runs, because it has the only copy of the user's files. */
export function keepStaging(staging: string): void {
  rmSync(join(staging, ownerName), { force: true });
}

/** Whether a path is in a staging directory, whose name means nothing to a user. */
export function isStaged(path: string): boolean {
  return path.includes(prefix);
}

/** Removes the staging directories of killed runs. Ignores failures, because a leftover does no harm. */
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

/** Whether it has only files of kurel, and its owner is dead, or on another machine and old. */
function isStale(staging: string): boolean {
  const owner = join(staging, ownerName);
  const entries = readdirSync(staging, { withFileTypes: true });
  if (!entries.every(isOurs)) return false;
  // Its owner was killed at the start or at the end.
  if (isUnowned(owner, entries)) return isOlderThan(staging, minute);
  const signature = readSignature(readFileSync(owner, 'utf8'));
  if (signature === undefined) return false;
  return signature.state === 'unknown' ? isOlderThan(owner, day) : signature.state === 'dead';
}

function isOurs(entry: Dirent): boolean {
  return entry.name === treeName
    ? entry.isDirectory()
    : entry.isFile() && (entry.name === ownerName || stagedName.test(entry.name));
}

function isUnowned(owner: string, entries: readonly Dirent[]): boolean {
  return (
    entries.length === 0 || (entries.length === 1 && entries[0]!.name === ownerName && lstatSync(owner).size === 0)
  );
}

import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  type Dirent,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { day, errorCode, isOlderThan, minute, readIfThere } from './file-errors.ts';
import { inventoryName } from './output-inventory.ts';

const prefix = '.kurel-staging-';
const stagingName = /^\.kurel-staging-[A-Za-z0-9]{6}$/;
const stagedName = /^(?:new|old|gone)-\d+$/;
const treeName = 'tree';
const ownerName = 'owner';
// In a tree, `owner` may be a directory of the output, such as that of a namespace.
const treeOwnerName = '.kurel-owner';

/** Creates a directory for staged files inside the target directory, because a rename works only within a file system. */
export function makeStaging(directory: string): string {
  return sign(mkdtempSync(join(directory, prefix)), ownerName);
}

/**
 * Creates a staging directory that becomes an output directory by a rename: on some systems, removing a directory takes longer than
 * writing all files of a small output. Write the inventory first, which shows later runs that all of it was generated.
 */
export function makeTree(directory: string): string {
  const staging = join(directory, `${prefix}${createName()}`);
  // Unlike a temporary directory, it has the usual permissions.
  mkdirSync(staging);
  return sign(staging, treeOwnerName);
}

function sign(staging: string, name: string): string {
  try {
    writeFileSync(join(staging, name), signProcess());
  } catch (error) {
    removeStaging(staging);
    throw error;
  }
  return staging;
}

/** Creates a file that names this process, to be linked to. */
export function makeSignature(directory: string): string {
  const path = join(directory, `${prefix}${createName()}`);
  writeFileSync(path, signProcess(), { flag: 'wx' });
  return path;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function createName(): string {
  return Array.from({ length: 6 }, () => letters[Math.floor(Math.random() * letters.length)]).join('');
}

/** Renames a complete tree. If the process is killed between these two steps, a later run removes the tree because it has an inventory. */
export function placeTree(staging: string, directory: string): void {
  rmSync(join(staging, treeOwnerName));
  renameSync(staging, directory);
}

/** Removes last what shows that it is stale: without it, a directory is never cleaned up, and this process may be killed here. */
export function removeStaging(staging: string): void {
  if (!existsSync(staging)) return;
  const entries = readdirSync(staging);
  const last = [treeOwnerName, inventoryName, ownerName].find((name) => entries.includes(name));
  for (const entry of entries) {
    if (entry !== last) rmSync(join(staging, entry), { recursive: true, force: true });
  }
  if (last !== undefined) rmSync(join(staging, last), { force: true });
  rmdirSync(staging);
}

/** Protects the directory from clean-up by later runs, because it has the only copy of the user's files. */
export function keepStaging(staging: string): void {
  rmSync(join(staging, ownerName), { force: true });
}

/** Whether a path is in a staging directory, whose name means nothing to a user. */
export function isStaged(path: string): boolean {
  return path.includes(prefix);
}

/** Removes the staging directories and signatures of killed runs. Ignores failures, because a leftover does no harm. */
export function removeStaleStagings(directory: string): void {
  for (const staging of listStagings(directory)) {
    try {
      const stats = lstatSync(staging);
      if (stats.isFile() && isStaleSignature(staging)) rmSync(staging, { force: true });
      if (stats.isDirectory() && isStale(staging)) removeStaging(staging);
    } catch {
      continue;
    }
  }
}

function listStagings(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter((name) => stagingName.test(name))
      .map((name) => join(directory, name));
  } catch {
    return [];
  }
}

/** Whether it has only files of kurel, and its owner is dead, or on another machine and old. */
function isStale(staging: string): boolean {
  const entries = readdirSync(staging, { withFileTypes: true });
  const has = (name: string): boolean => entries.some((entry) => entry.name === name);
  const owner = join(staging, has(treeOwnerName) ? treeOwnerName : ownerName);
  const isTree = has(treeOwnerName) || has(inventoryName);
  if (!isTree && !entries.every(isOurs)) return false;
  // Its owner was killed at the start or at the end.
  if (isUnowned(owner, entries) || (isTree && !has(treeOwnerName))) return isOlderThan(staging, minute);
  return isOfDead(owner);
}

/** Whether the process that a file names is dead, or on another machine and old, or was killed before it had written the file. */
export function isStaleSignature(path: string): boolean {
  return lstatSync(path).size === 0 ? isOlderThan(path, minute) : isOfDead(path);
}

function isOfDead(owner: string): boolean {
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
  return entries.length === 0 || (entries.length === 1 && entries[0]!.isFile() && lstatSync(owner).size === 0);
}

/** The process that a signature names. */
export interface SignedProcess {
  readonly pid: number;
  readonly host: string;
  /** `unknown` for a process on another machine. */
  readonly state: 'running' | 'dead' | 'unknown';
}

export interface OwnProcess {
  /** Its number and, where it is known, when it was started: numbers are used again, and those of containers all start with 1. */
  readonly id: string;
  readonly host: string;
  /** Containers can share a host name and still number their processes separately. */
  readonly namespace: string;
  /** Of the pod in an Indexed Job of Kubernetes; otherwise empty. */
  readonly index: string;
}

/** Identifies this process in files that it may leave behind. */
export function signProcess({ id, host, namespace }: OwnProcess = describeSelf()): string {
  return `${id} ${host}${namespace === '' ? '' : ` ${namespace}`}\n`;
}

/** `undefined` for an invalid signature. */
export function readSignature(text: string, self: OwnProcess = describeSelf()): SignedProcess | undefined {
  const [, id, pid, host, namespace = ''] = /^(([1-9]\d{0,9})(?:@\d+)?) (\S+)(?: (.+))?\n$/.exec(text) ?? [];
  if (id === undefined || host === undefined) return undefined;
  return { pid: Number(pid), host, state: findState({ id, host, namespace }, self) };
}

function findState({ id, host, namespace }: Omit<OwnProcess, 'index'>, self: OwnProcess): SignedProcess['state'] {
  if (host !== self.host) return 'unknown';
  if (namespace === self.namespace) return isRunning(id) ? 'running' : 'dead';
  // Kubernetes names such a host after its index. For the Job of `kurel fleet job`, it starts another pod of an index only when the one before
  // has ended.
  return self.index !== '' && host.endsWith(`-${self.index}`) ? 'dead' : 'unknown';
}

/** Each output directory is signed several times, and none of this changes. */
let self: OwnProcess | undefined;

function describeSelf(): OwnProcess {
  self ??= {
    id: identify(process.pid),
    host: hostname(),
    namespace: readIfThere(() => readlinkSync('/proc/self/ns/pid')),
    index: process.env['JOB_COMPLETION_INDEX'] ?? '',
  };
  return self;
}

function isRunning(id: string): boolean {
  const pid = Number.parseInt(id, 10);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false;
  }
  const now = identify(pid);
  return now === id || !now.includes('@') || !id.includes('@');
}

function identify(pid: number): string {
  const text = readIfThere(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // The name of the program is between parentheses, and may contain any character.
  const [, startedAt] = /^[^]*\) (?:\S+ ){19}(\d+) /.exec(text) ?? [];
  return startedAt === undefined ? `${pid}` : `${pid}@${startedAt}`;
}

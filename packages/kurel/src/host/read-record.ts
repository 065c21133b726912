import { readdirSync, statSync } from 'node:fs';
import type { BigIntStats, Dirent } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

import { isForeign, rootsOf } from '../reads/index.ts';
import type { Look, ReadObserver } from '../reads/index.ts';
import { errorCode } from './file-errors.ts';
import { realPathOf } from './relative-path.ts';

export interface ReadRecordOptions {
  readonly workingDirectory: string;
  /** What a run writes, which is no reason to run again; absolute. */
  readonly output?: string | undefined;
}

/** What a run has looked at, and what it found there. */
export interface ReadRecord extends ReadObserver {
  /** Absolute paths, and where links among them lead. */
  places(): Iterable<ReadPlace>;
  count(look: Look): number;
  /** What is found there now, to be compared with another time, or with what the run found. */
  look(): Stamps;
  changesTo(now: Stamps): readonly ReadChange[];
}

export type Stamps = ReadonlyMap<string, string>;

export interface ReadPlace {
  readonly path: string;
  readonly look: Look;
}

export interface ReadChange {
  /** Absolute. */
  readonly path: string;
  readonly what: 'changed' | 'new' | 'gone';
}

interface Entry extends ReadPlace {
  readonly stamp: string;
  readonly real: string;
}

/** Stamps are taken before a file is read, so that a change while it is read is one that is found later. */
export function createReadRecord({ workingDirectory, output }: ReadRecordOptions): ReadRecord {
  const entries = new Map<string, Entry>();
  const outputs = output === undefined ? [] : [output, realPathOf(output)];

  const isOutput = (path: string): boolean => outputs.some((one) => `${path}${sep}`.startsWith(`${one}${sep}`));
  const isWatched = (path: string): boolean =>
    !isOutput(path) && !relative(workingDirectory, path).split(sep).some(isForeign);
  const stamp = ({ path, look }: ReadPlace): string =>
    stampPath(path, look, (name) => !isNoise(name) && !isOutput(`${path}${sep}${name}`));

  function note(given: string, look: Look): void {
    const path = resolve(workingDirectory, given);
    const key = `${look} ${path}`;
    if (entries.has(key) || !isWatched(path)) return;
    entries.set(key, { path, look, stamp: stamp({ path, look }), real: realPathOf(path) });
  }

  return {
    note,
    /** Programs read files by themselves: all those that are near what they are called with count as read. */
    noteProgram(call) {
      const read = [...entries.values()].filter(({ look }) => look === 'content').map(({ path }) => path);
      const roots = rootsOf(call, read).map((path) => resolve(workingDirectory, path));
      for (const { path, isDirectory } of walkFiles(roots, isWatched)) note(path, isDirectory ? 'names' : 'content');
    },
    *places() {
      for (const { path, look, real } of entries.values()) {
        yield { path, look };
        if (real !== path) yield { path: real, look };
      }
    },
    count: (look) => [...entries.values()].filter((entry) => entry.look === look).length,
    look: () => new Map([...entries].map(([key, entry]) => [key, stamp(entry)])),
    changesTo(now) {
      const changes = new Map<string, ReadChange>();
      for (const [key, entry] of entries) {
        for (const change of compare(entry, now.get(key) ?? '')) {
          if (!changes.has(change.path)) changes.set(change.path, change);
        }
      }
      return [...changes.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
    },
  };
}

function compare({ path, look, stamp: before }: Entry, after: string): readonly ReadChange[] {
  if (before === after) return [];
  if (isMissing(before)) return [{ path, what: isMissing(after) ? 'changed' : 'new' }];
  if (isMissing(after)) return [{ path, what: 'gone' }];
  if (look !== 'names') return [{ path, what: 'changed' }];
  const at = (name: string): string => `${path}${sep}${name.replace(/:$/, '')}`;
  return [
    ...namesOnlyIn(after, before).map((name) => ({ path: at(name), what: 'new' as const })),
    ...namesOnlyIn(before, after).map((name) => ({ path: at(name), what: 'gone' as const })),
  ];
}

/** What editors and kurel itself leave beside files for a moment: that a directory has such a name now changes nothing. */
export function isNoise(name: string): boolean {
  if (isForeign(name) || name === '.DS_Store' || name === '4913') return true;
  return /~$|^#.*#$|^\.#|\.sw[a-z]$|\.tmp$|___jb_(?:tmp|old)___$|^\.goutputstream-/.test(name);
}

/** What a look found, as a text that is another one when anything that the look depends on is. */
function stampPath(path: string, look: Look, isWatched: (name: string) => boolean): string {
  try {
    if (look === 'names') return namesIn(path, isWatched).join('/');
    const stats = statSync(path, { bigint: true });
    return look === 'kind' ? kindOf(stats) : contentOf(stats);
  } catch (error) {
    return `${missing}${errorCode(error)}`;
  }
}

/** No name begins with it. */
const missing = '/';

/** Whether a stamp says that there was nothing to see. */
function isMissing(stamp: string): boolean {
  return stamp.startsWith(missing);
}

/** The names in one stamp of a directory that are not in the other. */
function namesOnlyIn(stamp: string, other: string): readonly string[] {
  const others = new Set(other.split('/'));
  return stamp.split('/').filter((name) => name !== '' && !others.has(name));
}

function namesIn(directory: string, isWatched: (name: string) => boolean): readonly string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => isWatched(name))
    .map(nameOf)
    .sort();
}

/** A file in the place of a directory is another entry; its colon is in no name that a build would read. */
function nameOf(entry: Dirent): string {
  return entry.isFile() || entry.isDirectory() ? entry.name : `${entry.name}:`;
}

function kindOf(stats: BigIntStats): string {
  return stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other';
}

const tick = 20;

/** The time of a change includes that of permissions and names. */
function contentOf(stats: BigIntStats): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  // Clocks of file systems tick slowly: a second change within a tick would look like the first. Such a stamp equals none that is
  // taken later, which costs one run too many.
  const isFresh = Math.abs(Date.now() - Number(ctimeNs / 1_000_000n)) < tick;
  return `${kindOf(stats)} ${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}${isFresh ? ' fresh' : ''}`;
}

interface WalkedPath {
  readonly path: string;
  readonly isDirectory: boolean;
}

// Far above any chart; whoever has more hears of changes in the first ones.
const mostPaths = 50_000;

/** The given files and directories with all that is below them, as far as it is wanted. Links below them are not followed into directories. */
function walkFiles(roots: readonly string[], isWanted: (path: string) => boolean): readonly WalkedPath[] {
  const found: WalkedPath[] = [];
  const seen = new Set<string>();
  const pending = roots.toReversed();
  for (let path = pending.pop(); path !== undefined && found.length < mostPaths; path = pending.pop()) {
    if (seen.has(path) || !isWanted(path)) continue;
    seen.add(path);
    try {
      const isDirectory = statSync(path).isDirectory();
      found.push({ path, isDirectory });
      if (!isDirectory) continue;
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const inner = join(path, entry.name);
        const isLinkToDirectory = entry.isSymbolicLink() && isDirectoryAt(inner);
        if (!isLinkToDirectory) pending.push(inner);
      }
    } catch {
      // What is not there is no path, but some other word of a call.
      continue;
    }
  }
  return found;
}

function isDirectoryAt(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

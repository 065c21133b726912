import { readdirSync, statSync } from 'node:fs';
import type { BigIntStats, Dirent } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

import { compareText } from '../model/index.ts';
import { isForeign, rootsOf } from '../reads/index.ts';
import type { Look, ReadObserver } from '../reads/index.ts';
import { kindOfEntry } from './disk-file-system.ts';
import { errorCode, statIfThere } from './file-errors.ts';
import { isWithin, realPathOf } from './relative-path.ts';

export interface ReadRecordOptions {
  readonly workingDirectory: string;
  /** Absolute path of the output, whose changes must not start another run. */
  readonly output?: string | undefined;
}

/** The files and directories that a run has read, and their state. */
export interface ReadRecord extends ReadObserver {
  /** Absolute paths, and the targets of links among them. */
  places(): Iterable<ReadPlace>;
  count(look: Look): number;
  /** The current state, to compare with another one or with that of the run. */
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

/** Stamps are taken before a file is read, so that a change during the read is found later. */
export function createReadRecord({ workingDirectory, output }: ReadRecordOptions): ReadRecord {
  const entries = new Map<string, Entry>();
  const outputs = output === undefined ? [] : [output, realPathOf(output)];

  const isOutput = (path: string): boolean => outputs.some((output) => isWithin(output, path));
  const isWatched = (path: string): boolean =>
    !isOutput(path) && !relative(workingDirectory, path).split(sep).some(isForeign);
  const stamp = ({ path, look }: ReadPlace): string =>
    stampPath(path, look, (name) => !isNoise(name) && !isOutput(`${path}${sep}${name}`));

  function note(name: string, look: Look): void {
    const path = resolve(workingDirectory, name);
    const key = `${look} ${path}`;
    if (entries.has(key) || !isWatched(path)) return;
    entries.set(key, { path, look, stamp: stamp({ path, look }), real: realPathOf(path) });
  }

  return {
    note,
    /** Programs read files that kurel does not see, so all files near their arguments count as read. */
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
      return [...changes.values()].toSorted((a, b) => compareText(a.path, b.path));
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

/** Temporary files of editors and of kurel, whose appearance is not a change. */
export function isNoise(name: string): boolean {
  if (isForeign(name) || name === '.DS_Store' || name === '4913') return true;
  return /~$|^#.*#$|^\.#|\.sw[a-z]$|\.tmp$|___jb_(?:tmp|old)___$|^\.goutputstream-/.test(name);
}

/** A string that differs whenever the relevant state of the path differs. */
function stampPath(path: string, look: Look, isWatched: (name: string) => boolean): string {
  try {
    if (look === 'names') return namesIn(path, isWatched).join('/');
    const stats = statSync(path, { bigint: true });
    return look === 'kind' ? kindOfEntry(stats) : contentOf(stats);
  } catch (error) {
    return `${missing}${errorCode(error)}`;
  }
}

/** No file name starts with it. */
const missing = '/';

/** Whether the path did not exist or could not be read. */
function isMissing(stamp: string): boolean {
  return stamp.startsWith(missing);
}

/** The names in one directory stamp that are not in the other. */
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

/** A colon marks links and other special entries; builds read no names with a colon. */
function nameOf(entry: Dirent): string {
  return entry.isFile() || entry.isDirectory() ? entry.name : `${entry.name}:`;
}

const tick = 20;

/** `ctime` also covers changes of permissions and names. */
function contentOf(stats: BigIntStats): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  // File system clocks are coarse: a second change within a tick has the same time as the first. A fresh stamp differs from all later
  // ones, which costs at most one additional run.
  const isFresh = Math.abs(Date.now() - Number(ctimeNs / 1_000_000n)) < tick;
  return `${kindOfEntry(stats)} ${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}${isFresh ? ' fresh' : ''}`;
}

interface WalkedPath {
  readonly path: string;
  readonly isDirectory: boolean;
}

// Far more than in any chart; beyond it, only changes in the first files are found.
const mostPaths = 50_000;

/** Lists files and directories with everything below them. Does not follow links to directories. */
function walkFiles(roots: readonly string[], isWanted: (path: string) => boolean): readonly WalkedPath[] {
  const walked: WalkedPath[] = [];
  const seen = new Set<string>();
  const pending = roots.toReversed();
  for (let path = pending.pop(); path !== undefined && walked.length < mostPaths; path = pending.pop()) {
    if (seen.has(path) || !isWanted(path)) continue;
    seen.add(path);
    try {
      const isDirectory = statSync(path).isDirectory();
      walked.push({ path, isDirectory });
      if (!isDirectory) continue;
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const inner = join(path, entry.name);
        const isLinkToDirectory = entry.isSymbolicLink() && statIfThere(inner)?.isDirectory() === true;
        if (!isLinkToDirectory) pending.push(inner);
      }
    } catch {
      // An argument that is not an existing path is not a file to watch.
      continue;
    }
  }
  return walked;
}

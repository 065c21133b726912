import { statSync, watch as watchDirectory } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import type { Diagnostic } from '../model/index.ts';
import { errorCode } from './file-errors.ts';
import { holdSignals } from './hold-signals.ts';
import { hostProblems } from './problems.ts';
import { isNoise, type ReadChange, type ReadRecord, type Stamps } from './read-record.ts';
import { getOrAdd } from '../budget/index.ts';

export interface ReadWatch {
  /** Waits until files that a run has read have changed, and until the changes have settled. Empty if aborted. */
  next(record: ReadRecord): Promise<readonly ReadChange[]>;
  close(): void;
}

/** The part of `watch` of Node that is used here. */
type WatchDirectory = (
  directory: string,
  listener: (event: string, name: string | null) => void,
) => { on(event: 'error', listener: () => void): unknown; close(): void };

export interface ReadWatchOptions {
  readonly workingDirectory: string;
  readonly signal?: AbortSignal | undefined;
  /** Called once if the system cannot report changes and kurel has to poll. */
  readonly report: (diagnostic: Diagnostic) => void;
  /** Replaces the system in tests. */
  readonly watch?: WatchDirectory;
  readonly mostDirectories?: number;
  /**
   * The longest time between two checks, even without an event. Defaults to 2 seconds. Events may be lost, and network drives send
   * none.
   */
  readonly lookMs?: number;
}

interface Watcher {
  readonly watcher: ReturnType<WatchDirectory>;
  readonly identity: string;
}

/** The names in a directory that matter; all of them if a run has listed it. */
interface Interest {
  readonly names: Set<string>;
  isListed: boolean;
}

const gatherMs = 30;
const quietMs = 80;
const mostRounds = 25;
const pollMs = 500;
/** Checks take at most one part in this many of the time. */
const share = 20;

/**
 * Watches single directories: not files, because editors replace them, and not trees, because Linux cannot. An event only triggers a
 * check of the files.
 */
export function watchReads(options: ReadWatchOptions): ReadWatch {
  const { workingDirectory, signal, report, watch = watchDirectory, mostDirectories = 4096, lookMs = 2000 } = options;
  const watchers = new Map<string, Watcher>();
  let interests: ReadonlyMap<string, Interest> = new Map();
  let isPolling = false;
  let wake: () => void = () => undefined;
  let hasEvent = false;
  // A signal between two runs, just after one has released its hold, would otherwise be lost.
  const release = holdSignals();

  function onEvent(directory: string, event: string, name: string | null): void {
    const interest = interests.get(directory);
    const matters =
      name === null ||
      name === basename(directory) ||
      interest?.names.has(name) === true ||
      // Writing to a file does not change the list of names.
      (interest?.isListed === true && event === 'rename' && !isNoise(name));
    if (!matters) return;
    hasEvent = true;
    wake();
  }

  function drop(directory: string): void {
    watchers.get(directory)?.watcher.close();
    watchers.delete(directory);
  }

  function poll(reason: string, hint?: string): void {
    if (!isPolling) report(hostProblems.create('watch-polling', { reason, hint }));
    isPolling = true;
    for (const directory of watchers.keys()) drop(directory);
  }

  function open(directory: string, identity: string): void {
    try {
      const watcher = watch(directory, (event, name) => onEvent(directory, event, name));
      watcher.on('error', () => {
        drop(directory);
        onEvent(directory, 'rename', null);
      });
      watchers.set(directory, { watcher, identity });
    } catch (error) {
      const code = errorCode(error);
      // The directory was removed in the meantime, and the next check finds that.
      if (code === 'ENOENT' || code === 'ENOTDIR') return;
      poll(reasons[code] ?? `the system reported ${code} for ${directory}`, hints[code]);
    }
  }

  function follow(record: ReadRecord): void {
    interests = findInterests(record, workingDirectory);
    if (isPolling) return;
    if (interests.size > mostDirectories) return poll(`there are more than ${mostDirectories} directories`);
    for (const directory of watchers.keys()) if (!interests.has(directory)) drop(directory);
    for (const directory of interests.keys()) {
      const identity = identityOf(directory);
      // The watcher of a replaced directory does not report changes in the new one.
      if (watchers.get(directory)?.identity === identity) continue;
      drop(directory);
      if (identity !== undefined && !isPolling) open(directory, identity);
    }
  }

  const isAborted = (): boolean => signal?.aborted === true;

  async function waitForEvent(ms: number): Promise<void> {
    if (hasEvent || isAborted()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done);
      wake = done;
      function done(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        wake = () => undefined;
        resolve();
      }
    });
  }

  async function settle(record: ReadRecord, first: Stamps): Promise<Stamps> {
    let before = first;
    for (let round = 0; round < mostRounds; round++) {
      await sleep(quietMs);
      const now = record.look();
      if (areEqual(before, now)) return now;
      before = now;
    }
    return before;
  }

  return {
    async next(record) {
      follow(record);
      while (!isAborted()) {
        hasEvent = false;
        const startedAt = performance.now();
        const now = record.look();
        const cost = performance.now() - startedAt;
        if (record.changesTo(now).length > 0) {
          const changes = record.changesTo(await settle(record, now));
          if (changes.length > 0) return isAborted() ? [] : changes;
        }
        await waitForEvent(Math.max(isPolling ? pollMs : lookMs, cost * share));
        if (!hasEvent) continue;
        await sleep(Math.max(gatherMs, cost));
        follow(record);
      }
      return [];
    },
    close() {
      release();
      for (const directory of watchers.keys()) drop(directory);
    },
  };
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the user has reached the limit of watched directories',
  EMFILE: 'the user has reached the limit of open files',
};

const hints: Readonly<Record<string, string>> = { ENOSPC: 'raise fs.inotify.max_user_watches' };

/**
 * The directories to watch: the parents of everything that was read. Inside the working directory all parents, so that a directory can be
 * replaced at any depth; outside of it only two, because directories further up change often.
 */
function findInterests(record: ReadRecord, workingDirectory: string): ReadonlyMap<string, Interest> {
  const interests = new Map<string, Interest>();
  const interestIn = (directory: string): Interest => {
    return getOrAdd(interests, directory, () => ({ names: new Set<string>(), isListed: false }));
  };
  for (const { path, look } of record.places()) {
    if (look === 'names' && identityOf(path) !== undefined) interestIn(path).isListed = true;
    let steps = 0;
    for (let child = path, parent = dirname(path); parent !== child; child = parent, parent = dirname(parent)) {
      const { names } = interestIn(parent);
      if (names.has(basename(child))) break;
      names.add(basename(child));
      if (parent === workingDirectory) break;
      if (identityOf(parent) === undefined) continue;
      steps += 1;
      if (steps >= 2 && !parent.startsWith(`${workingDirectory}${sep}`)) break;
    }
  }
  return interests;
}

function identityOf(directory: string): string | undefined {
  try {
    const stats = statSync(directory);
    return stats.isDirectory() ? `${stats.dev} ${stats.ino}` : undefined;
  } catch {
    return undefined;
  }
}

function areEqual(a: Stamps, b: Stamps): boolean {
  return a.size === b.size && [...a].every(([key, stamp]) => b.get(key) === stamp);
}

/** Without Node's own promises for timers, which every run would load. */
function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}

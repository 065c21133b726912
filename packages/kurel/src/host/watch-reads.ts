import { statSync, watch as watchDirectory } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Diagnostic } from '../model/index.ts';
import { errorCode } from './file-errors.ts';
import { holdSignals } from './hold-signals.ts';
import { hostProblems } from './problems.ts';
import { isNoise, type ReadChange, type ReadRecord, type Stamps } from './read-record.ts';

export interface ReadWatch {
  /** Waits until something that a run has read is other than what the run found, and has come to rest. Empty when it is aborted. */
  next(record: ReadRecord): Promise<readonly ReadChange[]>;
  close(): void;
}

/** What is used of `watch` of Node, in words that need no types of Node. */
type WatchDirectory = (
  directory: string,
  listener: (event: string, name: string | null) => void,
) => { on(event: 'error', listener: () => void): unknown; close(): void };

export interface ReadWatchOptions {
  readonly workingDirectory: string;
  readonly signal?: AbortSignal | undefined;
  /** Told once, when the system cannot tell of changes and they have to be looked for. */
  readonly report: (diagnostic: Diagnostic) => void;
  /** Stands in for the system in tests. */
  readonly watch?: WatchDirectory;
  readonly mostDirectories?: number;
  /**
   * How long to wait for the system at most before a look in any case; 2 seconds unless said. What the system tells may be lost,
   * and network drives tell nothing.
   */
  readonly lookMs?: number;
}

interface Watcher {
  readonly watcher: ReturnType<WatchDirectory>;
  readonly identity: string;
}

/** Which names in a directory matter; all of them where it was listed. */
interface Interest {
  readonly names: Set<string>;
  isListed: boolean;
}

const gatherMs = 30;
const quietMs = 80;
const mostRounds = 25;
const pollMs = 500;
/** A look takes at most this part of the time. */
const share = 20;

/**
 * Watches directories one by one, not files, which editors replace by others, and not trees, for which Linux has nothing. What
 * decides is never the event but a look at the files.
 */
export function watchReads(options: ReadWatchOptions): ReadWatch {
  const { workingDirectory, signal, report, watch = watchDirectory, mostDirectories = 4096, lookMs = 2000 } = options;
  const watchers = new Map<string, Watcher>();
  let interests: ReadonlyMap<string, Interest> = new Map();
  let isPolling = false;
  let wake: () => void = () => undefined;
  let hasEvent = false;
  // Each run holds signals for a while; one that came just as it lets go of them would be lost, and nothing would end the watch.
  const release = holdSignals();

  function onEvent(directory: string, event: string, name: string | null): void {
    const interest = interests.get(directory);
    const matters =
      name === null ||
      name === basename(directory) ||
      interest?.names.has(name) === true ||
      // A list of names is none the less for what is written to the files.
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
      // It has gone in the meantime, which the next look finds.
      if (code === 'ENOENT' || code === 'ENOTDIR') return;
      poll(reasons[code] ?? `the system answered ${code} for ${directory}`, hints[code]);
    }
  }

  function follow(record: ReadRecord): void {
    interests = findInterests(record, workingDirectory);
    if (isPolling) return;
    if (interests.size > mostDirectories) return poll(`there are more than ${mostDirectories} directories`);
    for (const directory of watchers.keys()) if (!interests.has(directory)) drop(directory);
    for (const directory of interests.keys()) {
      const identity = identityOf(directory);
      // A directory that was replaced by another tells nothing of the other.
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
  ENOSPC: 'the system watches no more directories for this user',
  EMFILE: 'the system opens no more files for this user',
};

const hints: Readonly<Record<string, string>> = { ENOSPC: 'raise fs.inotify.max_user_watches' };

/**
 * Each directory whose entries lead to what was read. Inside of the working directory that is the whole way, so that a directory
 * can be replaced at any depth; outside of it two steps, for above there is much that changes.
 */
function findInterests(record: ReadRecord, workingDirectory: string): ReadonlyMap<string, Interest> {
  const interests = new Map<string, Interest>();
  const interestIn = (directory: string): Interest => {
    const known = interests.get(directory);
    if (known !== undefined) return known;
    const made = { names: new Set<string>(), isListed: false };
    interests.set(directory, made);
    return made;
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

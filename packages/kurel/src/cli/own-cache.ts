import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import system, { dirname, join, type PlatformPath } from 'node:path';

/**
 * Files that runs of kurel share, in a directory that only this user can write to. If the disk is full, read-only or broken,
 * nothing is reported: the content is simply computed again.
 */
export interface OwnCache {
  read(name: string, accept?: (stats: Stats) => boolean): Buffer | undefined;
  write(name: string, bytes: string | Uint8Array): void;
  clear(isStale: (name: string, stats: Stats) => boolean): void;
}

export interface OwnCacheOptions {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** `undefined` on Windows, where files have no user ID; there, other users cannot write to a user's directory. */
  readonly userId: number | undefined;
}

/** `$XDG_CACHE_HOME/kurel` or its equivalent; undefined if there is none. */
export function openOwnCache({ variables, userId }: OwnCacheOptions): OwnCache | undefined {
  const home = findHome({ variables, userId });
  if (home === undefined) return undefined;
  const directory = join(home.caches, 'kurel');
  // Cached files are trusted, and compiled code is executed, so files that another user could have written are ignored.
  const isOwn = ({ uid, mode }: Stats): boolean => userId === undefined || (uid === userId && (mode & 0o022) === 0);
  const isOwnDirectory = (): boolean => {
    const stats = lstatSync(directory);
    return stats.isDirectory() && isOwn(stats);
  };
  return {
    read: (name, accept = () => true) =>
      attempt(() => {
        const isAccepted = (stats: Stats): boolean => stats.isFile() && isOwn(stats) && accept(stats);
        return isOwnDirectory() ? readFile(join(directory, name), isAccepted) : undefined;
      }),
    write: (name, bytes) =>
      attempt(() => {
        // Under sudo, the home directory may belong to another user, who could not write to a directory created now.
        if (userId !== undefined && attempt(() => statSync(home.path).uid !== userId) === true) return;
        makeDirectory(directory, 0o700);
        if (isOwnDirectory()) replaceFile(join(directory, name), bytes);
      }),
    clear: (isStale) =>
      attempt(() => {
        if (!isOwnDirectory()) return;
        for (const name of readdirSync(directory)) {
          const path = join(directory, name);
          if (isStale(name, lstatSync(path))) rmSync(path);
        }
      }),
  };
}

export function findHome({ variables, userId }: OwnCacheOptions, platform: PlatformPath = system) {
  const { XDG_CACHE_HOME: caches = '', HOME: home = '', LOCALAPPDATA: local = '' } = variables;
  if (userId === undefined) return platform.isAbsolute(local) ? { path: local, caches: local } : undefined;
  if (platform.isAbsolute(caches)) return { path: caches, caches };
  return platform.isAbsolute(home) ? { path: home, caches: platform.join(home, '.cache') } : undefined;
}

/** Node's own `recursive` never returns where a directory cannot be created although its parent exists, as in /proc. */
export function makeDirectory(path: string, mode?: number): void {
  if (existsSync(path) || dirname(path) === path) return;
  makeDirectory(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have been faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function readFile(path: string, accept: (stats: Stats) => boolean): Buffer | undefined {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    return accept(fstatSync(file)) ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}

/** Others may be reading the file, or writing it too. */
function replaceFile(path: string, bytes: string | Uint8Array): void {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, bytes, { flag: 'wx', mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

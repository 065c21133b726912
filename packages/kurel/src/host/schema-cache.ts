import {
  closeSync,
  constants,
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
import { isAbsolute, join } from 'node:path';

/** Schemas of packages that an earlier run made. Whatever goes wrong with it, a schema is just made again. */
export interface SchemaCache {
  /** What was written for the key in the last hour. */
  read(key: string): string | undefined;
  write(key: string, text: string): void;
}

export interface SchemaCacheOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Undefined where files do not say whose they are, which is Windows; there a user's directory is closed to others. */
  readonly userId?: number | undefined;
  /** In milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

const hour = 60 * 60 * 1000;
const fileName = /^schema-[0-9a-f]{16,128}\.json(?:\.\d+)?$/;

/** `$XDG_CACHE_HOME/kurel`, or what stands for it; `undefined` when there is no place to keep anything. */
export function openSchemaCache(options: SchemaCacheOptions): SchemaCache | undefined {
  const { environment, userId = process.getuid?.(), now = Date.now } = options;
  const home = findHome(environment, userId);
  if (home === undefined) return undefined;
  const directory = join(home.caches, 'kurel');
  const isOwn = ({ uid, mode }: Stats): boolean => userId === undefined || (uid === userId && (mode & 0o022) === 0);
  const isOwnDirectory = (): boolean => {
    const stats = lstatSync(directory);
    return stats.isDirectory() && isOwn(stats);
  };
  const isFresh = ({ mtimeMs }: Stats): boolean => Math.abs(now() - mtimeMs) < hour;
  return {
    read: (key) =>
      attempt(() => {
        const path = pathOf(directory, key);
        if (path === undefined || !isOwnDirectory()) return undefined;
        return readFile(path, (stats) => stats.isFile() && isOwn(stats) && isFresh(stats));
      }),
    write: (key, text) =>
      attempt(() => {
        const path = pathOf(directory, key);
        // Under sudo the home may be another user's, who could not write to what is made there now.
        const isForeign = userId !== undefined && attempt(() => statSync(home.path).uid !== userId) === true;
        if (path === undefined || isForeign) return;
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        if (!isOwnDirectory()) return;
        removeOldFiles(directory, isFresh);
        replaceFile(path, text);
      }),
  };
}

/** Keys are hashes; anything else could lead out of the directory. */
function pathOf(directory: string, key: string): string | undefined {
  const name = `schema-${key}.json`;
  return fileName.test(name) ? join(directory, name) : undefined;
}

interface Home {
  readonly path: string;
  readonly caches: string;
}

function findHome(environment: SchemaCacheOptions['environment'], userId: number | undefined): Home | undefined {
  const { XDG_CACHE_HOME: caches = '', HOME: home = '', LOCALAPPDATA: local = '' } = environment;
  if (userId === undefined) return isAbsolute(local) ? { path: local, caches: local } : undefined;
  if (isAbsolute(caches)) return { path: caches, caches };
  return isAbsolute(home) ? { path: home, caches: join(home, '.cache') } : undefined;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function readFile(path: string, accept: (stats: Stats) => boolean): string | undefined {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    return accept(fstatSync(file)) ? readFileSync(file, 'utf8') : undefined;
  } finally {
    closeSync(file);
  }
}

/** Others may be reading the file, or writing it too. */
function replaceFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Schemas of packages that have changed since, and drafts of runs that were killed. Other files are not ours. */
function removeOldFiles(directory: string, isFresh: (stats: Stats) => boolean): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (fileName.test(name) && !isFresh(lstatSync(path))) rmSync(path);
  }
}

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
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** What V8 compiled in an earlier run, kept on disk for the next one. Whatever goes wrong with it, the program runs without it. */
export interface CodeCache {
  read(name: string): CachedCode | undefined;
  write(name: string, code: CachedCode): void;
}

export interface CachedCode {
  readonly data: Uint8Array;
  /** How long the run computed that wrote it; waiting for files and programs does not count. */
  readonly milliseconds: number;
}

export interface CodeCacheOptions {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Undefined where files do not say whose they are, which is Windows; there a user's directory is closed to others. */
  readonly userId: number | undefined;
  /** What compiled code depends on: the program, Node, the settings of V8. */
  readonly key: string;
}

/** Undefined when nothing is to be kept, or when there is no place for it. */
export function openCodeCache({ variables, userId, key }: CodeCacheOptions): CodeCache | undefined {
  const home = findHome(variables, userId);
  if (home === undefined || optOuts.some((name) => (variables[name] ?? '') !== '')) return undefined;
  const directory = join(home.caches, 'kurel');
  const pathOf = (name: string): string => join(directory, `${name}-${key}${ending}`);
  // Compiled code is run as it is, so what anybody else could have written is not looked at.
  const isOwn = ({ uid, mode }: Stats): boolean => userId === undefined || (uid === userId && (mode & 0o022) === 0);
  const isOwnDirectory = (): boolean => {
    const stats = lstatSync(directory);
    return stats.isDirectory() && isOwn(stats);
  };
  return {
    read: (name) => attempt(() => (isOwnDirectory() ? decode(readOwnFile(pathOf(name), isOwn)) : undefined)),
    write: (name, code) =>
      attempt(() => {
        // Under sudo the home may be another user's, who could not write to what is made there now.
        if (userId !== undefined && attempt(() => statSync(home.path).uid !== userId) === true) return;
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        if (!isOwnDirectory()) return;
        replaceFile(pathOf(name), encode(code));
        removeOldFiles(directory);
      }),
  };
}

const optOuts = ['KUREL_NO_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE'];

const ending = '.code';

interface Home {
  readonly path: string;
  readonly caches: string;
}

function findHome(variables: CodeCacheOptions['variables'], userId: CodeCacheOptions['userId']): Home | undefined {
  const { XDG_CACHE_HOME: caches = '', HOME: home = '', LOCALAPPDATA: local = '' } = variables;
  if (userId === undefined) return isAbsolute(local) ? { path: local, caches: local } : undefined;
  if (isAbsolute(caches)) return { path: caches, caches };
  return isAbsolute(home) ? { path: home, caches: join(home, '.cache') } : undefined;
}

/** A disk that is full, closed or broken is no reason to say anything: the program is just not faster. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function readOwnFile(path: string, isOwn: (stats: Stats) => boolean): Buffer | undefined {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    return stats.isFile() && isOwn(stats) ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}

// The code is in the file twice. V8 checks only the first bytes of what it is given and may crash on the rest, and comparing two
// copies costs less than loading what could make a checksum. The time comes first; after it V8 reads without copying.
const timeLength = 8;

function encode({ data, milliseconds }: CachedCode): Buffer {
  const time = Buffer.alloc(timeLength);
  time.writeDoubleLE(milliseconds);
  return Buffer.concat([time, data, time, data]);
}

function decode(file: Buffer | undefined): CachedCode | undefined {
  const half = (file?.length ?? 0) / 2;
  if (file === undefined || half <= timeLength || !file.subarray(0, half).equals(file.subarray(half))) return undefined;
  return { data: file.subarray(timeLength, half), milliseconds: file.readDoubleLE() };
}

/** Others may be reading the file, or writing it too. */
function replaceFile(path: string, bytes: Buffer): void {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, bytes, { flag: 'wx', mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

const monthInMilliseconds = 30 * 24 * 60 * 60 * 1000;

/** Files of versions that are no longer used, and drafts of runs that were killed. */
function removeOldFiles(directory: string): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (name.includes(ending) && Date.now() - lstatSync(path).mtimeMs > monthInMilliseconds) rmSync(path);
  }
}

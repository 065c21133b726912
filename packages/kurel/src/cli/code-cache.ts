import { openOwnCache } from './own-cache.ts';
import type { OwnCacheOptions } from './own-cache.ts';

/** Compiled code of earlier runs, kept on disk. If anything fails, the program runs without it. */
export interface CodeCache {
  read(name: string): CachedCode | undefined;
  write(name: string, code: CachedCode): void;
}

export interface CachedCode {
  readonly data: Uint8Array;
  /** CPU time of the run that wrote it, without waiting for files and programs. */
  readonly milliseconds: number;
}

export interface CodeCacheOptions extends OwnCacheOptions {
  /** Everything that compiled code depends on: the program, Node, the settings of V8. */
  readonly key: string;
}

/** Undefined if caching is disabled or impossible. */
export function openCodeCache({ variables, userId, key }: CodeCacheOptions): CodeCache | undefined {
  if (optOuts.some((name) => (variables[name] ?? '') !== '')) return undefined;
  const cache = openOwnCache({ variables, userId });
  if (cache === undefined) return undefined;
  const fileOf = (name: string): string => `${name}-${key}${ending}`;
  return {
    read: (name) => decode(cache.read(fileOf(name))),
    write(name, code) {
      cache.write(fileOf(name), encode(code));
      // Files of versions that are no longer used, and drafts of runs that were killed.
      cache.clear((file, { mtimeMs }) => file.includes(ending) && Date.now() - mtimeMs > monthInMilliseconds);
    },
  };
}

const optOuts = ['KUREL_NO_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE'];

const ending = '.code';
const monthInMilliseconds = 30 * 24 * 60 * 60 * 1000;

// The file has two copies of the code. V8 checks only the first bytes of its input and may crash on the rest, and comparing two
// copies costs less than loading a hash function. The time comes first, so that V8 can read the code without copying.
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

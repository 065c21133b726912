import { openOwnCache } from './own-cache.ts';
import type { OwnCacheOptions } from './own-cache.ts';

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

export interface CodeCacheOptions extends OwnCacheOptions {
  /** What compiled code depends on: the program, Node, the settings of V8. */
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

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

import { openOwnCache } from './own-cache.ts';
import type { OwnCacheOptions } from './own-cache.ts';

interface ProgramFiles {
  readonly directory: string;
  /** The chunks of each file, in one string, which V8 reads faster than a table. Others are in files of their own names. */
  readonly chunksOf: Readonly<Record<string, string>>;
}

type Chunk = (exports: unknown, require: (name: string) => unknown, module: LoadedChunk, directory: string) => void;

interface LoadedChunk {
  exports: unknown;
}

/**
 * Loads a chunk of the program and the chunks that it requires, like Node loads modules, but from few files and with the compiled code
 * of earlier runs. Returns a function that caches the code compiled in this run. Call it at the end, because V8 compiles a function
 * when it is first called.
 */
export function loadProgram(
  { directory, chunksOf }: ProgramFiles,
  main: string,
  cache: CodeCache | undefined,
): () => void {
  const files = new Map<string, { readonly script: Script; readonly cached: CachedCode | undefined }>();
  const chunks = new Map<string, Chunk>();
  const loaded = new Map<string, LoadedChunk>();

  function loadFile(file: string): void {
    const path = join(directory, file);
    const cached = cache?.read(file);
    // The bundler escapes everything but ASCII.
    const script = new Script(readFileSync(path, 'latin1'), {
      filename: path,
      ...(cached === undefined ? {} : { cachedData: cached.data }),
    });
    files.set(file, { script, cached: script.cachedDataRejected === true ? undefined : cached });
    const defined = script.runInThisContext() as Readonly<Record<string, Chunk>>;
    for (const [name, chunk] of Object.entries(defined)) chunks.set(name, chunk);
  }

  function load(name: string): unknown {
    if (!name.startsWith('./')) return process.getBuiltinModule(name);
    const present = loaded.get(name);
    if (present !== undefined) return present.exports;
    const module: LoadedChunk = { exports: {} };
    loaded.set(name, module);
    // No name is part of another one: all begin with `./` and end with `.cjs`.
    if (!chunks.has(name))
      loadFile(Object.keys(chunksOf).find((file) => chunksOf[file]!.includes(name)) ?? name.slice(2));
    chunks.get(name)!(module.exports, load, module, directory);
    return module.exports;
  }

  load(main);
  return () => {
    // Runs that load the same chunks call much the same functions. Others would compile theirs each time.
    const kind = loaded.size;
    for (const [file, { script, cached }] of files) {
      const { kinds = [] } = cached ?? {};
      if (kinds.includes(kind) || kinds.length === kindSlots) continue;
      // It has the functions of earlier runs as well.
      cache?.write(file, { data: script.createCachedData(), kinds: [...kinds, kind] });
    }
  };
}

/** Compiled code of earlier runs, kept on disk. If anything fails, the program runs without it. */
export interface CodeCache {
  read(name: string): CachedCode | undefined;
  write(name: string, code: CachedCode): void;
}

export interface CachedCode {
  readonly data: Uint8Array;
  /** The runs that it has functions of, by the number of chunks that they loaded. */
  readonly kinds: readonly number[];
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
// copies costs less than loading a hash function. The kinds come first, so that V8 can read the code without copying.
const kindSlots = 16;
const headLength = 4 * kindSlots;

function encode({ data, kinds }: CachedCode): Buffer {
  const head = Buffer.alloc(headLength);
  for (const [index, kind] of kinds.entries()) head.writeUInt32LE(kind, 4 * index);
  return Buffer.concat([head, data, head, data]);
}

function decode(file: Buffer | undefined): CachedCode | undefined {
  const half = (file?.length ?? 0) / 2;
  if (file === undefined || half <= headLength || !file.subarray(0, half).equals(file.subarray(half))) return undefined;
  const kinds: number[] = [];
  for (let at = 0; at < headLength && file.readUInt32LE(at) !== 0; at += 4) kinds.push(file.readUInt32LE(at));
  return { data: file.subarray(headLength, half), kinds };
}

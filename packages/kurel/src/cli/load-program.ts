import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

import type { CachedCode, CodeCache } from './code-cache.ts';

export interface ProgramFiles {
  readonly directory: string;
  /** The file of each chunk; a chunk without an entry is in a file of the same name. */
  readonly fileOf: Readonly<Record<string, string>>;
}

type Chunk = (exports: unknown, require: (name: string) => unknown, module: LoadedChunk, directory: string) => void;

interface LoadedChunk {
  exports: unknown;
}

interface LoadedFile {
  readonly script: Script;
  readonly cached: CachedCode | undefined;
}

/**
 * Loads a chunk of the program and the chunks that it requires, like Node loads modules, but from few files and with the compiled code
 * of an earlier run. Returns a function that caches the code compiled in this run. Call it at the end, because V8 compiles a function
 * when it is first called.
 */
export function loadProgram(
  { directory, fileOf }: ProgramFiles,
  main: string,
  cache: CodeCache | undefined,
): (milliseconds: number) => void {
  const files = new Map<string, LoadedFile>();
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
    const found = script.runInThisContext() as Readonly<Record<string, Chunk>>;
    for (const [name, chunk] of Object.entries(found)) chunks.set(name, chunk);
  }

  function load(name: string): unknown {
    if (!name.startsWith('./')) return process.getBuiltinModule(name);
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const module: LoadedChunk = { exports: {} };
    loaded.set(name, module);
    if (!chunks.has(name)) loadFile(fileOf[name] ?? name.slice(2));
    chunks.get(name)!(module.exports, load, module, directory);
    return module.exports;
  }

  load(main);
  return (milliseconds) => {
    for (const [file, { script, cached }] of files) {
      // A much longer run has compiled more of the program, so its code is more useful.
      if (cached !== undefined && milliseconds < 2 * cached.milliseconds) continue;
      cache?.write(file, { data: script.createCachedData(), milliseconds });
    }
  };
}

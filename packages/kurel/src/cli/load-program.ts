import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

import type { CachedCode, CodeCache } from './code-cache.ts';

export interface ProgramFiles {
  readonly directory: string;
  /** Which file holds a chunk; where the name is not here, it is the file's. */
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
 * Loads a chunk of the program and the chunks it asks for, as Node would load modules, but from few files and with what V8
 * compiled the last time. Gives a function that keeps what was compiled this time; to be called when the program has run, since
 * V8 compiles a function when it is called first.
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
    // The build leaves nothing but ASCII in it.
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
      // A run that computed much longer has called more of the program, so what it leaves is worth more.
      if (cached !== undefined && milliseconds < 2 * cached.milliseconds) continue;
      cache?.write(file, { data: script.createCachedData(), milliseconds });
    }
  };
}

import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

import type { Diagnostic, FileSystem } from '../model/index.ts';
import { cliProblems } from './problems.ts';

export interface RecordedTexts {
  /** Reads as the given file system does. */
  readonly fileSystem: FileSystem;
  /** What was read, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** About files that were read a second time, be it by another name. */
  readonly repeated: readonly Diagnostic[];
}

/** Keeps the texts of all files that are read: what is written back must be compared with them. */
export function recordTexts(fileSystem: FileSystem, workingDirectory: string): RecordedTexts {
  const texts = new Map<string, string>();
  const names = new Map<string, string>();
  const repeated: Diagnostic[] = [];
  return {
    texts,
    repeated,
    fileSystem: {
      list: (directory) => fileSystem.list(directory),
      kindOf: (path) => fileSystem.kindOf(path),
      async readText(path) {
        const text = await fileSystem.readText(path);
        const real = realpathSync.native(resolve(workingDirectory, path));
        const first = names.get(real);
        if (first === undefined) names.set(real, path);
        else repeated.push(cliProblems.create('base-twice', { path, first }, { location: { file: path } }));
        texts.set(path, text);
        return text;
      },
    },
  };
}

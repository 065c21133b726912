import { posix } from 'node:path';

import { FileAccessError } from '../model/index.ts';
import type { FileSystem } from '../model/index.ts';

/** A file system without some files. */
export function hideFiles(fileSystem: FileSystem, paths: readonly string[]): FileSystem {
  const hidden = new Set(paths.map((path) => posix.normalize(path)));
  const isHidden = (path: string): boolean => hidden.has(posix.normalize(path));
  return {
    async readText(path) {
      if (isHidden(path)) throw new FileAccessError(path, 'not-found');
      return fileSystem.readText(path);
    },
    async list(directory) {
      const entries = await fileSystem.list(directory);
      return entries.filter(({ name }) => !isHidden(`${directory}/${name}`));
    },
    kindOf: (path) => (isHidden(path) ? undefined : fileSystem.kindOf(path)),
  };
}

import { joinPath, lastPartOf, parentOf } from '../src/forms/paths.ts';
import type { FileSystem } from '../src/model/index.ts';

/** The same files on a disk that ignores case, but keeps it, as those of Windows and macOS do. */
export function ignoreCase(files: FileSystem): FileSystem {
  /** The path as it is spelled on the disk. */
  async function spell(path: string): Promise<string> {
    const parent = parentOf(path);
    if (parent === path || (await files.kindOf(path)) !== undefined) return path;
    const directory = await spell(parent);
    const entries = (await files.kindOf(directory)) === 'directory' ? await files.list(directory) : [];
    const wanted = lastPartOf(path).toLowerCase();
    return joinPath(directory, entries.find(({ name }) => name.toLowerCase() === wanted)?.name ?? lastPartOf(path));
  }

  return {
    readText: async (path) => await files.readText(await spell(path)),
    list: async (path) => await files.list(await spell(path)),
    kindOf: async (path) => await files.kindOf(await spell(path)),
  };
}

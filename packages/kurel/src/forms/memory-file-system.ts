import { type DirectoryEntry, type EntryKind, FileAccessError, type FileSystem } from '../model/index.ts';
import { comparePaths, lastPartOf, normalisePath, parentOf, rootOf } from './paths.ts';

/** Files in memory, as texts by path, for tests, browsers and programs that generate their input. */
export function memoryFileSystem(files: Readonly<Record<string, string>>): FileSystem {
  const texts = new Map<string, string>();
  const directories = new Map<string, Map<string, DirectoryEntry>>([['.', new Map()]]);

  function addEntry(directory: string, entry: DirectoryEntry): void {
    const entries = directories.get(directory);
    if (entries === undefined) directories.set(directory, new Map([[entry.name, entry]]));
    else entries.set(entry.name, entry);
  }

  for (const [given, text] of Object.entries(files)) {
    const path = normalisePath(given);
    texts.set(path, text);
    let kind: EntryKind = 'file';
    for (let child = path; ; child = parentOf(child)) {
      const parent = parentOf(child);
      addEntry(parent, { name: lastPartOf(child), kind });
      kind = 'directory';
      if (parent === '.' || parent === rootOf(path) || /(?:^|\/)\.\.$/.test(parent)) break;
    }
  }

  return {
    readText(path) {
      const text = texts.get(normalisePath(path));
      if (text !== undefined) return text;
      throw new FileAccessError(path, directories.has(normalisePath(path)) ? 'not-a-file' : 'not-found');
    },
    list(path) {
      const entries = directories.get(normalisePath(path));
      if (entries !== undefined) return [...entries.values()].sort((a, b) => comparePaths(a.name, b.name));
      throw new FileAccessError(path, texts.has(normalisePath(path)) ? 'not-a-directory' : 'not-found');
    },
    kindOf(path) {
      const normal = normalisePath(path);
      if (texts.has(normal)) return 'file';
      return directories.has(normal) ? 'directory' : undefined;
    },
  };
}

import { getOrAdd } from '../budget/index.ts';
import { compareText, FileAccessError, type DirectoryEntry, type EntryKind, type FileSystem } from '../model/index.ts';
import { lastPartOf, normalisePath, parentOf, rootOf } from './paths.ts';

/** Files in memory by path, as texts or bytes, for tests, browsers and programs that generate their input. */
export function memoryFileSystem(files: Readonly<Record<string, string | Uint8Array>>): FileSystem {
  const contents = new Map<string, string | Uint8Array>();
  const directories = new Map<string, Map<string, DirectoryEntry>>([['.', new Map()]]);

  for (const [written, content] of Object.entries(files)) {
    const path = normalisePath(written);
    contents.set(path, content);
    let kind: EntryKind = 'file';
    for (let child = path; ; child = parentOf(child)) {
      const parent = parentOf(child);
      const name = lastPartOf(child);
      getOrAdd(directories, parent, () => new Map<string, DirectoryEntry>()).set(name, { name, kind });
      kind = 'directory';
      if (parent === '.' || parent === rootOf(path) || /(?:^|\/)\.\.$/.test(parent)) break;
    }
  }

  function contentOf(path: string): string | Uint8Array {
    const content = contents.get(normalisePath(path));
    if (content !== undefined) return content;
    throw new FileAccessError(path, directories.has(normalisePath(path)) ? 'not-a-file' : 'not-found');
  }

  return {
    readText(path) {
      const content = contentOf(path);
      return typeof content === 'string' ? content : decodeText(path, content);
    },
    readBytes(path) {
      const content = contentOf(path);
      return typeof content === 'string' ? new TextEncoder().encode(content) : content;
    },
    list(path) {
      const entries = directories.get(normalisePath(path));
      if (entries !== undefined) return [...entries.values()].sort((a, b) => compareText(a.name, b.name));
      throw new FileAccessError(path, contents.has(normalisePath(path)) ? 'not-a-directory' : 'not-found');
    },
    kindOf(path) {
      const normal = normalisePath(path);
      if (contents.has(normal)) return 'file';
      return directories.has(normal) ? 'directory' : undefined;
    },
  };
}

/** Keeps a byte order mark, as the disk does. */
function decodeText(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new FileAccessError(path, 'not-utf-8', { detail: 'is not UTF-8 text', cause });
  }
}

import { getOrAdd } from '../budget/index.ts';
import { sha256 } from '../engine/index.ts';
import { FileAccessError } from '../model/index.ts';
import type { Awaitable, DirectoryEntry, EntryKind, FileSystem } from '../model/index.ts';
import type { Look } from './record-reads.ts';

/** Files that several builds of one run share: each path is read once, even by builds at the same time, so that all see the same content. */
export interface KeptFiles {
  readonly fileSystem: FileSystem;
  /** What was found at a path, in a form that two runs can compare: the kind, a digest of the content or of the names. */
  stampOf(path: string, look: Look): Promise<string>;
  hasRead(path: string): boolean;
}

/** Texts beyond this are read again, so that a run with many large files does not keep all of them. */
const mostCharacters = 64 * 1024 * 1024;

export function keepReads(files: FileSystem): KeptFiles {
  const texts = new Map<string, Promise<string>>();
  const bytes = new Map<string, Promise<Uint8Array>>();
  const lists = new Map<string, Promise<readonly DirectoryEntry[]>>();
  const kinds = new Map<string, Promise<EntryKind | undefined>>();
  const readable = new Set<string>();
  const stamps = new Map<string, Promise<string>>();
  let characters = 0;

  /** Keeps what cannot be read as well, but no other failures. */
  function keep<Value>(table: Map<string, Promise<Value>>, path: string, read: () => Awaitable<Value>): Promise<Value> {
    return getOrAdd(table, path, async () => {
      try {
        const value = await read();
        const size = typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;
        characters += size;
        if (size > 0 && characters > mostCharacters) table.delete(path);
        return value;
      } catch (error) {
        // After a failure without waiting, the promise is not in the table yet.
        await Promise.resolve();
        if (!(error instanceof FileAccessError)) table.delete(path);
        throw error;
      }
    });
  }

  const readBytes = (path: string): Promise<Uint8Array> => keep(bytes, path, () => files.readBytes!(path));
  const fileSystem: FileSystem = {
    ...(files.readBytes === undefined ? {} : { readBytes }),
    readText: (path) =>
      keep(texts, path, async () => {
        const text = await files.readText(path);
        readable.add(path);
        return text;
      }),
    list: (path) => keep(lists, path, () => files.list(path)),
    kindOf: (path) => keep(kinds, path, () => files.kindOf(path)),
    packageAt: (path) => files.packageAt?.(path),
  };

  async function digestOf(path: string, look: Look): Promise<string> {
    try {
      if (look === 'kind') return String(await fileSystem.kindOf(path));
      if (look === 'names') return sha256(JSON.stringify(await fileSystem.list(path)));
      // A text has the same digest as its bytes.
      const isText = texts.has(path) || files.readBytes === undefined;
      return sha256(isText ? await fileSystem.readText(path) : await readBytes(path));
    } catch (error) {
      if (error instanceof FileAccessError) return `! ${error.reason}`;
      throw error;
    }
  }

  return {
    fileSystem,
    hasRead: (path) => readable.has(path) && texts.has(path),
    stampOf: (path, look) => getOrAdd(stamps, `${look} ${path}`, () => digestOf(path, look)),
  };
}

import { sha256 } from '../engine/index.ts';
import { FileAccessError } from '../model/index.ts';
import type { FileSystem } from '../model/index.ts';
import type { Look } from './record-reads.ts';

/** Files that several builds of one run share: each path is read once, so that all builds see the same content. */
export interface KeptFiles {
  readonly fileSystem: FileSystem;
  /** What was found at a path, in a form that two runs can compare: the kind, a digest of the content or of the names. */
  stampOf(path: string, look: Look): Promise<string>;
  hasRead(path: string): boolean;
}

interface Kept<Value> {
  readonly value?: Value;
  readonly error?: FileAccessError;
}

/** Texts beyond this are read again, so that a run with many large files does not keep all of them. */
const mostCharacters = 64 * 1024 * 1024;

export function keepReads(files: FileSystem): KeptFiles {
  const texts = new Map<string, Kept<string>>();
  const bytes = new Map<string, Kept<Uint8Array>>();
  const lists = new Map<string, Kept<Awaited<ReturnType<FileSystem['list']>>>>();
  const kinds = new Map<string, Kept<Awaited<ReturnType<FileSystem['kindOf']>>>>();
  const stamps = new Map<string, string>();
  let characters = 0;

  async function keep<Value>(
    table: Map<string, Kept<Value>>,
    path: string,
    read: (path: string) => PromiseLike<Value> | Value,
  ): Promise<Value> {
    let kept = table.get(path);
    if (kept === undefined) {
      kept = await attempt(() => read(path));
      const { value } = kept;
      const size = typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;
      characters += size;
      if (size === 0 || characters <= mostCharacters) table.set(path, kept);
    }
    if (kept.error !== undefined) throw kept.error;
    return kept.value as Value;
  }

  const readBytes = (path: string): Promise<Uint8Array> => keep(bytes, path, (path) => files.readBytes!(path));
  const fileSystem: FileSystem = {
    ...(files.readBytes === undefined ? {} : { readBytes }),
    readText: (path) => keep(texts, path, (path) => files.readText(path)),
    list: (path) => keep(lists, path, (path) => files.list(path)),
    kindOf: (path) => keep(kinds, path, (path) => files.kindOf(path)),
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
    hasRead: (path) => texts.get(path)?.value !== undefined,
    async stampOf(path, look) {
      const key = `${look} ${path}`;
      const stamp = stamps.get(key) ?? (await digestOf(path, look));
      stamps.set(key, stamp);
      return stamp;
    },
  };
}

async function attempt<Value>(read: () => PromiseLike<Value> | Value): Promise<Kept<Value>> {
  try {
    return { value: await read() };
  } catch (error) {
    if (error instanceof FileAccessError) return { error };
    throw error;
  }
}

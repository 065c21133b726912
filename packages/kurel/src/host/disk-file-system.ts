import {
  closeSync,
  constants,
  createReadStream,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { compareText, FileAccessError } from '../model/index.ts';
import type { DirectoryEntry, EntryKind, FileSystem } from '../model/index.ts';
import type { SchemaFiles } from '../schema/index.ts';
import { errorCode, toFileAccessError } from './file-errors.ts';
import { decodeText, readStream } from './read-stdin.ts';
import { isWithin, toSlashes } from './relative-path.ts';

export interface DiskFileSystemOptions {
  /** Files outside of this directory cannot be read, not even through `..` or links. Defaults to no restriction. */
  readonly root?: string;
  /** Larger files are an error. Defaults to 256 MiB. */
  readonly maxFileBytes?: number;
  /** Where relative paths start. Defaults to the current directory. */
  readonly workingDirectory?: string;
  /** Also read pipes, such as `<(sops -d …)` in a shell. Only for files that the user names, and not with a root. */
  readonly pipes?: boolean;
}

const mebibyte = 1024 * 1024;
const descriptorPath = /^\/(?:dev|proc\/self)\/fd\/\d+$/;

/** The disk: follows links, never opens devices, and lists names in the same order on every system. */
export function diskFileSystem(options: DiskFileSystemOptions = {}): FileSystem {
  const { root, maxFileBytes = 256 * mebibyte, workingDirectory = '.', pipes = false } = options;
  const at = (path: string): string => resolve(workingDirectory, path);
  let realRoot: string | undefined;

  // The root is resolved on first use, because it may not exist yet.
  function isInside(real: string): boolean {
    if (root === undefined) return true;
    realRoot ??= realpathSync.native(at(root));
    return isWithin(realRoot, real);
  }

  function realPathOf(path: string): string {
    const real = realpathSync.native(at(path));
    if (isInside(real)) return real;
    throw new FileAccessError(path, 'outside-root', { detail: `is outside ${root}` });
  }

  function describeLink(directory: string, name: string): DirectoryEntry {
    try {
      const target = realpathSync.native(join(directory, name));
      if (!isInside(target)) return { name, kind: 'other', escapes: true };
      const steps = toSlashes(relative(directory, target));
      return { name, kind: kindOfEntry(statSync(target)), target: steps === '' ? '.' : steps };
    } catch {
      return { name, kind: 'other' };
    }
  }

  function readText(path: string): string | Promise<string> {
    if (pipes && root === undefined && statSync(at(path)).isFIFO()) {
      // The writer of a pipe may take its time, so others can work meanwhile.
      return readStream(createReadStream(at(path)), { path, maxBytes: maxFileBytes, of: ' for one file' });
    }
    return decodeText(path, readBytes(path));
  }

  function readBytes(path: string): Uint8Array {
    // A here-document is a deleted file: it can be opened by its descriptor, but has no real path.
    const isOpen = pipes && root === undefined && descriptorPath.test(at(path)) && statSync(at(path)).isFile();
    return readRegularFile(path, { real: isOpen ? at(path) : realPathOf(path), maxFileBytes });
  }

  return {
    readText: (path) => attempt(path, () => readText(path)),
    readBytes: (path) => attempt(path, () => readBytes(path)),
    list: (directory) =>
      attempt(directory, () => {
        const real = realPathOf(directory);
        if (!statSync(real).isDirectory()) throw new FileAccessError(directory, 'not-a-directory');
        return readdirSync(real, { withFileTypes: true })
          .map((entry) =>
            entry.isSymbolicLink() ? describeLink(real, entry.name) : { name: entry.name, kind: kindOfEntry(entry) },
          )
          .sort((a, b) => compareText(a.name, b.name));
      }),
    kindOf: (path) =>
      attempt(path, () => {
        try {
          return kindOfEntry(statSync(realPathOf(path)));
        } catch (error) {
          const code = errorCode(error);
          if (code === 'ENOTDIR') return undefined;
          if (code !== 'ENOENT' && code !== 'ELOOP') throw error;
          // A dangling or cyclic link exists, but is neither a file nor a directory.
          return lstatSync(at(path), { throwIfNoEntry: false }) === undefined ? undefined : 'other';
        }
      }),
  };
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toFileAccessError(path, error);
  }
}

export function kindOfEntry(entry: { isFile(): boolean; isDirectory(): boolean }): EntryKind {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'directory' : 'other';
}

function readRegularFile(path: string, options: { readonly real: string; readonly maxFileBytes: number }): Uint8Array {
  const { real, maxFileBytes } = options;
  // Check before opening, because opening a pipe blocks and opening a device may have side effects. O_NONBLOCK and the second check
  // cover an entry that is replaced in between.
  requireRegularFile(path, statSync(real));
  const descriptor = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(descriptor);
    requireRegularFile(path, stats);
    if (stats.size > maxFileBytes) {
      const detail = `has ${stats.size} bytes, more than the limit of ${maxFileBytes} for one file`;
      throw new FileAccessError(path, 'too-large', { detail });
    }
    const file = { path, descriptor, maxFileBytes };
    return stats.size === 0 ? readToEnd(file) : readUnchanged(file, stats);
  } finally {
    closeSync(descriptor);
  }
}

function requireRegularFile(path: string, stats: { isFile(): boolean; isDirectory(): boolean }): void {
  if (stats.isFile()) return;
  const detail = stats.isDirectory() ? 'is a directory' : 'is a device, a pipe or a socket, not a file';
  throw new FileAccessError(path, 'not-a-file', { detail });
}

const chunkBytes = 64 * 1024;

interface OpenFile {
  /** As messages name it. */
  readonly path: string;
  readonly descriptor: number;
  readonly maxFileBytes: number;
}

/** Reads to the end: for files that report no size, such as those in `/proc`. */
export function readToEnd({ path, descriptor, maxFileBytes }: OpenFile): Uint8Array {
  const chunks: Buffer[] = [];
  for (let bytes = 0; ;) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const count = readSync(descriptor, chunk);
    if (count === 0) return Buffer.concat(chunks);
    bytes += count;
    if (bytes > maxFileBytes) {
      const detail = `has more than the limit of ${maxFileBytes} bytes for one file`;
      throw new FileAccessError(path, 'too-large', { detail });
    }
    chunks.push(chunk.subarray(0, count));
  }
}

/** Reads a whole file. A file that changes while it is read is an error, because the content may be a mix of old and new. */
export function readUnchanged(file: OpenFile, before: { readonly size: number; readonly mtimeMs: number }): Uint8Array {
  const { path, descriptor } = file;
  const buffer = Buffer.allocUnsafe(before.size);
  let length = 0;
  for (let count = -1; count !== 0 && length < before.size; length += count) {
    count = readSync(descriptor, buffer, length, before.size - length, null);
  }
  const after = fstatSync(descriptor);
  if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
    throw new FileAccessError(path, 'failed', { detail: 'was changed while it was read' });
  }
  return buffer.subarray(0, length);
}

/** The schemas that come with kurel, in the `schemas` directory of its package. */
export function bundledSchemas(): SchemaFiles {
  const directory = findSchemas(import.meta.dirname);
  return {
    read(name) {
      const file = join(directory, name);
      return existsSync(file) ? readFileSync(file, 'utf8') : decompress(readFileSync(`${file}.br`));
    },
  };
}

/** Loads the decompressor on first use: only descriptions are compressed, and most commands need none. */
function decompress(bytes: Buffer): string {
  return process.getBuiltinModule('node:zlib').brotliDecompressSync(bytes).toString('utf8');
}

/** Sources, library and program are at different depths in the package. */
function findSchemas(from: string): string {
  for (let directory = from; ; directory = dirname(directory)) {
    const schemas = join(directory, 'schemas');
    if (existsSync(join(schemas, 'manifest.json'))) return schemas;
    if (directory === dirname(directory))
      throw new Error(`no schemas above ${from}: the installation of kurel is incomplete`);
  }
}

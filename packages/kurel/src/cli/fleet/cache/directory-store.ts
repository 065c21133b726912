import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { CacheFailure } from './cache-store.ts';
import type { CacheStore } from './cache-store.ts';

/** A cache in a directory, in the layout of a server for Bazel's HTTP cache, so that a web server can share it. */
export function openDirectoryStore(directory: string): CacheStore {
  return {
    async get(area, name, maxBytes) {
      try {
        // A pipe would block until somebody writes to it.
        const file = await open(join(directory, area, name), constants.O_RDONLY | constants.O_NONBLOCK);
        try {
          const stats = await file.stat();
          if (!stats.isFile()) throw new CacheFailure(`${area}/${name} is not a file`);
          return await readUpTo(file, Math.min(stats.size, maxBytes) + 1);
        } finally {
          await file.close();
        }
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT') return undefined;
        throw describe(error);
      }
    },
    async put(area, name, bytes) {
      const path = join(directory, area, name);
      // Others may be reading the file, or writing it too.
      const draft = `${path}.${randomUUID()}`;
      try {
        await mkdir(join(directory, area), { recursive: true });
        await writeFile(draft, bytes, { flag: 'wx' });
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true }).catch(() => undefined);
        throw describe(error);
      }
    },
  };
}

/** A file that is longer, or grows while it is read, is not what was stored. */
async function readUpTo(file: FileHandle, maxBytes: number): Promise<Uint8Array> {
  const bytes = Buffer.alloc(maxBytes);
  let size = 0;
  for (let read = -1; read !== 0 && size < maxBytes; size += read) {
    ({ bytesRead: read } = await file.read(bytes, size, maxBytes - size, size));
  }
  return bytes.subarray(0, size);
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is read-only',
  ENOSPC: 'no space is left',
  EDQUOT: 'no space is left',
  ENOTDIR: 'it is not a directory',
};

function describe(error: unknown): CacheFailure {
  if (error instanceof CacheFailure) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  return new CacheFailure(reasons[code] ?? code);
}

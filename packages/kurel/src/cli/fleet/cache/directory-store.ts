import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CacheFailure } from './cache-store.ts';
import type { CacheStore } from './cache-store.ts';

/** A cache in a directory, in the layout of a server for Bazel's HTTP cache, so that a web server can share it. */
export function openDirectoryStore(directory: string): CacheStore {
  return {
    async get(area, name, maxBytes) {
      try {
        const file = await open(join(directory, area, name));
        try {
          const stats = await file.stat();
          if (!stats.isFile()) throw new CacheFailure(`${area}/${name} is not a file`);
          // A longer one is not what was stored.
          return stats.size > maxBytes ? new Uint8Array(maxBytes + 1) : await file.readFile();
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

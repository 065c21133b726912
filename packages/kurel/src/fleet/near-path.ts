import { nearest } from '../diagnostics/index.ts';
import { FileAccessError } from '../model/index.ts';
import type { FileSystem } from '../model/index.ts';

/** The path with its first part that does not exist corrected, if there is a similar name. Stops at wildcards and placeholders. */
export async function findNearPath(path: string, fileSystem: FileSystem): Promise<string | undefined> {
  const parts = path.split('/');
  for (const [index, part] of parts.entries()) {
    if (part === '' || part === '.' || part === '..') continue;
    if (/[*?[{]/.test(part)) return undefined;
    const place = parts.slice(0, index).join('/') || (path.startsWith('/') ? '/' : '.');
    const names = await listNames(place, { fileSystem, isLast: index === parts.length - 1 });
    if (names.includes(part)) continue;
    const near = nearest(part, names);
    return near === undefined ? undefined : parts.with(index, near).join('/');
  }
  return undefined;
}

interface Listing {
  readonly fileSystem: FileSystem;
  /** Other parts of a path are directories. */
  readonly isLast: boolean;
}

async function listNames(directory: string, { fileSystem, isLast }: Listing): Promise<readonly string[]> {
  try {
    const entries = await fileSystem.list(directory);
    return entries.filter(({ kind }) => isLast || kind === 'directory').map(({ name }) => name);
  } catch (error) {
    if (error instanceof FileAccessError) return [];
    throw error;
  }
}

import { type BigIntStats, type Dirent, readdirSync, statSync } from 'node:fs';
import { errorCode } from './file-errors.ts';

/** How a path was looked at: only what stands there, what is in the file, or which names are in the directory. */
export type Look = 'kind' | 'content' | 'names';

/** What a look found, as a text that is another one when anything that the look depends on is. */
export function stampPath(path: string, look: Look, isWatched: (name: string) => boolean): string {
  try {
    if (look === 'names') return namesIn(path, isWatched).join('/');
    const stats = statSync(path, { bigint: true });
    return look === 'kind' ? kindOf(stats) : contentOf(stats);
  } catch (error) {
    return `${missing}${errorCode(error)}`;
  }
}

/** No name begins with it. */
const missing = '/';

/** Whether a stamp says that there was nothing to see. */
export function isMissing(stamp: string): boolean {
  return stamp.startsWith(missing);
}

/** The names in one stamp of a directory that are not in the other. */
export function namesOnlyIn(stamp: string, other: string): readonly string[] {
  const others = new Set(other.split('/'));
  return stamp.split('/').filter((name) => name !== '' && !others.has(name));
}

function namesIn(directory: string, isWatched: (name: string) => boolean): readonly string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => isWatched(name))
    .map(nameOf)
    .sort();
}

/** A file in the place of a directory is another entry; its colon is in no name that a build would read. */
function nameOf(entry: Dirent): string {
  return entry.isFile() || entry.isDirectory() ? entry.name : `${entry.name}:`;
}

function kindOf(stats: BigIntStats): string {
  return stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other';
}

const tick = 20;

/** The time of a change includes that of permissions and names. */
function contentOf(stats: BigIntStats): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  // Clocks of file systems tick slowly: a second change within a tick would look like the first. Such a stamp equals none that is
  // taken later, which costs one run too many.
  const isFresh = Math.abs(Date.now() - Number(ctimeNs / 1_000_000n)) < tick;
  return `${kindOf(stats)} ${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}${isFresh ? ' fresh' : ''}`;
}

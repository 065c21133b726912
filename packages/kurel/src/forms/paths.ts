import { nearest } from '../diagnostics/index.ts';
import type { DirectoryEntry, FileSystem } from '../model/index.ts';

/** How many directories inside one another are read; far above any real tree. Beyond, each step would cost more than the last. */
export const deepestDirectory = 100;

/** A name in a directory, as the user would write it: `.` and trailing slashes leave no trace. */
export function joinPath(directory: string, name: string): string {
  if (directory === '' || directory === '.') return name;
  return directory.endsWith('/') ? directory + name : `${directory}/${name}`;
}

/** The directory that a path stands in; `.` when it names none. */
export function parentOf(path: string): string {
  const trimmed = trimSlashes(path);
  const slash = trimmed.lastIndexOf('/');
  if (slash === -1) return '.';
  return slash === 0 ? '/' : trimmed.slice(0, slash);
}

export function lastPartOf(path: string): string {
  const trimmed = trimSlashes(path);
  return trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

/** What the local extension of a package directory is called. */
export function localNameOf(name: string): string {
  return `${name.replace(/\.kurel$/, '')}.local.kurel`;
}

/** Where the local extension of a package is. `undefined` for a path that does not say the name of its directory. */
export function localOf(path: string): string | undefined {
  const name = lastPartOf(path);
  return name === '.' || name === '..' || name === '' ? undefined : joinPath(parentOf(path), localNameOf(name));
}

/** Takes `.` and `..` out. A relative path that leads above its start keeps its `..`; above `/` there is only `/`. */
export function normalisePath(path: string): string {
  const isAbsolute = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part === '..' ? !isAbsolute : part !== '' && part !== '.') parts.push(part);
  }
  return (isAbsolute ? '/' : '') + parts.join('/') || '.';
}

/** Whether a normalised relative path leads out of where it starts. */
export function leadsOut(path: string): boolean {
  return path === '..' || path.startsWith('../') || path.startsWith('/') || /^[A-Za-z]:/.test(path);
}

/** Where an entry of a directory really is, when the directory is at `place`; both counted from the start of a walk. */
export function placeOfEntry(entry: DirectoryEntry, place: string): string {
  const step = entry.target ?? entry.name;
  const isAbsolute = entry.target !== undefined && leadsOut(entry.target) && !entry.target.startsWith('..');
  return isAbsolute ? step : normalisePath(`${place}/${step}`);
}

/** The path as programs take it that would read `github.com/a/b` as an address, whatever is on the disk. */
export function asLocalPath(path: string): string {
  return path.startsWith('/') || /^(?:\.{1,2}(?:\/|$)|[A-Za-z]:[\\/])/.test(path) ? path : `./${path}`;
}

export function comparePaths(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function trimSlashes(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, '') : path;
}

/** Whether a setting that must say something says nothing; JavaScript callers have no compiler to tell them it is missing. */
export function isBlank(text: string | undefined): boolean {
  return typeof text !== 'string' || text.trim() === '';
}

/** The path beside a missing one that the user most likely meant. Hints must not fail, so what cannot be read is nothing. */
export async function findNearPath(fileSystem: FileSystem, path: string): Promise<string | undefined> {
  const parent = parentOf(path);
  try {
    const names = (await fileSystem.list(parent)).map(({ name }) => name);
    const near = nearest(lastPartOf(path), names);
    return near === undefined ? undefined : joinPath(parent === '.' && path.startsWith('./') ? './' : parent, near);
  } catch {
    return undefined;
  }
}

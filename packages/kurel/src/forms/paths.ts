import { nearest } from '../diagnostics/index.ts';
import type { DirectoryEntry, EntryKind, FileSystem } from '../model/index.ts';
import { ifReadable } from '../reads/index.ts';

/** Maximum depth of directories, far more than real trees have, because each level costs more than the last. */
export const deepestDirectory = 100;

/** Joins a directory and a name, without `.` and trailing slashes. */
export function joinPath(directory: string, name: string): string {
  if (directory === '' || directory === '.') return name;
  return directory.endsWith('/') ? directory + name : `${directory}/${name}`;
}

/** Parent directory of a path; `.` if the path has none. */
export function parentOf(path: string): string {
  const trimmed = trimSlashes(path);
  const slash = trimmed.lastIndexOf('/');
  if (slash === -1) return '.';
  const root = rootOf(trimmed);
  return slash < root.length ? root : trimmed.slice(0, slash);
}

/** `/`, or of Windows a drive (`C:/`) or the start of a share (`//`); empty for a relative path. */
export function rootOf(path: string): string {
  return /^(?:\/{2}(?=[^/])|\/|[A-Za-z]:\/)/.exec(path)?.[0] ?? '';
}

export function lastPartOf(path: string): string {
  const trimmed = trimSlashes(path);
  return trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

/** Name of the local extension of a package directory. */
export function localNameOf(name: string): string {
  return `${name.replace(/\.kurel$/, '')}.local.kurel`;
}

/** Path of the local extension of a package; `undefined` if the path does not contain the name of its directory. */
export function localOf(path: string): string | undefined {
  const name = lastPartOf(path);
  return name === '.' || name === '..' || name === '' ? undefined : joinPath(parentOf(path), localNameOf(name));
}

/** Resolves `.` and `..`. A relative path that leaves its start keeps its `..`; the parent of `/` is `/`. */
export function normalisePath(path: string): string {
  // Most paths are: they have no part that is empty, `.` or `..`.
  if (!/(?:^|\/)\.{0,2}(?:\/|$)/.test(path)) return path;
  const root = rootOf(path);
  const parts: string[] = [];
  for (const part of path.slice(root.length).split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part === '..' ? root === '' : part !== '' && part !== '.') parts.push(part);
  }
  return root + parts.join('/') || '.';
}

/** Whether a normalised relative path leaves its start. */
export function leavesRoot(path: string): boolean {
  return path === '..' || path.startsWith('../') || path.startsWith('/') || /^[A-Za-z]:/.test(path);
}

/** The path of a file relative to a directory, with `..` if necessary; `undefined` if they have different roots. */
export function relativePath(directory: string, file: string): string | undefined {
  const from = normalisePath(directory);
  const to = normalisePath(file);
  if (rootOf(from) !== rootOf(to)) return undefined;
  const up = partsOf(from);
  const down = partsOf(to);
  let shared = 0;
  while (shared < up.length && shared < down.length && up[shared] === down[shared]) shared += 1;
  // A directory above the start has no name, so there is no way back into it.
  if (up.slice(shared).includes('..')) return undefined;
  return [...up.slice(shared).map(() => '..'), ...down.slice(shared)].join('/') || '.';
}

function partsOf(normalised: string): readonly string[] {
  return normalised.split('/').filter((part) => part !== '' && part !== '.');
}

/** The path of a file inside an input, which is a directory or a file. A file outside keeps its path. */
export function pathInside(input: string, file: string): string {
  const paths = [input, parentOf(input)].map((directory) => relativePath(directory, file));
  return paths.find((path) => path !== undefined && path !== '.' && !leavesRoot(path)) ?? file;
}

/** Real path of a directory entry, if the directory is at `place`; both relative to the start of a walk. */
export function placeOfEntry(entry: DirectoryEntry, place: string): string {
  const step = entry.target ?? entry.name;
  const isAbsolute = entry.target !== undefined && leavesRoot(entry.target) && !entry.target.startsWith('..');
  return isAbsolute ? step : normalisePath(`${place}/${step}`);
}

/** A path that programs cannot mistake for an address, as they would `github.com/a/b`. */
export function asLocalPath(path: string): string {
  return path.startsWith('/') || /^(?:\.{1,2}(?:\/|$)|[A-Za-z]:[\\/])/.test(path) ? path : `./${path}`;
}

function trimSlashes(path: string): string {
  return path.length > rootOf(path).length ? path.replace(/\/+$/, '') : path;
}

/** Whether a required string is empty or, for JavaScript callers without type checks, missing. */
export function isBlank(text: string | undefined): boolean {
  return typeof text !== 'string' || text.trim() === '';
}

/**
 * What a directory has under exactly this name. Where case is ignored, asking for the path also finds other spellings, and a package would
 * not mean the same on every system.
 */
export async function kindOfName(
  fileSystem: FileSystem,
  directory: string,
  name: string,
): Promise<EntryKind | undefined> {
  const kind = await fileSystem.kindOf(joinPath(directory, name));
  if (kind === undefined) return undefined;
  // Some directories cannot be listed, although their files can be read.
  const entries = await ifReadable(() => fileSystem.list(directory), undefined);
  return entries === undefined || entries.some((entry) => entry.name === name) ? kind : undefined;
}

/** The sibling of a missing path with the most similar name. A hint must not fail, so unreadable directories are ignored. */
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

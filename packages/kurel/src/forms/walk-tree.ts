import { FileAccessError } from '../model/index.ts';
import type { DirectoryEntry, FileSystem } from '../model/index.ts';
import { deepestDirectory, joinPath, leavesRoot, placeOfEntry } from './paths.ts';

// Far more than real trees have; a few directories that link to each other can form endless paths.
const mostLinked = 1000;

/** Limits of a walk by the fault of directories that exceed them. */
export const treeLimits = {
  'too-deep': `${deepestDirectory} nested directories`,
  endless: `${mostLinked} linked directories`,
};

/** Why an entry cannot be read, or a directory not be entered. */
type TreeFault = 'link-out' | 'not-a-file' | 'link-circle' | keyof typeof treeLimits;

interface Visit<State> {
  readonly entry: DirectoryEntry;
  readonly path: string;
  readonly fault: TreeFault | undefined;
  /** State in which its directory was entered. */
  readonly state: State;
}

interface TreeWalk<State> {
  readonly fileSystem: FileSystem;
  /** Links must not point outside it. */
  readonly root: string;
  /** The directory to walk, and its real path relative to the root. Defaults to the root. */
  readonly from?: { readonly path: string; readonly place: string } | undefined;
  readonly start: State;
  /** Returns the state for entering a directory; it is not entered without one, or if it has a fault. */
  readonly visit: (visit: Visit<State>) => State | undefined;
  /** Called for a directory that cannot be listed; without it, the walk fails. */
  readonly onUnreadable?: ((error: FileAccessError, directory: string) => void) | undefined;
}

/** Visits all entries below a directory. Links are followed if they stay below the root. */
export async function walkTree<State>(walk: TreeWalk<State>): Promise<void> {
  const { fileSystem, root, from = { path: root, place: '.' }, visit, onUnreadable } = walk;
  let linked = 0;

  /** `trail` contains the real paths of the current directory and its parents, relative to the root. */
  async function enter(directory: string, trail: readonly string[], state: State): Promise<void> {
    for (const entry of await list(directory)) {
      const path = joinPath(directory, entry.name);
      const real = placeOfEntry(entry, trail.at(-1)!);
      // Without a link, the path would equal the real path.
      const isLinked = joinPath(root, real) !== path;
      const fault =
        findFault(entry, real) ?? (entry.kind === 'directory' ? findLimit(real, trail, isLinked) : undefined);
      const inside = visit({ entry, path, fault, state });
      if (entry.kind !== 'directory' || fault !== undefined || inside === undefined) continue;
      if (isLinked) linked += 1;
      await enter(path, [...trail, real], inside);
    }
  }

  function findLimit(real: string, trail: readonly string[], isLinked: boolean): TreeFault | undefined {
    if (trail.includes(real)) return 'link-circle';
    if (trail.length > deepestDirectory) return 'too-deep';
    return isLinked && linked >= mostLinked ? 'endless' : undefined;
  }

  async function list(directory: string): Promise<readonly DirectoryEntry[]> {
    try {
      return await fileSystem.list(directory);
    } catch (error) {
      if (onUnreadable === undefined || !(error instanceof FileAccessError)) throw error;
      onUnreadable(error, directory);
      return [];
    }
  }

  await enter(from.path, [from.place], walk.start);
}

/** Why an entry at a real path below the root of a walk cannot be read. */
export function findFault(entry: DirectoryEntry, real: string): 'link-out' | 'not-a-file' | undefined {
  if (entry.escapes === true || leavesRoot(real)) return 'link-out';
  return entry.kind === 'other' ? 'not-a-file' : undefined;
}

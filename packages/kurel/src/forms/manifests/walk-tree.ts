import type { Diagnostic, DirectoryEntry, FileSystem, Report } from '../../model/index.ts';
import { FileAccessError } from '../../model/index.ts';
import { deepestDirectory, joinPath, leadsOut, placeOfEntry } from '../paths.ts';
import { manifestsProblems } from './problems.ts';

export interface TreeWalk<State> {
  readonly fileSystem: FileSystem;
  readonly directory: string;
  readonly start: State;
  /** Decides about an entry of a directory that was entered with `state`. */
  readonly visit: (entry: DirectoryEntry, state: State) => Visit<State>;
  readonly report: Report;
}

interface Visit<State> {
  /** Whether to return the entry. Links that point outside and pipes are errors only if they would be read. */
  readonly isWanted: boolean;
  /** State for entering the entry, if it is a directory. */
  readonly inside?: State | undefined;
}

/** An entry that `visit` wants. */
export interface Found {
  readonly path: string;
  readonly kind: 'file' | 'directory';
  readonly isEntered: boolean;
}

// Far more than real trees have; a few directories that link to each other can form endless paths.
const mostBehindLinks = 1000;

/** Lists the wanted entries below a directory. Links are followed if they stay below the directory. */
export async function walkTree<State>(walk: TreeWalk<State>): Promise<readonly Found[]> {
  const { fileSystem, directory, visit, report } = walk;
  const found: Found[] = [];
  let behindLinks = 0;
  let isTooDeep = false;

  /** `trail` contains the real paths of the current directory and its parents, relative to the start. */
  async function enter(path: string, trail: readonly string[], state: State): Promise<void> {
    // Without a link, the path would equal the real path.
    if (joinPath(directory, trail.at(-1)!) !== path && trail.length > 1) behindLinks += 1;
    if (behindLinks > mostBehindLinks) return;
    for (const entry of await listEntries(fileSystem, path, report)) {
      const { isWanted, inside } = visit(entry, state);
      const entryPath = joinPath(path, entry.name);
      const real = placeOfEntry(entry, trail.at(-1)!);
      const fault = findFault(entry, { path: entryPath, directory, real, trail });
      const isEntered = entry.kind === 'directory' && inside !== undefined;
      if (fault !== undefined) {
        const isInTheWay = isWanted || isEntered || (entry.escapes === true && inside !== undefined);
        if (isInTheWay) report(fault);
        continue;
      }
      if (isWanted && entry.kind !== 'other') found.push({ path: entryPath, kind: entry.kind, isEntered });
      if (isEntered && trail.length > deepestDirectory) isTooDeep = true;
      else if (isEntered) await enter(entryPath, [...trail, real], inside);
    }
  }

  await enter(directory, ['.'], walk.start);
  if (isTooDeep) {
    const limit = `${deepestDirectory} nested directories`;
    report(manifestsProblems.create('manifests-too-many', { path: directory, limit }));
  }
  if (behindLinks > mostBehindLinks) {
    const limit = `${mostBehindLinks} linked directories`;
    report(manifestsProblems.create('manifests-too-many', { path: directory, limit }));
  }
  return found;
}

function findFault(
  entry: DirectoryEntry,
  at: { readonly path: string; readonly directory: string; readonly real: string; readonly trail: readonly string[] },
): Diagnostic | undefined {
  const { path, directory } = at;
  const place = { location: { file: path } };
  if (entry.escapes === true || leadsOut(at.real)) {
    return manifestsProblems.create('manifests-link-out', { path, directory }, place);
  }
  if (entry.kind === 'other') return manifestsProblems.create('manifests-not-a-file', { path }, place);
  if (entry.kind !== 'directory' || !at.trail.includes(at.real)) return undefined;
  return manifestsProblems.create('manifests-link-circle', { path }, place);
}

async function listEntries(
  fileSystem: FileSystem,
  directory: string,
  report: Report,
): Promise<readonly DirectoryEntry[]> {
  try {
    return await fileSystem.list(directory);
  } catch (error) {
    if (!(error instanceof FileAccessError)) throw error;
    report(
      manifestsProblems.create('manifests-unreadable', { reason: error.message }, { location: { file: directory } }),
    );
    return [];
  }
}

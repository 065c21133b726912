import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { readIfThere, statIfThere } from './file-errors.ts';
import { isWithin, realPathOf, toSlashes } from './relative-path.ts';

/** The directories that files named by a document of somebody else may be written to. Real paths, as plain data for other processes. */
export interface OutputRoots {
  /** The git repository, or the directory of the document if there is none. */
  readonly own: string;
  readonly isRepository: boolean;
  /** Those that the user allows. */
  readonly allowed: readonly string[];
  /** Directories of git in the repository that have another name than `.git`. */
  readonly hidden: readonly string[];
}

export interface OutsideRoots {
  readonly reason: 'outside' | 'git';
  /** The real path, if links point there. */
  readonly real: string;
}

/** The roots for a document in a directory. `allowed` are absolute paths of the user. */
export function openOutputRoots(directory: string, allowed: readonly string[]): OutputRoots {
  const start = realPathOf(directory);
  const repository = findRepository(start);
  const own = repository ?? start;
  const git = join(own, '.git');
  const hidden = [realPathOf(git), readGitFile(git)].filter((path) => path !== undefined && path !== git);
  return {
    own,
    isRepository: repository !== undefined,
    allowed: allowed.map(realPathOf),
    hidden: hidden as readonly string[],
  };
}

/** The git repository that a directory is in. */
export function findRepository(directory: string): string | undefined {
  for (let current = directory; ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return current;
    if (dirname(current) === current) return undefined;
  }
}

/** A worktree or submodule has a file that names its directory. */
function readGitFile(path: string): string | undefined {
  if (statIfThere(path)?.isFile() !== true) return undefined;
  const [, target] = /^gitdir: (.+?)\s*$/m.exec(readIfThere(() => readFileSync(path, 'utf8'))) ?? [];
  return target === undefined ? undefined : realPathOf(resolve(dirname(path), target));
}

/** Why nothing may be written to an absolute path; `undefined` if it is in one of the roots. Follows links, also those that dangle. */
export function findOutsideRoots(
  path: string,
  { own, allowed, hidden }: OutputRoots,
  realOf: (path: string) => string = realPathOf,
): OutsideRoots | undefined {
  const real = realOf(path);
  const roots = [own, ...allowed].filter((root) => isWithin(root, real));
  if (roots.length === 0) return { reason: 'outside', real };
  const isOpen = roots.some((root) => {
    const steps = toSlashes(relative(root, real)).split('/');
    return !steps.some(isGitName) && !hidden.some((place) => isWithin(place, real) && !isWithin(place, root));
  });
  return isOpen ? undefined : { reason: 'git', real };
}

/** Characters that HFS+ ignores in names. */
const ignored = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Whether a file system could take a name for `.git`: without regard to case, by its short name on NTFS, or with ignored endings. */
function isGitName(name: string): boolean {
  const plain = name.replace(ignored, '').normalize('NFKC').toLowerCase();
  return /^(?:\.git|git~\d+)(?:[ .]*(?::.*)?)$/.test(plain);
}

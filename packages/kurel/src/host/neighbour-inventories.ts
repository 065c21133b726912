import { basename, dirname, join, relative, resolve } from 'node:path';
import { DiagnosticError } from '../diagnostics/index.ts';
import type { OutputFile } from '../model/index.ts';
import { parentsOf } from './check-output-paths.ts';
import { type OwnedFiles, readInventory, recordedPaths } from './output-inventory.ts';
import { hostProblems } from './problems.ts';
import { realPathOf, toSlashes } from './relative-path.ts';
import { isSystemError } from './file-errors.ts';

/**
 * Owners from other inventories: of an output directory above this one, or of one inside it that contains some of the given files.
 * Their paths are relative to this directory.
 */
export function findNeighbours(directory: string, files: readonly Pick<OutputFile, 'path'>[]): readonly OwnedFiles[] {
  const real = realPathOf(resolve(directory));
  const around = directoriesAbove(real).flatMap((above) => {
    const way = `${toSlashes(relative(above, real))}/`;
    return ownersIn(above).map((owner) =>
      movePaths(owner, (path) => (path.startsWith(way) ? path.slice(way.length) : undefined)),
    );
  });
  const inside = [...new Set(files.flatMap(({ path }) => parentsOf(path)))].flatMap((below) =>
    ownersIn(join(real, below)).map((owner) => movePaths(owner, (path) => `${below}/${path}`)),
  );
  return [...around, ...inside];
}

/** Throws if a file belongs to a build that wrote a directory above it. */
export function requireUnowned(path: string): void {
  const real = realPathOf(resolve(path));
  for (const above of directoriesAbove(real)) {
    const way = toSlashes(relative(above, real));
    const owner = ownersIn(above).find((one) => recordedPaths(one).has(way));
    if (owner === undefined) continue;
    const [directory, name] = [dirname(path), basename(path)];
    throw new DiagnosticError([
      hostProblems.create('output-owned-file', { directory, path: name, other: name, owner }),
    ]);
  }
}

function directoriesAbove(directory: string): readonly string[] {
  const parent = dirname(directory);
  return parent === directory ? [] : [parent, ...directoriesAbove(parent)];
}

/** Ignores a broken inventory of another directory, because the builds there report it. */
function ownersIn(directory: string): readonly OwnedFiles[] {
  try {
    return readInventory(directory).owners;
  } catch (error) {
    if (error instanceof DiagnosticError || isSystemError(error)) return [];
    throw error;
  }
}

function movePaths(owner: OwnedFiles, move: (path: string) => string | undefined): OwnedFiles {
  return { ...owner, files: moveKeys(owner.files, move), next: moveKeys(owner.next, move) };
}

function moveKeys<Value>(
  entries: ReadonlyMap<string, Value>,
  move: (path: string) => string | undefined,
): ReadonlyMap<string, Value> {
  const moved = Array.from(entries, ([path, value]) => [move(path), value] as const);
  return new Map(moved.filter((entry): entry is readonly [string, Value] => entry[0] !== undefined));
}

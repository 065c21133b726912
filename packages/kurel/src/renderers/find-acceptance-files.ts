import type { FileSystem } from '../model/index.ts';
import { markedDirectory } from './detect-input.ts';
import { isGlob } from './manifests/compile-glob.ts';
import { joinPath } from './paths.ts';

export interface AcceptanceSearch {
  readonly fileSystem: FileSystem;
  /** What is built: a directory, a file, a pattern or `-`. */
  readonly path: string;
  /** The local extension of a patch package; `false` for none, by default the one beside the package. */
  readonly local?: string | false | undefined;
}

const fileName = 'kurel.accept.yaml';

/** The files with acceptances that belong to what is built; most often there are none. */
export async function findAcceptanceFiles({ fileSystem, path, local }: AcceptanceSearch): Promise<readonly string[]> {
  if (path === '-' || (isGlob(path) && (await fileSystem.kindOf(path)) === undefined)) return [];
  const directory = markedDirectory(path);
  const kind = directory === path ? await fileSystem.kindOf(path) : 'directory';
  const candidates =
    kind === 'directory'
      ? [directory, ...localsOf(directory, local)].map((place) => joinPath(place, fileName))
      : kind === 'file'
        ? [path.replace(/\.[^./]+$/, '') + '.accept.yaml']
        : [];
  const found: string[] = [];
  for (const candidate of candidates) {
    if (candidate !== path && (await fileSystem.kindOf(candidate)) === 'file') found.push(candidate);
  }
  return found;
}

function localsOf(directory: string, local: string | false | undefined): readonly string[] {
  if (local === false) return [];
  if (local !== undefined) return [local];
  const stem = /^(.*[^/])\.kurel\/*$/.exec(directory)?.[1];
  return stem === undefined || stem.endsWith('.local') ? [] : [`${stem}.local.kurel`];
}

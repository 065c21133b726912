import { posix, relative, resolve } from 'node:path';

import { getOrAdd } from '../../budget/index.ts';
import { escapeControls, escapeControlsInJson } from '../../diagnostics/index.ts';
import { lockPathOf } from '../../fleet/index.ts';
import type { Fleet } from '../../fleet/index.ts';
import { followLinks, realPathOf, toSlashes } from '../../host/index.ts';
import { writeJson } from '../../index.ts';
import { paint } from '../terminal.ts';
import { ancestorsOf } from './changed-targets.ts';
import { splitKey } from './stamp-reads.ts';

/** The paths that a target reads, relative to the root of the repository. */
interface TargetPaths {
  readonly name: string;
  readonly output: string;
  /** A directory ends with a slash, and stands for everything below it. */
  readonly paths: readonly string[];
}

interface ReadPlaces {
  readonly directory: string;
  readonly root: string;
  readonly fleet: Fleet;
  /** What each target read, such as `content apps/web/app.yaml`. */
  readonly keysOf: (name: string) => readonly string[];
}

/**
 * Everything that can change what a target builds: the fleet file, files that it read, directories that it listed, files that it looked for
 * and did not find, and the links that lead to them.
 */
export function listPaths(
  targets: Fleet['targets'],
  { directory, root, fleet, keysOf }: ReadPlaces,
): readonly TargetPaths[] {
  const [realRoot, realDirectory] = [realPathOf(root), realPathOf(directory)];
  const place = (path: string): string => toSlashes(relative(realRoot, resolve(realDirectory, path)));
  const followed = new Map<string, readonly string[]>();
  const follow = (path: string): readonly string[] =>
    getOrAdd(followed, path, () => followLinks(resolve(realDirectory, path)).map(place));
  return targets.map(({ name, settings, registered, missingValues = [] }) => {
    const isLocked = registered !== undefined && registered.digest === undefined;
    const locks = isLocked ? [lockPathOf(fleet.source.path)] : [];
    const files = new Set([fleet.source.path, ...locks, ...missingValues].flatMap(follow));
    const directories = new Set<string>();
    for (const key of keysOf(name)) {
      const [look, path] = splitKey(key);
      if (look === 'program') continue;
      // A link is a file.
      const places = follow(path);
      for (const each of places) files.add(each);
      if (look === 'names') directories.add(places.at(-1)!);
    }
    return { name, output: place(settings.output), paths: reduce(files, directories) };
  });
}

/** Leaves out what is below a directory of the list, and what is outside of the repository. */
function reduce(files: ReadonlySet<string>, directories: ReadonlySet<string>): readonly string[] {
  const isBelow = (path: string): boolean =>
    ancestorsOf(posix.dirname(path)).some((parent) => directories.has(parent === '.' ? '' : parent));
  const isInside = (path: string): boolean => path !== '..' && !path.startsWith('../') && !path.startsWith('/');
  const all = [
    ...[...directories].filter((path) => path === '' || !isBelow(path)).map((path) => `${path}/`),
    ...[...files].filter((path) => path !== '' && !directories.has(path) && !isBelow(path)),
  ];
  return [...new Set(all)].filter(isInside).toSorted();
}

export function formatPaths(list: readonly TargetPaths[], color: boolean): string {
  return list
    .map(({ name, paths }) => {
      const lines = paths.map((path) => `  ${escapeControls(path)}\n`);
      return `${paint('1', escapeControls(name), color)}\n${lines.join('')}`;
    })
    .join('');
}

export function pathsToJson(list: readonly TargetPaths[]): string {
  const targets = list.map(({ name, output, paths }) => ({ name, output, paths }));
  return `${escapeControlsInJson(writeJson({ targets }))}\n`;
}

/** Values of the annotation `argocd.argoproj.io/manifest-generate-paths`, which count from the root of the repository. */
export function formatArgoPaths(list: readonly TargetPaths[]): string {
  const lines = list.map(({ name, paths }) => {
    const value = paths.map((path) => `/${path.replace(/\/$/, '')}`).join(';');
    return `${escapeControls(name)}\t${escapeControls(value)}\n`;
  });
  return lines.join('');
}

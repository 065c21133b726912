import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

/**
 * The local extension of a package that is named by where one is: the names of `.` and `..`, which it goes by, are only
 * known to the machine. `undefined` when there is none, and for a path that says the name itself.
 */
export function findLocal(path: string, workingDirectory: string): string | undefined {
  const local = placeOfLocal(path, workingDirectory);
  if (local === undefined || !existsSync(local)) return undefined;
  return relative(workingDirectory, local).replaceAll('\\', '/');
}

/** Where such an extension would be. */
export function placeOfLocal(path: string, workingDirectory: string): string | undefined {
  const directory = basename(path) === 'parameters.yaml' ? dirname(path) : path;
  if (!['.', '..', ''].includes(basename(directory))) return undefined;
  const place = resolve(workingDirectory, directory);
  return join(dirname(place), `${basename(place).replace(/\.kurel$/, '')}.local.kurel`);
}

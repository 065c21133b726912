import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import type { Environment } from './environment.ts';

/**
 * Whether a path will be built as a patch package. Two forms in one directory are an error of the build, so the file that marks
 * a package is all there is to look for.
 */
export function isPackagePath(
  { path, as }: { readonly path: string; readonly as: string | undefined },
  { workingDirectory }: Environment,
): boolean {
  if (as !== undefined || path === '-') return as === 'patch-package' && path !== '-';
  const full = resolve(workingDirectory, path);
  return isFile(basename(full) === 'parameters.yaml' ? full : join(full, 'parameters.yaml'));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The file that marks a package stands for its directory. */
export function packageDirectory(path: string): string {
  return basename(path) === 'parameters.yaml' ? dirname(path) : path;
}

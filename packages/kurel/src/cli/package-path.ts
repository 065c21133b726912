import { readFileSync, statSync } from 'node:fs';
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

/** The same for application packages, of which the names of the files alone do not tell. */
export function isApplicationPath(
  { path, as }: { readonly path: string; readonly as: string | undefined },
  environment: Environment,
): boolean {
  if (as !== undefined || path === '-') return as === 'application' && path !== '-';
  const full = resolve(environment.workingDirectory, path);
  const named = basename(full);
  const isYaml = /\.ya?ml$/.test(named) && isFile(full);
  const files = isYaml ? [full] : [...marks.keys()].map((file) => join(full, file));
  return files.some((file) => isFile(file) && bearsKind(file, marks.get(basename(file)) ?? application));
}

const application = /^["']?kind["']?:\s*["']?Application\b/m;

const marks: ReadonlyMap<string, RegExp> = new Map([
  ['kurel.yaml', /^["']?kind["']?:\s*["']?Package\b/m],
  ['app.yaml', application],
]);

const longest = 256 * 1024 * 1024;

function bearsKind(file: string, kind: RegExp): boolean {
  try {
    // Nothing larger is read by whoever builds it; what says that it is empty may go on for ever, as files of /proc do.
    const { size } = statSync(file);
    if (size === 0 || size > longest) return false;
    const text = readFileSync(file, 'utf8');
    return text.includes('launcher.gokure.dev/') && kind.test(text);
  } catch {
    // Whoever builds it says why it cannot be read.
    return false;
  }
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

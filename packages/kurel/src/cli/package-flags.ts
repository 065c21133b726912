import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

import { escapeControls, quote } from '../diagnostics/index.ts';
import { localNameOf } from '../forms/index.ts';
import { toSlashes } from '../host/index.ts';
import type { PackageSettings } from '../index.ts';
import type { FlagDefinitions, FlagValues } from './command.ts';
import type { Environment } from './environment.ts';
import { fileLimitFlags, packageLimitFlags } from './limit-flags.ts';
import { isRemotePath } from './packages/mount-packages.ts';
import { UsageError } from './usage-error.ts';

/** Flags of every command that reads patch packages. */
export const packageFlags = {
  local: {
    type: 'text',
    placeholder: 'DIR',
    completes: 'path',
    section: 'package',
    summary: 'Patch package: local extension to use; defaults to NAME.local.kurel next to NAME.kurel.',
  },
  'no-local': { type: 'switch', section: 'package', summary: 'Patch package: ignore the local extension.' },
  enable: {
    type: 'list',
    placeholder: 'ID',
    completes: 'patch',
    section: 'package',
    summary: 'Patch package: enable a patch, such as features/10-tracing, regardless of its condition.',
  },
  'max-depth': {
    type: 'text',
    placeholder: 'N',
    section: 'limit',
    summary: 'Patch package: levels of references between parameters; defaults to 10.',
  },
  ...packageLimitFlags,
  ...fileLimitFlags,
} as const satisfies FlagDefinitions;

type Settings = Pick<PackageSettings, 'local' | 'force' | 'maxDepth' | 'limits' | 'trace'>;

/** `--local`, `--no-local`, `--enable`, `--max-depth` and `KURE_DEBUG` → how a patch package is read. */
export function readPackageFlags(
  path: string,
  flags: Partial<FlagValues<typeof packageFlags>>,
  { variables, writeStderr, workingDirectory, limits }: Environment,
): Settings {
  const { local: named, 'no-local': noLocal = false, enable = [], 'max-depth': depth } = flags;
  if (named !== undefined && noLocal) {
    throw new UsageError('--local and --no-local are mutually exclusive', 'remove one of them');
  }
  if (named === '') throw new UsageError('--local is empty', '--local DIR');
  if (enable.includes('')) throw new UsageError('--enable is empty', '--enable features/10-tracing');
  if (depth !== undefined && !/^[1-9][0-9]{0,3}$/.test(depth)) {
    throw new UsageError(`--max-depth must be an integer from 1 to 9999, got ${quote(depth)}`);
  }
  // A package in a registry has no neighbours.
  const isAlone = noLocal || (named === undefined && isRemotePath(path));
  const local = named ?? findLocal(path, workingDirectory);
  const trace = (line: string): void => writeStderr(`${escapeControls(line)}\n`);
  return {
    ...(isAlone ? { local: false as const } : local === undefined ? {} : { local }),
    ...(enable.length === 0 ? {} : { force: enable }),
    ...(depth === undefined ? {} : { maxDepth: Number(depth) }),
    ...(limits === undefined ? {} : { limits: limits.package }),
    ...(variables['KURE_DEBUG'] === '1' ? { trace } : {}),
  };
}

/**
 * The local extension of a package given as `.` or `..`: its directory name is only known to the file system. `undefined` if there
 * is none, and for a path that contains the name.
 */
export function findLocal(path: string, workingDirectory: string): string | undefined {
  const local = placeOfLocal(path, workingDirectory);
  if (local === undefined || !existsSync(local)) return undefined;
  return toSlashes(relative(workingDirectory, local));
}

/** Where such an extension would be. */
export function placeOfLocal(path: string, workingDirectory: string): string | undefined {
  const directory = basename(path) === 'parameters.yaml' ? dirname(path) : path;
  if (!['.', '..', ''].includes(basename(directory))) return undefined;
  const place = resolve(workingDirectory, directory);
  return join(dirname(place), localNameOf(basename(place)));
}

import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

import { escapeControls, quote } from '../diagnostics/index.ts';
import { localNameOf } from '../forms/index.ts';
import { toSlashes } from '../host/index.ts';
import { checkDnsLabel } from '../index.ts';
import type { ApplicationSettings, PackageSettings, ParameterLayer } from '../index.ts';
import { settingTable } from '../settings/index.ts';
import type { BuildSettings } from '../settings/index.ts';
import type { FlagDefinitions } from './command.ts';
import type { Environment } from './environment.ts';
import { fileLimitFlags, packageLimitFlags } from './limits.ts';
import type { GivenValues } from './open-world.ts';
import { isRemotePath } from './packages/mount-packages.ts';
import { refuseBoth, settingFlags } from './setting-flags.ts';
import { UsageError } from './usage-error.ts';

/** Flags of every command that reads patch packages. */
export const packageFlags = {
  ...settingFlags('local', 'noLocal', 'enable', 'maxDepth'),
  ...packageLimitFlags,
  ...fileLimitFlags,
} as const satisfies FlagDefinitions;

/** Those that only patch packages have. */
export const patchPackageFlags: readonly string[] = ['local', 'no-local', 'enable', 'max-depth', 'max-resources'];

type Settings = Pick<PackageSettings, 'local' | 'force' | 'maxDepth' | 'limits' | 'trace'>;

/** `--local`, `--no-local`, `--enable`, `--max-depth` and `KURE_DEBUG` → how a patch package is read. */
export function readPackageFlags(
  path: string,
  settings: Partial<Pick<BuildSettings, 'local' | 'noLocal' | 'enable' | 'maxDepth'>>,
  { variables, writeStderr, workingDirectory, limits }: Environment,
): Settings {
  const { local: named, noLocal = false, enable = [], maxDepth: depth } = settings;
  refuseBoth(settings, ['local', 'noLocal']);
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
  return placeBeside(directory, workingDirectory);
}

/** Where the local extension of a package in a directory would be. */
export function placeBeside(directory: string, workingDirectory: string): string {
  const place = resolve(workingDirectory, directory);
  return join(dirname(place), localNameOf(basename(place)));
}

/** Flags of every command that builds application packages. */
export const applicationFlags = {
  ...settingFlags('profile', 'noProfile', 'policy', 'definitions'),
  'flux-namespace': {
    ...settingTable.fluxNamespace,
    section: 'application',
    summary:
      'Application package: namespace of its Flux objects; overrides the profile. Defaults to the build namespace.',
  },
  ...settingFlags('offline', 'registryConfig', 'allowPrivate'),
} as const satisfies FlagDefinitions;

type PlatformSettings = Partial<
  Pick<BuildSettings, 'profile' | 'noProfile' | 'definitions' | 'fluxNamespace' | 'allowPrivate' | 'offline'>
>;

/** The platform of an application, and how it may use the network. */
export function readApplicationFlags(settings: PlatformSettings): ApplicationSettings {
  const { profile, noProfile = false, definitions = [], fluxNamespace, allowPrivate: plainHttp = false } = settings;
  refuseBoth(settings, ['profile', 'noProfile']);
  refuseBoth(settings, ['allowPrivate', 'offline'], 'remove one of them: --offline fetches nothing');
  const reason = fluxNamespace === undefined ? undefined : checkDnsLabel(fluxNamespace);
  if (reason !== undefined) {
    throw new UsageError(`--flux-namespace ${quote(fluxNamespace!)} is not a valid namespace: ${reason}`);
  }
  return {
    ...(noProfile ? { profile: false as const } : profile === undefined ? {} : { profile }),
    ...(definitions.length === 0 ? {} : { definitions }),
    ...(fluxNamespace === undefined ? {} : { fluxNamespace }),
    ...(plainHttp ? { plainHttp } : {}),
    ...(settings.offline === true ? { isOffline: true } : {}),
  };
}

/** Values of declared parameters. An assignment is a string until the type of its parameter is known. */
export function applicationLayers(valueLayers: readonly GivenValues[]): readonly ParameterLayer[] {
  return valueLayers.map((valueLayer) =>
    'path' in valueLayer
      ? { kind: 'set' as const, source: valueLayer.source, data: {}, isText: valueLayer.isText }
      : { kind: 'values' as const, source: valueLayer.source, data: valueLayer.data, at: valueLayer.at },
  );
}

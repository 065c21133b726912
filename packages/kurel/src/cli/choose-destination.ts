import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';

import { quote } from '../diagnostics/index.ts';
import { isWithin, realPathOf, toSlashes } from '../host/index.ts';
import { checkDnsLabel } from '../index.ts';
import type { LayoutName, LayoutOptions } from '../index.ts';
import type { Diagnostic } from '../model/index.ts';
import type { InputDirectory } from '../provenance/index.ts';
import { settingTable } from '../settings/index.ts';
import type { BuildSettings } from '../settings/index.ts';
import type { Environment } from './environment.ts';
import { isDirectory } from './open-world.ts';
import { isPackage } from './open-input.ts';
import type { OpenedInput } from './open-input.ts';
import { placeBeside } from './package-flags.ts';
import { isRemotePath } from './packages/mount-packages.ts';
import { cliProblems } from './problems.ts';
import { UsageError } from './usage-error.ts';

export interface Destination {
  readonly target: 'stdout' | 'file' | 'directory';
  readonly layout: LayoutName;
  readonly layoutOptions: LayoutOptions;
  readonly format: 'yaml' | 'json';
  /** As the user wrote it; absent for stdout. */
  readonly path?: string;
}

/** What decides where files go, and which. */
export type DestinationSettings = Partial<
  Pick<BuildSettings, 'output' | 'format' | 'instance' | 'layout' | 'syncWaves' | 'index' | FluxSetting>
>;

/** A path that ends like a manifest is a file, unless it is an existing directory. Other paths are directories. */
export function chooseDestination(
  settings: DestinationSettings,
  environment: Environment,
  usual: LayoutName = 'flat',
): Destination {
  const place = choosePlace(settings, environment);
  const hasFiles = place.target === 'directory';
  const layout = settings.layout ?? (hasFiles ? usual : 'stream');
  if (!hasFiles && layout !== 'stream' && layout !== 'argocd') {
    throw new UsageError(`--layout ${layout} makes several files`, 'give a directory for them with --output DIR');
  }
  checkLayoutSettings(settings, layout);
  checkInstance(settings, hasFiles);
  const layoutOptions = optionsOf(settings);
  // In a single stream, sync waves are all that Argo CD can use.
  if (hasFiles || layout === 'stream') return { ...place, layout, layoutOptions };
  return { ...place, layout: 'stream', layoutOptions: { ...layoutOptions, syncWaves: true } };
}

type Place = Omit<Destination, 'layout' | 'layoutOptions'>;

function choosePlace({ output, format }: DestinationSettings, environment: Environment): Place {
  if (output === undefined || output === '-') return { target: 'stdout', format: format ?? 'yaml' };
  const ending = /\.(ya?ml|json)$/.exec(output)?.[1];
  const isThere = isDirectory(output, environment);
  // In kubectl, -o sets the format; here it would create a directory of that name.
  if (/^(?:ya?ml|json)$/.test(output) && !isThere) {
    throw new UsageError(
      `--output ${output} would be a directory of that name`,
      `set the format with --format, or write ./${output} for a directory of that name`,
    );
  }
  if (ending === undefined || output.endsWith('/') || isThere) {
    return { target: 'directory', format: format ?? 'yaml', path: output };
  }
  const fitting = ending === 'json' ? 'json' : 'yaml';
  if (format !== undefined && format !== fitting) {
    throw new UsageError(`--format ${format} does not fit --output ${output}`, `name the file .${format}`);
  }
  return { target: 'file', format: fitting, path: output };
}

const fluxSettings = ['fluxNamespace', 'fluxInterval', 'fluxPath', 'fluxSource', 'fluxDecryption'] as const;
type FluxSetting = (typeof fluxSettings)[number];

function checkLayoutSettings(settings: DestinationSettings, layout: LayoutName): void {
  const flagOf = (name: FluxSetting): string => `--${settingTable[name].flag}`;
  const flux = fluxSettings.find((name) => settings[name] !== undefined);
  if (flux !== undefined && layout !== 'flux') {
    throw new UsageError(`${flagOf(flux)} needs --layout flux`, `add --layout flux, or remove ${flagOf(flux)}`);
  }
  const empty = fluxSettings.find((name) => settings[name] === '');
  if (empty !== undefined) {
    throw new UsageError(`${flagOf(empty)} is empty`, `leave it out, or give ${flagOf(empty)} a value`);
  }
  if (settings.index === true && layout !== 'flat') {
    throw new UsageError('--index needs --layout flat', 'add --layout flat, or remove --index');
  }
}

function checkInstance({ instance }: DestinationSettings, hasFiles: boolean): void {
  if (instance === undefined) return;
  if (!hasFiles) throw new UsageError('--instance needs --output DIR', 'only a directory has instances');
  const reason = checkDnsLabel(instance);
  if (reason !== undefined) {
    throw new UsageError(
      `--instance ${quote(instance)} is not a name: a name ${reason}`,
      'as in --instance shop-staging',
    );
  }
}

function optionsOf(settings: DestinationSettings): LayoutOptions {
  const { instance, syncWaves, index } = settings;
  const { fluxNamespace, fluxInterval, fluxPath, fluxSource, fluxDecryption } = settings;
  return { instance, syncWaves, index, fluxNamespace, fluxInterval, fluxPath, fluxSource, fluxDecryption };
}

interface InputPlaces {
  readonly directories: readonly InputDirectory[];
  readonly files: readonly string[];
}

/** Settings that name files and directories of the input. */
export type NamedInputs = Pick<BuildSettings, 'values' | 'patches'> &
  Partial<Pick<BuildSettings, 'local' | 'profile' | 'policy' | 'definitions'>>;

/** Locations of the input that are known before the build: packages and their extensions, patches, and files of flags. */
export function findInputPlaces(
  inputs: readonly OpenedInput[],
  settings: NamedInputs,
  environment: Environment,
): InputPlaces {
  const { values, patches, profile, policy, definitions = [] } = settings;
  const named = [...values, ...patches, ...definitions, profile, policy].filter(
    (file) => file !== undefined && file !== '-',
  );
  const isFolder = (file: string): boolean => isDirectory(file, environment);
  const packages = inputs.flatMap((input) => findPackages(input, settings.local, environment));
  const directories = [...packages, ...patches.filter(isFolder)].map((file) => ({ path: file, skipsHidden: false }));
  return { directories, files: named.filter((file): file is string => file !== undefined && !isFolder(file)) };
}

function findPackages(
  { form, path }: OpenedInput,
  local: string | undefined,
  environment: Environment,
): readonly string[] {
  if (!isPackage(form)) return [];
  const directory = isDirectory(path, environment) ? path : dirname(path);
  if (!form.settings.includes('package')) return [directory];
  const { workingDirectory } = environment;
  // Even if it does not exist yet: an output there would become the extension.
  const extension = toSlashes(relative(workingDirectory, placeBeside(directory, workingDirectory))) || '.';
  return [directory, local ?? extension];
}

/** Reports an output that is inside a directory of the input, or that would replace one of its files. Follows links. */
export function refuseInsideInput(
  path: string,
  { directories, files }: InputPlaces,
  { workingDirectory }: Environment,
): readonly Diagnostic[] {
  const realOf = (file: string): string => realPathOf(resolve(workingDirectory, file));
  const target = realOf(path);
  const own = files.find((file) => realOf(file) === target);
  if (own !== undefined) return [cliProblems.create('output-is-input', { path, source: own })];
  const around = directories.find(({ path: source, skipsHidden, depth = Infinity }) => {
    const inside = relative(realOf(source), target).split(sep);
    if (inside[0] === '..' || isAbsolute(inside[0]!)) return false;
    if (!skipsHidden) return true;
    const isSeen = inside[0] !== '' && !inside.some((part) => part.startsWith('.'));
    return isSeen && inside.length <= (/\.(?:ya?ml|json)$/.test(path) ? depth : depth - 1);
  });
  if (around === undefined) return [];
  return [cliProblems.create('output-below-input', { path, source: around.path, skipsHidden: around.skipsHidden })];
}

/** Files that a build has read from its own output: most likely an earlier build wrote them. */
export function findOwnOutput(
  files: readonly string[],
  path: string,
  { workingDirectory }: Environment,
): readonly Diagnostic[] {
  const target = resolve(workingDirectory, path);
  return [...new Set(files)]
    .filter((file) => !isRemotePath(file) && isWithin(target, resolve(workingDirectory, file)))
    .map((source) => cliProblems.create('output-is-input', { path, source }));
}

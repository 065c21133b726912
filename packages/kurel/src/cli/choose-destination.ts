import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';

import { quote } from '../diagnostics/index.ts';
import { isWithin, realPathOf, toSlashes } from '../host/index.ts';
import { checkDnsLabel } from '../index.ts';
import type { LayoutName, LayoutOptions } from '../index.ts';
import type { Diagnostic } from '../model/index.ts';
import type { InputDirectory } from '../provenance/index.ts';
import type { FlagValues } from './command.ts';
import type { Environment } from './environment.ts';
import type { InputFlags, LayoutFlags } from './input-flags.ts';
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
  readonly check: boolean;
  /** As the user wrote it; absent for stdout. */
  readonly path?: string;
}

export interface DestinationFlags extends Partial<FlagValues<LayoutFlags>> {
  readonly output: string | undefined;
  readonly format: 'yaml' | 'json' | undefined;
  readonly check: boolean;
}

/** A path that ends like a manifest is a file, unless it is an existing directory. Other paths are directories. */
export function chooseDestination(
  flags: DestinationFlags,
  environment: Environment,
  usual: LayoutName = 'flat',
): Destination {
  const place = choosePlace(flags, environment);
  const hasFiles = place.target === 'directory';
  const layout = flags.layout ?? (hasFiles ? usual : 'stream');
  if (!hasFiles && layout !== 'stream' && layout !== 'argocd') {
    throw new UsageError(`--layout ${layout} makes several files`, 'give a directory for them with --output DIR');
  }
  checkLayoutFlags(flags, layout);
  checkInstance(flags, hasFiles);
  const layoutOptions = optionsOf(flags);
  // In a single stream, sync waves are all that Argo CD can use.
  if (hasFiles || layout === 'stream') return { ...place, layout, layoutOptions };
  return { ...place, layout: 'stream', layoutOptions: { ...layoutOptions, syncWaves: true } };
}

type Place = Omit<Destination, 'layout' | 'layoutOptions'>;

function choosePlace({ output, format, check }: DestinationFlags, environment: Environment): Place {
  if (output === undefined || output === '-') return { target: 'stdout', format: format ?? 'yaml', check };
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
    return { target: 'directory', format: format ?? 'yaml', check, path: output };
  }
  const fitting = ending === 'json' ? 'json' : 'yaml';
  if (format !== undefined && format !== fitting) {
    throw new UsageError(`--format ${format} does not fit --output ${output}`, `name the file .${format}`);
  }
  return { target: 'file', format: fitting, check, path: output };
}

const fluxFlags = ['flux-namespace', 'flux-interval', 'flux-path', 'flux-source', 'flux-decryption'] as const;

function checkLayoutFlags(flags: DestinationFlags, layout: LayoutName): void {
  const flux = fluxFlags.find((name) => flags[name] !== undefined);
  if (flux !== undefined && layout !== 'flux') {
    throw new UsageError(`--${flux} needs --layout flux`, `add --layout flux, or remove --${flux}`);
  }
  const empty = fluxFlags.find((name) => flags[name] === '');
  if (empty !== undefined) throw new UsageError(`--${empty} is empty`, `leave it out, or give --${empty} a value`);
  if (flags.index === true && layout !== 'flat') {
    throw new UsageError('--index needs --layout flat', 'add --layout flat, or remove --index');
  }
}

function checkInstance({ instance }: DestinationFlags, hasFiles: boolean): void {
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

function optionsOf(flags: DestinationFlags): LayoutOptions {
  return {
    instance: flags.instance,
    syncWaves: flags['sync-waves'],
    index: flags.index,
    fluxNamespace: flags['flux-namespace'],
    fluxInterval: flags['flux-interval'],
    fluxPath: flags['flux-path'],
    fluxSource: flags['flux-source'],
    fluxDecryption: flags['flux-decryption'],
  };
}

interface InputPlaces {
  readonly directories: readonly InputDirectory[];
  readonly files: readonly string[];
}

/** Flags that name files and directories of the input. */
export type NamedInputs = Pick<FlagValues<InputFlags>, 'values' | 'patch'> &
  Partial<Pick<FlagValues<InputFlags>, 'local' | 'profile' | 'policy' | 'capability-def'>>;

/** Locations of the input that are known before the build: packages and their extensions, patches, and files of flags. */
export function findInputPlaces(
  inputs: readonly OpenedInput[],
  flags: NamedInputs,
  environment: Environment,
): InputPlaces {
  const { values, patch, profile, policy, 'capability-def': definitions = [] } = flags;
  const named = [...values, ...patch, ...definitions, profile, policy].filter(
    (file) => file !== undefined && file !== '-',
  );
  const isFolder = (file: string): boolean => isDirectory(file, environment);
  const packages = inputs.flatMap((input) => findPackages(input, flags.local, environment));
  const directories = [...packages, ...patch.filter(isFolder)].map((file) => ({ path: file, skipsHidden: false }));
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

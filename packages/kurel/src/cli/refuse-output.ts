import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

import { localNameOf } from '../forms/index.ts';
import { isWithin, realPathOf, toSlashes } from '../host/index.ts';
import type { BuildResult } from '../index.ts';
import type { Diagnostic, FileSystem } from '../model/index.ts';
import type { Environment } from './environment.ts';
import { isDirectory } from './open-world.ts';
import type { OpenedInput } from './open-world.ts';
import { isRemotePath } from './packages/mount-packages.ts';
import { cliProblems } from './problems.ts';

/** A directory that belongs to the input as a whole, as the user would name it. */
interface InputDirectory {
  readonly path: string;
  /** Hidden files and directories in it are not read. */
  readonly skipsHidden: boolean;
  /** Depth up to which files are read; defaults to no limit. */
  readonly depth?: number | undefined;
}

interface InputPlaces {
  readonly directories: readonly InputDirectory[];
  readonly files: readonly string[];
}

/** Flags that name files and directories of the input. */
export interface NamedInputs {
  readonly local?: string | undefined;
  readonly values: readonly string[];
  readonly patch: readonly string[];
  readonly profile?: string | undefined;
  readonly policy?: string | undefined;
  readonly 'capability-def'?: readonly string[];
}

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
  if (form.values === 'plain') return [];
  const directory = isDirectory(path, environment) ? path : dirname(path);
  // Even if it does not exist yet: an output there would become the extension.
  return form.settings.includes('package') ? [directory, local ?? extensionOf(directory, environment)] : [directory];
}

function extensionOf(directory: string, { workingDirectory }: Environment): string {
  const full = resolve(workingDirectory, directory);
  return toSlashes(relative(workingDirectory, join(dirname(full), localNameOf(basename(full))))) || '.';
}

/** Adds the directories of kustomizations that a build reads, including referenced ones. */
export function noteKustomizations(fileSystem: FileSystem, directories: Set<string>): FileSystem {
  return {
    ...fileSystem,
    readText(path) {
      if (/(?:^|\/)(?:kustomization\.ya?ml|Kustomization)$/.test(path)) directories.add(dirname(path));
      return fileSystem.readText(path);
    },
  };
}

/** Sources of the objects of a build: directories of manifests, charts and kustomizations. */
export function placesOfObjects(
  { objects, rendering }: Pick<BuildResult, 'objects' | 'rendering'>,
  kustomizations: ReadonlySet<string>,
): InputPlaces {
  const { origins } = rendering.provenance;
  const directories = new Map<string, InputDirectory>();
  const add = (directory: InputDirectory): void => void directories.set(directory.path, directory);
  for (const object of objects) {
    const { renderer, source = '', file } = origins.get(object) ?? {};
    if (renderer === 'manifests' && source !== file) add(directoryOfManifests(source));
    if (renderer === 'helm') add({ path: source, skipsHidden: false });
    if (renderer === 'kustomize') for (const path of [source, ...kustomizations]) add({ path, skipsHidden: false });
  }
  return { directories: [...directories.values()], files: [] };
}

/** The directory of a pattern up to its first wildcard. */
function directoryOfManifests(source: string): InputDirectory {
  const parts = source.split('/');
  const special = parts.findIndex((part) => /[*?[{]/.test(part));
  if (special === -1) return { path: source, skipsHidden: true };
  const path = parts.slice(0, special).join('/');
  const depth = parts.includes('**') ? undefined : parts.length - special;
  return { path: path === '' && source.startsWith('/') ? '/' : path || '.', skipsHidden: true, depth };
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

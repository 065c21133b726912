import { statSync } from 'node:fs';
import { normalize, resolve } from 'node:path';

import { diskFileSystem, toSlashes } from '../host/index.ts';
import type { Acceptance, Assignment } from '../index.ts';
import type { FileSystem, Path, ProgramRunner, SourceFile, Values } from '../model/index.ts';
import { recordReads } from '../reads/index.ts';
import { lendFiles } from './diff/lend-files.ts';
import type { Environment } from './environment.ts';
import { isRemotePath, mountPackages } from './packages/mount-packages.ts';

/** The file system, programs and network of a build. */
export interface InputWorld {
  readonly fileSystem: FileSystem;
  /** For files of `--values`, which may be pipes of a shell. */
  readonly valueFiles: FileSystem;
  readonly programs: ProgramRunner;
  /** Present for a target of a fleet. */
  readonly inline?: InlineInput | undefined;
}

/** Input that is written in a fleet file. */
export interface InlineInput {
  readonly values: readonly GivenValues[];
  readonly acceptances: readonly Acceptance[];
}

/** A values file, or one assignment. */
export type GivenValues =
  | {
      readonly source: SourceFile;
      readonly data: Values;
      /** Where the data is in the source, if that is a fleet file. */
      readonly at?: Path | undefined;
    }
  | Assignment;

export function openWorld(environment: Environment): InputWorld {
  if (environment.isOffDisk === true) {
    const lent = lendFiles(openPrograms(environment), openDisk(environment), () => true);
    return { ...lent, valueFiles: lent.fileSystem };
  }
  const [fileSystem, programs] = [openDisk(environment), openPrograms(environment)];
  const valueFiles = openDisk(environment, { pipes: true });
  if (environment.packages === undefined) return { fileSystem, valueFiles, programs };
  return { ...lendFiles(programs, fileSystem, isRemotePath), valueFiles };
}

export function openPrograms(environment: Environment): ProgramRunner {
  const { watched, progress } = environment;
  let runner: Promise<ProgramRunner> | undefined;
  const programs: ProgramRunner = {
    async run(call) {
      // Loaded on demand: most forms need no program.
      runner ??= import('./create-runner.ts').then(({ createRunner }) => createRunner(environment));
      return (await runner).run(call);
    },
  };
  const noted = watched && recordReads({ fileSystem: openDisk(environment), programs }, watched).programs;
  return progress?.observePrograms(noted ?? programs) ?? noted ?? programs;
}

interface DiskUse {
  /** Links must not point outside this directory. */
  readonly root?: string | undefined;
  /** For files of flags, which may be pipes of a shell. */
  readonly pipes?: boolean | undefined;
}

/** The disk, with the limits of the flags, and the packages of registries that the arguments name. */
export function openDisk(environment: Environment, { root, pipes }: DiskUse = {}): FileSystem {
  const { workingDirectory, limits, watched, progress, files, packages } = environment;
  const maxFileBytes = limits?.maxFileBytes;
  const isShared = files !== undefined && root === undefined;
  const disk = isShared
    ? files
    : diskFileSystem({
        workingDirectory,
        ...(root === undefined ? {} : { root }),
        // A pipe can be read only by the first run.
        ...(pipes === undefined ? {} : { pipes: pipes && watched === undefined }),
        ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
      });
  const fileSystem = progress?.observeFiles(disk) ?? disk;
  const noted = watched === undefined ? fileSystem : recordReads({ fileSystem }, watched).fileSystem;
  return packages === undefined ? noted : mountPackages(noted, packages);
}

/**
 * Where a path of the user is. Messages quote it as it was written, which only works from the directory it was written in. A `..` removes the
 * name before it, also that of a link: the system would follow the link first, to a place that no check has seen.
 */
export function placeOnDisk(path: string, { workingDirectory }: Environment): string {
  if (workingDirectory !== process.cwd()) return toSlashes(resolve(workingDirectory, path));
  return path.includes('..') ? toSlashes(normalize(path)) : path;
}

/** Several inputs of a command can use stdin, so its content is kept. */
export function readStdinOnce(environment: Environment): Environment {
  let text: Promise<string> | undefined;
  return { ...environment, readStdin: () => (text ??= environment.readStdin()) };
}

/** False also for a path that cannot be examined: problems with it are reported when it is read or written. */
export function isDirectory(path: string, { workingDirectory }: Environment): boolean {
  try {
    return statSync(resolve(workingDirectory, path)).isDirectory();
  } catch {
    return false;
  }
}

import { diskFileSystem, networkFetcher, programRunner } from '../host/index.ts';
import { fetchOnce } from '../forms/index.ts';
import type { Fetcher, FileSystem, ProgramRunner } from '../model/index.ts';
import { recordReads } from '../reads/index.ts';
import type { ApplicationFlags } from './application-flags.ts';
import type { Environment } from './environment.ts';

/** The file system, programs and network of a build. */
export interface InputWorld {
  readonly fileSystem: FileSystem;
  /** For files of `--values`, which may be pipes of a shell. */
  readonly valueFiles: FileSystem;
  readonly programs: ProgramRunner;
}

/** The real machine. */
export function openWorld(environment: Environment): InputWorld {
  return {
    fileSystem: openDisk(environment),
    valueFiles: openDisk(environment, { pipes: true }),
    programs: openPrograms(environment),
  };
}

export function openPrograms(environment: Environment): ProgramRunner {
  const { workingDirectory, variables, toolsDirectories, limits, watched, progress } = environment;
  const { timeoutMs, maxProgramMemory: maxMemoryBytes } = limits ?? {};
  const programs = programRunner({
    workingDirectory,
    environment: variables,
    toolsDirectories,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxMemoryBytes === undefined ? {} : { maxMemoryBytes }),
  });
  const noted = watched && recordReads({ fileSystem: openDisk(environment), programs }, watched).programs;
  return progress?.observePrograms(noted ?? programs) ?? noted ?? programs;
}

/** Fetches remote sources of an application; aborted when the program ends. */
export function createFetcher(
  { 'allow-private': allowPrivate = false }: ApplicationFlags,
  { signal, limits, progress, fetchers }: Environment,
): Fetcher {
  const known = fetchers?.get(allowPrivate);
  if (known !== undefined) return known;
  const network = networkFetcher({
    allowPrivate,
    ...(limits?.timeoutMs === undefined ? {} : { timeoutMs: limits.timeoutMs }),
  });
  const ending: Fetcher = {
    fetch: async (request) => await network.fetch({ ...request, signal: request.signal ?? signal }),
  };
  const fetcher = fetchOnce(progress?.observeFetcher(ending) ?? ending);
  fetchers?.set(allowPrivate, fetcher);
  return fetcher;
}

interface DiskUse {
  /** Links must not point outside this directory. */
  readonly root?: string | undefined;
  /** For files of flags, which may be pipes of a shell. */
  readonly pipes?: boolean | undefined;
}

/** The disk, with the limits of the flags. */
export function openDisk(environment: Environment, { root, pipes }: DiskUse = {}): FileSystem {
  const { workingDirectory, limits, watched, progress } = environment;
  const maxFileBytes = limits?.maxFileBytes;
  const disk = diskFileSystem({
    workingDirectory,
    ...(root === undefined ? {} : { root }),
    // A pipe can be read only by the first run.
    ...(pipes === undefined ? {} : { pipes: pipes && watched === undefined }),
    ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
  });
  const fileSystem = progress?.observeFiles(disk) ?? disk;
  return watched === undefined ? fileSystem : recordReads({ fileSystem }, watched).fileSystem;
}

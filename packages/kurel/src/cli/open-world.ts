import { programRunner } from '../host/index.ts';
import type { FileSystem, ProgramRunner } from '../model/index.ts';
import { recordReads } from '../reads/index.ts';
import type { Environment } from './environment.ts';
import { openDisk } from './open-disk.ts';

/** Where what a build needs is read, and who renders what it cannot render itself. */
export interface InputWorld {
  readonly fileSystem: FileSystem;
  /** For the files that `--values` names, which may be pipes of a shell. */
  readonly valueFiles: FileSystem;
  readonly programs: ProgramRunner;
}

/** The machine as it is. */
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

import { programRunner } from '../host/index.ts';
import type { ProgramRunner } from '../model/index.ts';
import type { Environment } from './environment.ts';

/** Runs programs with the limits of the flags. */
export function createRunner({ workingDirectory, variables, toolsDirectories, limits }: Environment): ProgramRunner {
  const { timeoutMs, maxProgramMemory: maxMemoryBytes } = limits ?? {};
  return programRunner({
    workingDirectory,
    environment: variables,
    toolsDirectories,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxMemoryBytes === undefined ? {} : { maxMemoryBytes }),
  });
}

import { findRepository, gitRepository } from '../host/index.ts';
import type { GitRepository } from '../host/index.ts';
import type { Environment } from './environment.ts';

/** The git repository that the working directory is in, with the limits of the flags. */
export function openRepositoryOf({ workingDirectory, variables, signal, limits }: Environment): GitRepository {
  const { timeoutMs, maxFileBytes } = limits ?? {};
  return gitRepository({
    environment: variables,
    workingDirectory,
    signal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
  });
}

/** The root of the git repository that a directory is in; the directory itself if there is none. */
export function repositoryOf(directory: string): string {
  return findRepository(directory) ?? directory;
}

import { diskFileSystem, programRunner } from '../host/index.ts';
import type { FileSystem, ProgramRunner } from '../model/index.ts';
import type { Environment } from './environment.ts';

/** Where what a build needs is read, and who renders what it cannot render itself. */
export interface InputWorld {
  readonly fileSystem: FileSystem;
  /** For the files that `--values` names, which may be pipes of a shell. */
  readonly valueFiles: FileSystem;
  readonly programs: ProgramRunner;
}

/** The machine as it is. */
export function openWorld({ workingDirectory, variables, toolsDirectories }: Environment): InputWorld {
  return {
    fileSystem: diskFileSystem({ workingDirectory }),
    valueFiles: diskFileSystem({ workingDirectory, pipes: true }),
    programs: programRunner({ workingDirectory, environment: variables, toolsDirectories }),
  };
}

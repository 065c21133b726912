import { diskFileSystem } from '../host/index.ts';
import type { FileSystem } from '../model/index.ts';
import { recordReads } from '../reads/index.ts';
import type { Environment } from './environment.ts';

export interface DiskUse {
  /** Links must not lead out of this directory. */
  readonly root?: string | undefined;
  /** For files that flags name, which may be pipes of a shell. */
  readonly pipes?: boolean | undefined;
}

/** The files of this machine, as far as the flags allow them to be read. */
export function openDisk(environment: Environment, { root, pipes }: DiskUse = {}): FileSystem {
  const { workingDirectory, limits, watched, progress } = environment;
  const maxFileBytes = limits?.maxFileBytes;
  const disk = diskFileSystem({
    workingDirectory,
    ...(root === undefined ? {} : { root }),
    // What a pipe gives is gone after the first run.
    ...(pipes === undefined ? {} : { pipes: pipes && watched === undefined }),
    ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
  });
  const noted = watched === undefined ? disk : recordReads({ fileSystem: disk }, watched).fileSystem;
  return progress?.observeFiles(noted) ?? noted;
}

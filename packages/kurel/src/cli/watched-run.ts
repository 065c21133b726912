import type { FileSystem, ProgramRunner } from '../model/index.ts';

/** What a run tells whoever will start the next one when something has changed. */
export interface WatchedRun {
  observeFiles(fileSystem: FileSystem): FileSystem;
  observePrograms(programs: ProgramRunner): ProgramRunner;
  /** What came of it, in a few words: `12 objects, 0 errors`, and what was done with it. */
  conclude(result: string, effect: string): void;
}

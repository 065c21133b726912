import type { BuildStage } from '../index.ts';
import type { Fetcher, FileSystem, ProgramRunner } from '../model/index.ts';

/** What takes long is told to this, which decides whether it has taken long enough to be shown. */
export interface Progress {
  /** The text is asked for when it is shown. */
  print(describe: () => string): void;
  readonly onBuild: (stage: BuildStage) => void;
  observeFiles(fileSystem: FileSystem): FileSystem;
  observePrograms(programs: ProgramRunner): ProgramRunner;
  observeFetcher(fetcher: Fetcher): Fetcher;
  /** Takes the line away; what is told from now on belongs to other work. */
  clear(): void;
}

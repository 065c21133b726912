import type { BuildStage, Form, JqBudget } from '../index.ts';
import type { Budget, Fetcher, FileSystem, ProgramRunner } from '../model/index.ts';
import type { ReadObserver } from '../reads/index.ts';
import type { Limits } from './limits.ts';

/** The world as the commands see it, so that tests run the real program without a process of its own. */
export interface Environment {
  readonly workingDirectory: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  readonly signal?: AbortSignal;
  /** What can be built; the built-in forms by default. */
  readonly forms?: readonly Form[] | undefined;
  /** Directories with helm and kustomize beside this installation, searched after PATH. */
  readonly toolsDirectories: readonly string[];
  /** What the flags of the command say about limits. */
  readonly limits?: Limits | undefined;
  /** Of this run of the command. */
  readonly budget?: Budget | undefined;
  /** What is left for the jq programs of the run. */
  readonly jqBudget?: JqBudget | undefined;
  /** Present when somebody sits in front of a terminal. */
  readonly progress?: Progress | undefined;
  /** Present with `--watch`. */
  readonly watched?: WatchedRun | undefined;
  /** The width of the terminal. */
  readonly columns?: (() => number | undefined) | undefined;
  readonly readStdin: (maxBytes?: number) => Promise<string>;
  readonly writeStdout: (text: string) => void;
  readonly writeStderr: (text: string) => void;
}

/** What a run tells whoever will start the next one when something has changed. */
interface WatchedRun extends ReadObserver {
  /** What came of it, in a few words: `12 objects, 0 errors`, and what was done with it. */
  conclude(result: string, effect: string): void;
}

/** What takes long is told to this, which decides whether it has taken long enough to be shown. */
export interface Progress {
  /** The text is asked for when it is shown. */
  print(describe: () => string): void;
  readonly onBuild: (stage: BuildStage) => void;
  observeFiles(fileSystem: FileSystem): FileSystem;
  observePrograms(programs: ProgramRunner): ProgramRunner;
  observeFetcher(fetcher: Fetcher): Fetcher;
  /** Takes the line away; what is shown from now on belongs to other work. */
  clear(): void;
}

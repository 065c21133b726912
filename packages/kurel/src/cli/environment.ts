import type { BudgetLimits, BuildStage, Form, JqBudget, PackageLimits } from '../index.ts';
import type { Budget, Fetcher, FileSystem, ProgramRunner } from '../model/index.ts';
import type { ReadObserver } from '../reads/index.ts';
import type { FetchAccess } from '../registry/index.ts';
import type { KnownContent } from './packages/known-content.ts';
import type { MountedPackage } from './packages/mount-packages.ts';

/** Everything outside of kurel that commands use, so that tests can run the real program in-process. */
export interface Environment {
  readonly workingDirectory: string;
  /** Separates directories in arguments, besides `/`. Defaults to the separator of the system. */
  readonly separator?: '/' | '\\' | undefined;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** Whether a user would type standard input. */
  readonly stdinIsTerminal?: (() => boolean) | undefined;
  readonly signal?: AbortSignal;
  /** Forms to choose from; defaults to the built-in ones. */
  readonly forms?: readonly Form[] | undefined;
  /** Directories with helm and kustomize next to this installation, searched after PATH. */
  readonly toolsDirectories: readonly string[];
  /** Files that all targets of a fleet share; the disk by default. */
  readonly files?: FileSystem | undefined;
  /** Whether `files` are those of a git revision, which programs cannot read themselves. */
  readonly isOffDisk?: boolean | undefined;
  /** Packages in registries that the arguments name; `openDisk` has their files. */
  readonly packages?: readonly MountedPackage[] | undefined;
  readonly limits?: Limits | undefined;
  readonly budget?: Budget | undefined;
  /** The remaining steps for the jq programs of the run. */
  readonly jqBudget?: JqBudget | undefined;
  /** By `--allow-private`: the builds of one run fetch each URL once. */
  readonly fetchers?: Map<boolean, Fetcher> | undefined;
  /** By `--registry-config`: the builds of one run look up each registry once. */
  readonly credentials?: Map<string | undefined, NonNullable<FetchAccess['credentialsFor']>> | undefined;
  /** Content of registries that need not be fetched. */
  readonly known?: KnownContent | undefined;
  /** Present on an interactive terminal. */
  readonly progress?: Progress | undefined;
  /** Present with `--watch`. */
  readonly watched?: WatchedRun | undefined;
  readonly columns?: (() => number | undefined) | undefined;
  /** Starts another process of this program, for the targets of a fleet; absent where the program runs inside another one. */
  readonly startWorker?: (() => WorkerProcess) | undefined;
  readonly readStdin: (maxBytes?: number) => Promise<string>;
  readonly writeStdout: (text: string) => void;
  readonly writeStderr: (text: string) => void;
  /** Shows a long text in a pager; present on a terminal. */
  readonly page?: ((text: string) => Promise<void>) | undefined;
}

/** Limits set by flags; without a flag, the default applies. */
export interface Limits {
  readonly maxFileBytes?: number | undefined;
  readonly maxProgramMemory?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxObjects?: number | undefined;
  readonly maxJqSteps?: number | undefined;
  readonly package: PackageLimits;
  readonly budget: BudgetLimits;
}

/** Receives what a run reads, for the loop of `--watch`. */
interface WatchedRun extends ReadObserver {
  readonly noteFetch?: (() => void) | undefined;
}

/** Another process of this program. Messages are plain data. */
export interface WorkerProcess {
  send(message: object): void;
  onMessage(handle: (message: unknown) => void): void;
  /** Called once, with the reason in a few words. */
  onExit(handle: (reason: string) => void): void;
  stop(): void;
}

/** Receives slow work, and decides whether it is slow enough to be shown. */
export interface Progress {
  /** The text is created only when it is shown, in so many columns. */
  print(describe: (width: number) => string): void;
  /** Shows at once what is done next. */
  begin(describe: (width: number) => string): void;
  /** Shows `waiting for …` until the work is done. */
  wait<Result>(subject: string, work: () => Result): Promise<Awaited<Result>>;
  readonly onBuild: (stage: BuildStage) => void;
  observeFiles(fileSystem: FileSystem): FileSystem;
  observePrograms(programs: ProgramRunner): ProgramRunner;
  observeFetcher(fetcher: Fetcher): Fetcher;
  /** Removes the line. */
  clear(): void;
}

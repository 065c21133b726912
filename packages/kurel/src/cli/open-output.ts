import type { BuildResult } from '../index.ts';
import type { LayoutOptions } from '../index.ts';
import type { Diagnostic, FileSystem } from '../model/index.ts';
import type { Destination } from './choose-destination.ts';
import type { ExitCode } from './command.ts';
import type { Environment } from './environment.ts';
import type { OpenedInput } from './open-input.ts';
import type { NamedInputs } from './refuse-output.ts';

export interface Delivery {
  readonly exitCode: ExitCode;
  readonly diagnostics: readonly Diagnostic[];
  /** What was done to the files of a directory: `1 file changed`. */
  readonly effect?: string;
}

export type Built = Pick<BuildResult, 'files' | 'objects' | 'rendering'>;

/** What is built, and what its flags name. */
export interface BuildCall {
  readonly inputs: readonly OpenedInput[];
  /** As the user wrote them. */
  readonly paths: readonly string[];
  readonly flags: NamedInputs;
  /** Whether flags may drop objects. */
  readonly isPartial: boolean;
}

/** Where a build goes. */
export interface Output {
  /** Reasons not to build at all: the output is inside the input. */
  readonly misplaced: readonly Diagnostic[];
  /** With the place that an output directory has for this build. */
  readonly layoutOptions: LayoutOptions;
  /** Notes what the build reads, as far as the output must not be there. */
  readonly observe: (fileSystem: FileSystem) => FileSystem;
  /** Of files that were read, those in the output. */
  readonly findOwn: (files: readonly string[]) => readonly Diagnostic[];
  /** Hands over what a build gave, or compares it with what is there. */
  readonly deliver: (result: Built) => Promise<Delivery>;
}

/** What writes files is loaded when there is something to write: most builds print. */
export async function openOutput(destination: Destination, call: BuildCall, environment: Environment): Promise<Output> {
  const { path, layoutOptions } = destination;
  if (path !== undefined) {
    const { openDiskOutput } = await import('./disk-output.ts');
    return openDiskOutput({ ...destination, path }, call, environment);
  }
  return {
    misplaced: [],
    layoutOptions,
    observe: (fileSystem) => fileSystem,
    findOwn: () => [],
    async deliver({ files }) {
      for (const { text } of files) environment.writeStdout(text);
      return { exitCode: 0, diagnostics: [] };
    },
  };
}

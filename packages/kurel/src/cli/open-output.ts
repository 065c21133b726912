import type { EarlierBuild } from '../host/index.ts';
import type { BuildResult, LayoutOptions } from '../index.ts';
import type { Diagnostic, OutputFile } from '../model/index.ts';
import { findInputPlaces, findOwnOutput, refuseInsideInput } from './choose-destination.ts';
import type { Destination, NamedInputs } from './choose-destination.ts';
import type { ExitCode } from './command.ts';
import type { Environment } from './environment.ts';
import type { OpenedInput } from './open-input.ts';
import { cliProblems } from './problems.ts';

export interface Delivery {
  readonly exitCode: ExitCode;
  readonly diagnostics: readonly Diagnostic[];
  /** Changes of a directory: `1 file changed`. */
  readonly effect?: string;
  /** Whether the result must not be delivered at all, whatever is in the output directory. */
  readonly isRefused?: boolean;
  /** The owner of the files of a directory. */
  readonly owner?: WrittenOwner;
}

/** Plain data. */
export interface WrittenOwner {
  readonly instance: string;
  /** Whether other instances have files in the directory. */
  readonly isShared: boolean;
}

export type Built = Pick<BuildResult, 'files' | 'objects' | 'rendering'>;

export interface BuildCall {
  readonly inputs: readonly OpenedInput[];
  /** As the user wrote them. */
  readonly paths: readonly string[];
  readonly settings: NamedInputs & { readonly output?: string | undefined };
  /** Write nothing, and report the differences. */
  readonly check: boolean;
  /** Whether flags may drop objects. */
  readonly isPartial: boolean;
  /** The build whose files this one replaces. */
  readonly earlier?: EarlierBuild | undefined;
  /** Asked right before files are written or compared: the reasons not to do so. */
  readonly refusePlace?: (() => readonly Diagnostic[]) | undefined;
  /** Write nothing. The name of the output, for messages. */
  readonly collectFor?: string | undefined;
}

export interface Output {
  /** Reasons not to build at all: the output is inside the input. */
  readonly misplaced: readonly Diagnostic[];
  /** With the subdirectory of this build in the output directory. */
  readonly layoutOptions: LayoutOptions;
  /** Findings about files in the output that the build has read. */
  readonly findOwn: (files: readonly string[]) => readonly Diagnostic[];
  /** Writes the files of a build, or compares them with the existing ones. */
  readonly deliver: (result: Built) => Promise<Delivery>;
  /** The subdirectory of the output directory that the files are for. */
  readonly directory: () => string;
  /** Does the same with files of an earlier build of this input; `undefined` if a build would put them elsewhere now. May throw findings. */
  readonly deliverAgain: (kept: KeptOutput) => Promise<Delivery | undefined>;
}

export interface KeptOutput {
  readonly files: readonly OutputFile[];
  readonly name?: string | undefined;
  readonly directory: string;
}

export async function openOutput(destination: Destination, call: BuildCall, environment: Environment): Promise<Output> {
  const { path, layoutOptions } = destination;
  const { collectFor } = call;
  if (path !== undefined && collectFor === undefined) {
    // Loaded on demand: most small builds are printed.
    const { openDiskOutput } = await import('./open-disk-output.ts');
    return openDiskOutput({ ...destination, path }, call, environment);
  }
  // Where a fleet will write it, although this call does not.
  const { inputs, settings } = call;
  const planned = collectFor === undefined || environment.isOffDisk === true ? undefined : settings.output;
  return {
    misplaced:
      planned === undefined
        ? []
        : refuseInsideInput(planned, findInputPlaces(inputs, settings, environment), environment),
    layoutOptions,
    findOwn: () => [],
    async deliver(result) {
      if (collectFor === undefined) for (const { text } of result.files) environment.writeStdout(text);
      else if (planned !== undefined) return deliverNothing(refuseResult(result, planned, environment));
      else if (result.objects.length === 0) {
        return deliverNothing([cliProblems.create('output-empty', { path: collectFor })]);
      }
      return deliverNothing([]);
    },
    directory: () => '',
    deliverAgain: async () => undefined,
  };
}

function deliverNothing(diagnostics: readonly Diagnostic[]): Delivery {
  return { exitCode: diagnostics.length > 0 ? 1 : 0, diagnostics };
}

/** Reasons not to deliver a result at all. */
export function refuseResult(
  { objects, rendering }: Built,
  path: string,
  environment: Environment,
): readonly Diagnostic[] {
  const { origins } = rendering.provenance;
  const { directories = [] } = rendering.facts;
  if (objects.length === 0) return [cliProblems.create('output-empty', { path })];
  const files = objects.map((object) => origins.get(object)?.file).filter((file) => file !== undefined);
  const own = findOwnOutput(files, path, environment);
  return own.length > 0 ? own : refuseInsideInput(path, { directories, files: [] }, environment);
}

import { existsSync } from 'node:fs';
import system, { type PlatformPath } from 'node:path';

import { countNoun, DiagnosticError, escapeControls } from '../diagnostics/index.ts';
import {
  compareOutputDirectory,
  diskFileSystem,
  findOutputPlace,
  rewriteFiles,
  toSlashes,
  writeOutputDirectory,
  writeOutputFile,
} from '../host/index.ts';
import type { EarlierBuild, OutputClaim, OutputPlace, OutputSummary } from '../host/index.ts';
import type { BuildResult, LayoutOptions } from '../index.ts';
import { compareText } from '../model/index.ts';
import type { Diagnostic, OutputFile } from '../model/index.ts';
import { findSecretWords } from '../provenance/index.ts';
import { findInputPlaces, findOwnOutput, refuseInsideInput } from './choose-destination.ts';
import type { Destination, NamedInputs } from './choose-destination.ts';
import type { ExitCode } from './command.ts';
import type { Environment } from './environment.ts';
import { placeOnDisk } from './open-world.ts';
import type { OpenedInput } from './open-input.ts';
import type { PrintOptions } from './print-diagnostics.ts';
import { cliProblems } from './problems.ts';
import { useColor } from './terminal.ts';
import { writeDiff } from './unified-diff.ts';
import type { Difference } from './unified-diff.ts';
import { findWordsOfSecrets } from './values-of-secrets.ts';

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

type Built = Pick<BuildResult, 'files' | 'objects' | 'rendering'>;

interface BuildCall {
  readonly inputs: readonly OpenedInput[];
  /** As the user wrote them. */
  readonly paths: readonly string[];
  readonly flags: NamedInputs & { readonly output?: string | undefined };
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

export function openOutput(destination: Destination, call: BuildCall, environment: Environment): Output {
  const { path, layoutOptions } = destination;
  const { collectFor } = call;
  if (path !== undefined && collectFor === undefined)
    return openDiskOutput({ ...destination, path }, call, environment);
  // Where a fleet will write it, although this call does not.
  const { inputs, flags } = call;
  const planned = collectFor === undefined || environment.isOffDisk === true ? undefined : flags.output;
  return {
    misplaced:
      planned === undefined ? [] : refuseInsideInput(planned, findInputPlaces(inputs, flags, environment), environment),
    layoutOptions,
    findOwn: () => [],
    async deliver(result) {
      if (collectFor === undefined) for (const { text } of result.files) environment.writeStdout(text);
      else if (planned !== undefined) return deliverNothing(refuse(result, planned, environment));
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

type DiskDestination = Destination & { readonly path: string };

/** Output to a file or a directory, or a comparison with it. */
function openDiskOutput(
  { path, target, layout, layoutOptions, check }: DiskDestination,
  { inputs, paths, flags, isPartial, earlier, refusePlace = () => [] }: BuildCall,
  environment: Environment,
): Output {
  const { workingDirectory, progress } = environment;
  const isDirectory = target === 'directory';
  // A link or file with a slash at its end looks like something that does not exist.
  const place = placeOnDisk(path, environment).replace(/(?<=[^/])\/+$/, '');
  /** The subdirectory of this build in the output directory. */
  let directory = '';
  /** The owner of the files, by the name of the package. */
  const claimOf = (name: string | undefined): OutputClaim => {
    const instance = layoutOptions.instance ?? name ?? nameInput(paths, { output: path, workingDirectory });
    return { owner: { instance, layout }, directory, isPartial, earlier };
  };
  const placeOf = (name: string | undefined): OutputPlace => {
    const outputPlace = findOutputPlace(place, claimOf(name));
    ({ directory } = outputPlace);
    return outputPlace;
  };

  async function deliverFiles(
    files: readonly OutputFile[],
    name: string | undefined,
    secrets: Secrets,
  ): Promise<Delivery> {
    const refusals = refusePlace();
    if (refusals.length > 0) return { exitCode: 1, diagnostics: refusals };
    try {
      return await (isDirectory ? writeDirectory(files, claimOf(name), secrets) : writeFile(files[0]!.text, secrets));
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      return { exitCode: 1, diagnostics: error.diagnostics };
    }
  }

  async function writeFile(after: string, secrets: Secrets): Promise<Delivery> {
    if (check) {
      // Through the file system that refuses pipes and devices: reading them may never end.
      const before = existsSync(place) ? new TextDecoder().decode(await diskFileSystem().readBytes!(place)) : undefined;
      return await reportDifferences(before === after ? [] : [{ path, before, after }], environment, secrets);
    }
    writeOutputFile(place, after);
    return { exitCode: 0, diagnostics: [] };
  }

  async function writeDirectory(files: readonly OutputFile[], claim: OutputClaim, secrets: Secrets): Promise<Delivery> {
    const shown = path.replace(/\/+$/, '');
    if (check) {
      const comparison = compareOutputDirectory(place, files, claim);
      const owners = comparison.replaced.map((other) =>
        cliProblems.create('output-owner-stale', { path: shown, other }),
      );
      const { exitCode, diagnostics } = await reportDifferences(
        listDifferences(shown, comparison),
        environment,
        secrets,
      );
      const all = [
        ...owners,
        ...diagnostics,
        ...comparison.diagnostics.filter(({ code }) => code === 'output-earlier-unknown'),
      ];
      return { exitCode: owners.length > 0 ? 1 : exitCode, diagnostics: all };
    }
    const onWait = progress && (() => progress.print(() => `waiting for another kurel that writes to ${shown}/`));
    const summary = writeOutputDirectory(place, files, { ...claim, onWait });
    const { diagnostics, isShared } = summary;
    const owner = { instance: claim.owner.instance, isShared };
    return { exitCode: 0, diagnostics, effect: describeEffect(summary), owner };
  }

  return {
    misplaced: refuseInsideInput(path, findInputPlaces(inputs, flags, environment), environment),
    layoutOptions: isDirectory ? { ...layoutOptions, placeOf } : layoutOptions,
    findOwn: (files) => findOwnOutput(files, path, environment),
    async deliver(result) {
      const refusals = refuse(result, path, environment);
      if (refusals.length > 0) return { exitCode: 1, diagnostics: refusals, isRefused: true };
      const { files, rendering } = result;
      return deliverFiles(files, rendering.facts.name, () => [...findSecretWords(rendering), ...wordsIn(files)]);
    },
    directory: () => directory,
    async deliverAgain(kept) {
      if (isDirectory && placeOf(kept.name).directory !== kept.directory) return undefined;
      return deliverFiles(kept.files, kept.name, () => wordsIn(kept.files));
    },
  };
}

function describeEffect(summary: OutputSummary): string {
  const parts = (['added', 'changed', 'removed'] as const)
    .filter((what) => summary[what] > 0)
    .map((what) => `${countNoun(summary[what], 'file')} ${what}`);
  return parts.length === 0 ? 'no file changed' : parts.join(', ');
}

function refuse({ objects, rendering }: Built, path: string, environment: Environment): readonly Diagnostic[] {
  const { origins } = rendering.provenance;
  const { directories = [] } = rendering.facts;
  if (objects.length === 0) return [cliProblems.create('output-empty', { path })];
  const files = objects.map((object) => origins.get(object)?.file).filter((file) => file !== undefined);
  const own = findOwnOutput(files, path, environment);
  return own.length > 0 ? own : refuseInsideInput(path, { directories, files: [] }, environment);
}

function listDifferences(
  directory: string,
  { added, changed, removed }: ReturnType<typeof compareOutputDirectory>,
): readonly Difference[] {
  return [
    ...added.map(({ path, text }) => ({ path: `${directory}/${path}`, before: undefined, after: text })),
    ...changed.map(({ path, before, after }) => ({ path: `${directory}/${path}`, before, after })),
    ...removed.map(({ path, text }) => ({ path: `${directory}/${path}`, before: text, after: undefined })),
  ].toSorted((a, b) => compareText(a.path, b.path));
}

/** Writes changed files back, all or none, and prints their names. */
export function rewriteInPlace(changed: Parameters<typeof rewriteFiles>[0], environment: Environment): Delivery {
  try {
    rewriteFiles(changed, environment);
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return { exitCode: 1, diagnostics: error.diagnostics };
  }
  for (const { path } of changed) environment.writeStdout(`${escapeControls(path)}\n`);
  return { exitCode: 0, diagnostics: [] };
}

/** Prints a diff for people, or for `git apply`. */
export async function showDiff(
  changed: readonly Difference[],
  flags: Pick<PrintOptions, 'color'>,
  environment: Environment,
): Promise<void> {
  const { stdoutIsTerminal: escape } = environment;
  await writeDiff(changed, { color: useColor(flags.color, environment, escape), escape }, environment);
}

/** Values of Secrets, found only if something is shown. */
type Secrets = () => readonly string[];

function wordsIn(files: readonly OutputFile[]): readonly string[] {
  return findWordsOfSecrets(files.map(({ text }) => text));
}

/** Prints the changes as a diff, and reports the files. */
export async function reportDifferences(
  list: readonly Difference[],
  environment: Environment,
  secrets: Secrets = () => [],
): Promise<Delivery> {
  if (list.length > 0) {
    const old = findWordsOfSecrets(list.flatMap(({ before = [] }) => before));
    await writeDiff(list, { color: false, escape: true, secrets: [...secrets(), ...old] }, environment);
  }
  const diagnostics = list.map(({ path, before, after }) => {
    const state = before === undefined ? 'missing' : after === undefined ? 'left over' : 'different';
    return cliProblems.create('output-stale', { path, state });
  });
  return { exitCode: list.length === 0 ? 0 : 1, diagnostics };
}

interface InputPlace {
  readonly output: string;
  readonly workingDirectory: string;
  readonly platform?: PlatformPath;
}

/** Input without a name is named by its path relative to the output, so that it is the same on every machine. */
export function nameInput(
  paths: readonly string[],
  { output, workingDirectory, platform = system }: InputPlace,
): string {
  const from = platform.resolve(workingDirectory, output);
  const names = paths.map((path) => {
    if (path === '-') return 'stdin';
    const relativePath = platform.relative(from, platform.resolve(workingDirectory, path));
    // On Windows, no relative path leads from one drive to another.
    return toSlashes(platform.isAbsolute(relativePath) ? path : relativePath, platform);
  });
  return names.join(' ');
}

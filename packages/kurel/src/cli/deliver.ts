import { existsSync } from 'node:fs';

import { DiagnosticError } from '../diagnostics/index.ts';
import { compareOutputDirectory, diskFileSystem, writeOutputDirectory, writeOutputFile } from '../host/index.ts';
import type { OutputClaim, OutputSummary } from '../host/index.ts';
import type { BuildResult } from '../build-api.ts';
import type { Diagnostic, OutputFile } from '../model/index.ts';
import type { Destination } from './choose-destination.ts';
import { placeOnDisk } from './claim-directory.ts';
import type { ExitCode } from './command.ts';
import type { Environment } from './environment.ts';
import { cliProblems } from './problems.ts';
import { findOwnOutput, placesOfObjects, refuseInsideInput } from './refuse-output.ts';
import { writeDiff } from './write-diff.ts';
import type { Difference } from './write-diff.ts';

export interface Delivery {
  readonly exitCode: ExitCode;
  readonly diagnostics: readonly Diagnostic[];
  /** What was done to the files of a directory: `1 file changed`. */
  readonly effect?: string;
}

export interface DeliveryOptions {
  readonly destination: Destination;
  /** Whose files a directory gets. */
  readonly claimOf: (name: string | undefined) => OutputClaim;
  /** Directories of kustomizations that were read. */
  readonly kustomizations?: ReadonlySet<string>;
}

type Built = Pick<BuildResult, 'files' | 'objects' | 'origins' | 'package' | 'application'>;

/** Hands over what a build gave: to standard output, to a file, to a directory, or to a comparison with what is there. */
export async function deliver(result: Built, options: DeliveryOptions, environment: Environment): Promise<Delivery> {
  const { files } = result;
  const { path, target: kind, check } = options.destination;
  if (path === undefined) {
    for (const { text } of files) environment.writeStdout(text);
    return { exitCode: 0, diagnostics: [] };
  }
  const refusals = refuse(result, { path, kustomizations: options.kustomizations ?? new Set() }, environment);
  if (refusals.length > 0) return { exitCode: 1, diagnostics: refusals };
  const target = placeOnDisk(path, environment);
  const claim = options.claimOf(result.package?.package.metadata.name ?? result.application?.name);
  try {
    if (check && kind === 'directory')
      return await reportStale(compareDirectory({ target, path }, files, claim), environment);
    if (check) return await reportStale(await compareFile({ target, path }, files[0]!.text), environment);
    if (kind === 'directory') {
      const summary = writeOutputDirectory(target, files, claim);
      return { exitCode: 0, diagnostics: summary.diagnostics, effect: describeEffect(summary) };
    }
    writeOutputFile(target, files[0]!.text);
    return { exitCode: 0, diagnostics: [] };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return { exitCode: 1, diagnostics: error.diagnostics };
  }
}

function describeEffect(summary: OutputSummary): string {
  const parts = (['added', 'changed', 'removed'] as const)
    .filter((what) => summary[what] > 0)
    .map((what) => `${summary[what]} ${summary[what] === 1 ? 'file' : 'files'} ${what}`);
  return parts.length === 0 ? 'no file changed' : parts.join(', ');
}

function refuse(
  result: Pick<BuildResult, 'objects' | 'origins'>,
  { path, kustomizations }: { readonly path: string; readonly kustomizations: ReadonlySet<string> },
  environment: Environment,
): readonly Diagnostic[] {
  const { objects, origins } = result;
  if (objects.length === 0) return [cliProblems.create('output-empty', { path })];
  const files = objects.map((object) => origins.get(object)?.file).filter((file) => file !== undefined);
  const own = findOwnOutput(files, path, environment);
  return own.length > 0 ? own : refuseInsideInput(path, placesOfObjects(result, kustomizations), environment);
}

interface Target {
  /** On the disk. */
  readonly target: string;
  /** As the user wrote it. */
  readonly path: string;
}

async function compareFile({ target, path }: Target, after: string): Promise<readonly Difference[]> {
  // Through the file system that refuses pipes and devices: reading them may never end.
  const bytes = existsSync(target) ? await diskFileSystem().readBytes!(target) : undefined;
  const before = bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  return before === after ? [] : [{ path, before, after }];
}

function compareDirectory(
  { target, path }: Target,
  files: readonly OutputFile[],
  claim: OutputClaim,
): readonly Difference[] {
  const { added, changed, removed } = compareOutputDirectory(target, files, claim);
  const name = (file: string): string => `${path.replace(/\/+$/, '')}/${file}`;
  return [
    ...added.map((file) => ({ path: name(file.path), before: undefined, after: file.text })),
    ...changed.map((file) => ({ path: name(file.path), before: file.before, after: file.after })),
    ...removed.map((file) => ({ path: name(file.path), before: file.text, after: undefined })),
  ].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Prints what would change as a diff and says which files it is about. */
export async function reportStale(list: readonly Difference[], environment: Environment): Promise<Delivery> {
  await writeDiff(list, { color: false, escape: true }, environment);
  const diagnostics = list.map(({ path, before, after }) => {
    const state = before === undefined ? 'missing' : after === undefined ? 'left over' : 'different';
    return cliProblems.create('output-stale', { path, state });
  });
  return { exitCode: list.length === 0 ? 0 : 1, diagnostics };
}

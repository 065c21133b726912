import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';

import { DiagnosticError } from '../diagnostics/index.ts';
import { compareOutputDirectory, writeOutputDirectory, writeOutputFile } from '../host/index.ts';
import type { OutputSummary } from '../host/index.ts';
import type { BuildResult } from '../build-api.ts';
import type { Diagnostic, Origin, OutputFile } from '../model/index.ts';
import type { Destination } from './choose-destination.ts';
import type { ExitCode } from './command.ts';
import type { Environment } from './environment.ts';
import { cliProblems } from './problems.ts';
import { writeDiff } from './write-diff.ts';
import type { Difference } from './write-diff.ts';

export interface Delivery {
  readonly exitCode: ExitCode;
  readonly diagnostics: readonly Diagnostic[];
  /** What was done to the files of a directory: `1 file changed`. */
  readonly effect?: string;
}

/** Hands over what a build gave: to standard output, to a file, to a directory, or to a comparison with what is there. */
export async function deliver(
  result: Pick<BuildResult, 'files' | 'objects' | 'origins'>,
  destination: Destination,
  environment: Environment,
): Promise<Delivery> {
  const { files } = result;
  const { path, target: kind, check } = destination;
  if (path === undefined) {
    for (const { text } of files) environment.writeStdout(text);
    return { exitCode: 0, diagnostics: [] };
  }
  const refusals = refuse(result, { path, target: kind }, environment);
  if (refusals.length > 0) return { exitCode: 1, diagnostics: refusals };
  // Messages should say the path as it was written, which only works from the directory it was written in.
  const target = environment.workingDirectory === process.cwd() ? path : resolve(environment.workingDirectory, path);
  try {
    if (check) return await reportStale(differences(target, path, files, kind), environment);
    if (kind === 'directory') {
      const summary = writeOutputDirectory(target, files);
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
  { objects, origins }: Pick<BuildResult, 'objects' | 'origins'>,
  { path, target }: Pick<Destination, 'target'> & { readonly path: string },
  environment: Environment,
): readonly Diagnostic[] {
  if (objects.length === 0) return [cliProblems.create('output-empty', { path })];
  const known = objects.map((object) => origins.get(object)).filter((origin) => origin !== undefined);
  const files = known.map(({ file }) => file).filter((file) => file !== undefined);
  const own = findOwnOutput(files, path, environment);
  if (own.length > 0 || (target === 'file' && !/\.(?:ya?ml|json)$/.test(path))) return own;
  const holder = findHolder(known, path, environment);
  return holder === undefined ? [] : [cliProblems.create('output-below-input', { path, source: holder })];
}

/** The directory of manifests that an output would lie in, and be read with the next time. */
function findHolder(origins: readonly Origin[], path: string, { workingDirectory }: Environment): string | undefined {
  const target = resolve(workingDirectory, path);
  const directories = origins.flatMap(({ renderer, source, file }) =>
    renderer === 'manifests' && source !== file ? [source] : [],
  );
  return [...new Set(directories)].find((source) => {
    const inside = relative(resolve(workingDirectory, source), target).split(sep);
    return inside[0] !== '' && !isAbsolute(inside[0]!) && !inside.some((part) => part.startsWith('.'));
  });
}

/** Of the files that a build has read, those that lie in its output: most likely an earlier build has written them. */
export function findOwnOutput(
  files: readonly string[],
  path: string,
  { workingDirectory }: Environment,
): readonly Diagnostic[] {
  const target = resolve(workingDirectory, path);
  return [...new Set(files)]
    .filter((file) => `${resolve(workingDirectory, file)}${sep}`.startsWith(`${target}${sep}`))
    .map((source) => cliProblems.create('output-is-input', { path, source }));
}

function differences(
  target: string,
  path: string,
  files: readonly OutputFile[],
  kind: Destination['target'],
): readonly Difference[] {
  if (kind === 'file') {
    const before = existsSync(target) ? readFileSync(target, 'utf8') : undefined;
    const after = files[0]!.text;
    return before === after ? [] : [{ path, before, after }];
  }
  const { added, changed, removed } = compareOutputDirectory(target, files);
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

import { DiagnosticError, escapeControls } from '../diagnostics/index.ts';
import { rewriteFiles } from '../host/index.ts';
import type { OutputFile } from '../model/index.ts';
import type { Environment } from './environment.ts';
import type { Delivery } from './open-output.ts';
import type { PrintOptions } from './print-diagnostics.ts';
import { cliProblems } from './problems.ts';
import { useColor } from './terminal.ts';
import { writeDiff } from './unified-diff.ts';
import type { Difference } from './unified-diff.ts';
import { findWordsOfSecrets } from './values-of-secrets.ts';

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
export type Secrets = () => readonly string[];

export function wordsIn(files: readonly OutputFile[]): readonly string[] {
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

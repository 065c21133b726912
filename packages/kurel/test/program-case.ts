import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { withCopy } from './check-case.ts';
import type { GoldenCase } from './golden-case.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';
import { listFiles, repository } from './source-tree.ts';

/**
 * A case has the files `command` (the words after `kurel`, one per line), `input/` (the working directory), perhaps `stdin` and
 * `environment` (`NAME=VALUE`, one per line), and `expected`: exit code, standard output, standard error, and every file that was made
 * or changed or is gone.
 */
export const programCases = join(repository, 'packages', 'kurel', 'test', 'cases');

interface CaseRun {
  /** Defaults to those of the case. */
  readonly words?: readonly string[];
  readonly run?: typeof runProgram;
}

/** What `expected` of the case should be. */
export async function runCase(
  one: GoldenCase,
  { words = wordsOf(one), run = runProgram }: CaseRun = {},
): Promise<string> {
  return withCopy(one, 'input', async (workingDirectory) => {
    const before = readTree(workingDirectory);
    const outcome = await run(words, { workingDirectory, ...surroundingsOf(one) });
    // A real process runs in its working directory and says relative paths.
    const stderr = outcome.stderr.replaceAll(`${workingDirectory}/`, '');
    return describeOutcome({ ...outcome, stderr }, changes(before, readTree(workingDirectory)));
  });
}

interface Surroundings {
  readonly stdin: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export function surroundingsOf(one: GoldenCase): Surroundings {
  const stdin = one.has('stdin') ? one.read('stdin') : '';
  return { stdin, variables: { PATH: process.env['PATH'], ...variablesOf(one) } };
}

function variablesOf(one: GoldenCase): Readonly<Record<string, string>> {
  if (!one.has('environment')) return {};
  const lines = one.read('environment').trimEnd().split('\n');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

export function wordsOf(one: GoldenCase): readonly string[] {
  const text = one.read('command').replace(/\n$/, '');
  return text === '' ? [] : text.split('\n');
}

function readTree(directory: string): ReadonlyMap<string, string> {
  const files = listFiles(directory, '').filter((path) => isFile(join(directory, path)));
  return new Map(files.map((path) => [path, readFileSync(join(directory, path), 'utf8')]));
}

function isFile(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}

function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const written = [...after]
    .filter(([path, text]) => before.get(path) !== text)
    .map(([path, text]) => section(path, text));
  const gone = [...before.keys()].filter((path) => !after.has(path)).map((path) => `===== ${path} is gone\n`);
  return [...written, ...gone];
}

function describeOutcome({ exitCode, stdout, stderr }: ProgramOutcome, files: readonly string[]): string {
  return [`exit ${exitCode}\n`, section('stdout', stdout), section('stderr', stderr), ...files].join('');
}

function section(name: string, text: string): string {
  if (text === '') return '';
  return `===== ${name}\n${text}${text.endsWith('\n') ? '' : '\n===== (no line break at the end)\n'}`;
}

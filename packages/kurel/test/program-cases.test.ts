import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { parseJson } from '@kurel/jq';

import { readYaml } from '../src/yaml/index.ts';
import { expectCaseFile, withCopy } from './check-case.ts';
import { listCases, openCase } from './golden-case.ts';
import type { GoldenCase } from './golden-case.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';
import { listFiles, repository } from './source-tree.ts';

const cases = join(repository, 'packages', 'kurel', 'test', 'cases');

// A case has the files `command` (the words after `kurel`, one per line), `input/` (the working directory), perhaps `stdin`
// and `environment` (`NAME=VALUE`, one per line), and `expected`: exit code, standard output, standard error, and every file that was made or changed or is gone.
describe('the program', () => {
  it.each(listCases(cases))('%s', async (name) => {
    const one = openCase(join(cases, name));
    const actual = await runCase(one);
    expect(await runCase(one), 'a second run gives the same bytes').toBe(actual);
    expectCaseFile(one, 'expected', actual);
    await checkMeaning(one);
  });
});

async function runCase(one: GoldenCase): Promise<string> {
  return withCopy(one, 'input', async (workingDirectory) => {
    const before = readTree(workingDirectory);
    const outcome = await runIn(one, workingDirectory);
    // A real process runs in its working directory and says relative paths.
    const stderr = outcome.stderr.replaceAll(`${workingDirectory}/`, '');
    return describeOutcome({ ...outcome, stderr }, changes(before, readTree(workingDirectory)));
  });
}

/** What is written as YAML reads back as the very data that `--format json` gives. */
async function checkMeaning(one: GoldenCase): Promise<void> {
  const words = wordsOf(one);
  if (words[0] !== 'build' || words.some((word) => /^(?:-o|--output|--format|--help)/.test(word))) return;
  await withCopy(one, 'input', async (workingDirectory) => {
    const yaml = await runIn(one, workingDirectory);
    if (yaml.exitCode !== 0) return;
    const json = await runIn(one, workingDirectory, ['--format', 'json']);
    const { documents, diagnostics } = readYaml({ path: 'stdout', text: yaml.stdout });
    expect(diagnostics).toEqual([]);
    const objects = documents.map(({ data }) => data).filter((data) => data !== undefined);
    expect(objects.length === 1 ? objects[0] : objects).toEqual(parseJson(json.stdout));
  });
}

function runIn(one: GoldenCase, workingDirectory: string, more: readonly string[] = []): Promise<ProgramOutcome> {
  const stdin = one.has('stdin') ? one.read('stdin') : '';
  const variables = { PATH: process.env['PATH'], ...variablesOf(one) };
  return runProgram([...wordsOf(one), ...more], { workingDirectory, stdin, variables });
}

function variablesOf(one: GoldenCase): Readonly<Record<string, string>> {
  if (!one.has('environment')) return {};
  const lines = one.read('environment').trimEnd().split('\n');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

function wordsOf(one: GoldenCase): readonly string[] {
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

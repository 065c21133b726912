import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { parseJson } from '@kurel/jq';

import { readYaml } from '../src/yaml/index.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';
import { listFiles, repository } from './source-tree.ts';

const cases = join(repository, 'packages', 'kurel', 'test', 'cases');
const update = process.env['UPDATE_CASES'] === '1';

// A case is a directory: `command` (the words after `kurel`, one a line), `input/` (the working directory), perhaps `stdin`
// and `environment` (`NAME=VALUE`, one a line), and `expected`: exit code, standard output, standard error, and every file that was made or changed or is gone.
describe('the program', () => {
  it.each(readdirSync(cases).toSorted())('%s', async (name) => {
    const directory = join(cases, name);
    const actual = await runCase(directory);
    expect(await runCase(directory), 'a second run gives the same bytes').toBe(actual);
    const expectedFile = join(directory, 'expected');
    if (update) writeFileSync(expectedFile, actual);
    expect(actual).toBe(readFileSync(expectedFile, 'utf8'));
    await checkMeaning(directory);
  });
});

async function runCase(directory: string): Promise<string> {
  return inCopy(directory, async (workingDirectory) => {
    const before = readTree(workingDirectory);
    const outcome = await runIn(directory, workingDirectory);
    // A real process runs in its working directory and says relative paths.
    const stderr = outcome.stderr.replaceAll(`${workingDirectory}/`, '');
    return describeOutcome({ ...outcome, stderr }, changes(before, readTree(workingDirectory)));
  });
}

/** What is written as YAML reads back as the very data that `--format json` gives. */
async function checkMeaning(directory: string): Promise<void> {
  const words = wordsOf(directory);
  if (words[0] !== 'build' || words.some((word) => /^(?:-o|--output|--format|--help)/.test(word))) return;
  await inCopy(directory, async (workingDirectory) => {
    const yaml = await runIn(directory, workingDirectory);
    if (yaml.exitCode !== 0) return;
    const json = await runIn(directory, workingDirectory, ['--format', 'json']);
    const { documents, diagnostics } = readYaml({ path: 'stdout', text: yaml.stdout });
    expect(diagnostics).toEqual([]);
    const objects = documents.map(({ data }) => data).filter((data) => data !== undefined);
    expect(objects.length === 1 ? objects[0] : objects).toEqual(parseJson(json.stdout));
  });
}

async function inCopy<T>(directory: string, work: (workingDirectory: string) => Promise<T>): Promise<T> {
  const copy = mkdtempSync(join(tmpdir(), 'kurel-case-'));
  try {
    if (existsSync(join(directory, 'input')))
      cpSync(join(directory, 'input'), copy, { recursive: true, verbatimSymlinks: true });
    return await work(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function runIn(directory: string, workingDirectory: string, more: readonly string[] = []): Promise<ProgramOutcome> {
  const stdin = existsSync(join(directory, 'stdin')) ? readFileSync(join(directory, 'stdin'), 'utf8') : '';
  const variables = { PATH: process.env['PATH'], ...variablesOf(directory) };
  return runProgram([...wordsOf(directory), ...more], { workingDirectory, stdin, variables });
}

function variablesOf(directory: string): Readonly<Record<string, string>> {
  const file = join(directory, 'environment');
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

function wordsOf(directory: string): readonly string[] {
  const text = readFileSync(join(directory, 'command'), 'utf8').replace(/\n$/, '');
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

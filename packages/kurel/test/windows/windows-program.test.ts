import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { listCases, openCase } from '../golden-case.ts';
import type { GoldenCase } from '../golden-case.ts';
import { programCases, runCase, wordsOf } from '../program-case.ts';
import { runProgram } from '../run-program.ts';
import type { ProgramOutcome } from '../run-program.ts';
import { bundleForWindows, toWindows } from './windows-program.ts';

let scratch = '';
let run: Awaited<ReturnType<typeof bundleForWindows>>;
beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'kurel-windows-'));
  run = await bundleForWindows(scratch);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The program on Windows, in the same directory. */
const runOnWindows: typeof runProgram = async (words, options): Promise<ProgramOutcome> => {
  const workingDirectory = options?.workingDirectory ?? scratch;
  const place = toWindows(workingDirectory);
  const outcome = await runProgram(words, { ...options, workingDirectory: place }, run);
  const show = (text: string): string => text.replaceAll(place.replaceAll('\\', '/'), workingDirectory);
  return { ...outcome, stdout: show(outcome.stdout), stderr: show(outcome.stderr) };
};

function isOutput(word: string): boolean {
  return word === '-o' || word === '--output';
}

/** The paths among the words with backslashes. */
function withBackslashes(one: GoldenCase): readonly string[] {
  const names = new Set(one.list().map((path) => path.split('/')[1]));
  const words = wordsOf(one);
  return words.map((word, index) => {
    const isPath = names.has(word.split('/')[0]) || isOutput(words[index - 1] ?? '');
    return isPath ? word.replaceAll('/', '\\') : word;
  });
}

const clusterRole = (name: string): string =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: ${name}}\n`;

describe('paths of Windows', () => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(scratch, 'paths-'));
    mkdirSync(join(directory, 'deploy'));
    writeFileSync(join(directory, 'deploy', 'role.yaml'), clusterRole('Admin'));
  });
  const kurel = (...words: readonly string[]) => runOnWindows(words, { workingDirectory: directory });
  const written = () => readdirSync(join(directory, 'out')).filter((name) => name !== '.kurel-inventory');

  it.each([
    String.raw`deploy`,
    String.raw`DEPLOY`,
    String.raw`.\deploy\role.yaml`,
    String.raw`deploy\*.yaml`,
    String.raw`deploy\..\Deploy\ROLE.yaml`,
  ])('builds %s', async (path) => {
    expect(await kurel('build', path)).toEqual({ exitCode: 0, stdout: clusterRole('Admin'), stderr: '' });
  });

  it('builds an absolute path, also with a pattern, and says it with slashes', async () => {
    const place = toWindows(directory);
    for (const path of [String.raw`${place}\deploy`, String.raw`${place}\deploy\*.yaml`, place.toLowerCase()]) {
      expect(await kurel('build', path)).toMatchObject({ exitCode: 0, stdout: clusterRole('Admin') });
    }
    const { stderr } = await kurel('build', String.raw`${place}\deploi`);
    expect(stderr).toContain(`"${directory}/deploi" does not exist`);
  });

  it.each([
    [String.raw`D:\deploy`, 'D:/deploy'],
    [String.raw`\\server\share\deploy`, '//server/share/deploy'],
  ])('says that %s does not exist', async (path, shown) => {
    const { exitCode, stderr } = await kurel('build', path);
    expect({ exitCode, isShown: stderr.includes(`"${shown}"`) }).toEqual({ exitCode: 1, isShown: true });
  });

  it('renames a file whose name changes only in case', async () => {
    expect(await kurel('build', 'deploy', '-o', String.raw`.\out\\`)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(written()).toEqual(['clusterrole-Admin.yaml']);
    writeFileSync(join(directory, 'deploy', 'role.yaml'), clusterRole('admin'));
    expect(await kurel('build', 'deploy', '-o', 'out')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(written()).toEqual(['clusterrole-admin.yaml']);
    expect(readFileSync(join(directory, 'out', 'clusterrole-admin.yaml'), 'utf8')).toBe(clusterRole('admin'));
    expect(await kurel('build', 'deploy', '-o', 'out', '--check')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('finds an output in the input whatever its spelling', async () => {
    const { exitCode, stderr } = await kurel('build', 'deploy', '-o', String.raw`DEPLOY\out`);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('output-below-input') });
  });
});

/** Cases about paths: the others do the same on every system. */
const cases = listCases(programCases).filter((name) => {
  const one = openCase(join(programCases, name));
  const words = wordsOf(one);
  return (
    one.directory !== undefined || withBackslashes(one).some((word, index) => word !== words[index] || isOutput(word))
  );
});

describe('the program on Windows', () => {
  let compared = 0;
  it.each(cases)('%s', async (name) => {
    const one = openCase(join(programCases, name));
    const actual = await runCase(one, { words: withBackslashes(one), run: runOnWindows });
    // helm, kustomize and git of this machine cannot read paths of Windows.
    if (actual.includes('is not installed or not on PATH')) return;
    expect(actual).toBe(one.read('expected'));
    compared += 1;
  });

  it('does the same in most cases', () => {
    expect(compared).toBeGreaterThan(0.8 * cases.length);
  });
});

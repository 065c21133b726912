import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runProgram } from '../../test/run-program.ts';

const screen = { stdoutIsTerminal: true, stderrIsTerminal: true, variables: { NO_COLOR: '1' } };

async function linesOf(words: readonly string[], columns: number | undefined): Promise<readonly string[]> {
  const { stdout, stderr } = await runProgram(words, { ...screen, columns: () => columns });
  return `${stdout}${stderr}`.trimEnd().split('\n');
}

function widest(lines: readonly string[]): number {
  return Math.max(...lines.map((line) => line.length));
}

describe('on a terminal', () => {
  it.each([
    [['help']],
    [['help', 'vendor']],
    [['schema', 'show']],
    [['schema', 'show', 'Deployment.spec.strategy']],
    [['build', 'no-such-directory-anywhere', '--set', 'replicas', '3']],
    [['build', 'examples/plain', '--kind', 'Depolyment', '--name', 'nobody', '--selector', 'app=nothing']],
    [['validate', 'examples/applications/mistakes', '--no-profile']],
  ])('%j fits', async (words) => {
    for (const columns of [72, 90]) expect(widest(await linesOf(words, columns))).toBeLessThanOrEqual(columns);
  });

  it.each([['help'], ['schema', 'show']])('%s is neither wider nor narrower than one can read', async (...words) => {
    expect(await linesOf(words, 300)).toEqual(await linesOf(words, 100));
    expect(await linesOf(words, 20)).toEqual(await linesOf(words, 60));
  });

  it.each([undefined, 0])('that says it has %j columns, nothing is broken', async (columns) => {
    const words = ['schema', 'show'];
    expect(await linesOf(words, columns)).toEqual((await runProgram(words)).stdout.trimEnd().split('\n'));
  });
});

describe('a list of objects', () => {
  it.each([
    [[], true, 'kurel explain PATH OBJECT'],
    [[], false, ''],
    [['--message-format', 'json'], true, '[]'],
  ])('with %j to a terminal (%j) goes on with %j', async (flags, stderrIsTerminal, end) => {
    const { stderr } = await runProgram(['explain', 'examples/plain', ...flags], { ...screen, stderrIsTerminal });
    expect(stderr.trimEnd().endsWith(end)).toBe(true);
    expect(stderr === '').toBe(end === '');
  });
});

describe('elsewhere', () => {
  it('nothing is broken, whatever a terminal has', async () => {
    const words = ['build', 'examples/plain', 'one.yaml'];
    const { stderr } = await runProgram(words, { columns: () => 40 });
    expect(stderr).toBe((await runProgram(words)).stderr);
    expect(stderr.split('\n')).toHaveLength(3);
  });
});

describe('a report and its findings', () => {
  let workingDirectory: string;

  beforeEach(() => {
    workingDirectory = mkdtempSync(join(tmpdir(), 'kurel-report-'));
    writeFileSync(join(workingDirectory, 'parameters.yaml'), 'kurel: {name: shop, version: 1.0.0}\n');
  });

  afterEach(() => rmSync(workingDirectory, { recursive: true }));

  it.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('to terminals (%j, %j) are printed once', async (stdoutIsTerminal, stderrIsTerminal) => {
    const options = { workingDirectory, stdoutIsTerminal, stderrIsTerminal, variables: { NO_COLOR: '1' } };
    const { stdout, stderr, exitCode } = await runProgram(['validate', '.', '--values', 'gone.yaml'], options);
    expect(exitCode).toBe(1);
    expect(`${stdout}${stderr}`.split('cannot read gone.yaml')).toHaveLength(2);
  });
});

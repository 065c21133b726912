import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runProgram } from '../../test/run-program.ts';
import { columnWidth, cutMiddle, fitLine } from './terminal.ts';

const screen = { stdoutIsTerminal: true, stderrIsTerminal: true, variables: { NO_COLOR: '1' } };

async function linesOf(words: readonly string[], columns: number | undefined): Promise<readonly string[]> {
  const { stdout, stderr } = await runProgram(words, { ...screen, columns: () => columns });
  return `${stdout}${stderr}`.trimEnd().split('\n');
}

function widest(lines: readonly string[]): number {
  return Math.max(...lines.map((line) => line.length));
}

const web = 'examples/applications/web/package';
const platform = [
  '--profile',
  'examples/applications/web/gateway.yaml',
  '--policy',
  'examples/applications/web/policy.yaml',
];

describe('columnWidth', () => {
  it.each<readonly [readonly string[], number, number]>([
    [['a', 'bbb', 'cc'], 0, 3],
    [['a', 'bbb'], 6, 6],
    [[], 4, 4],
    [['a', 'b'.repeat(200)], 0, 200],
    [['a', 'b'.repeat(201)], 0, 1],
  ])('is that of the longest cell, except for very long ones: %#', (cells, least, width) => {
    expect(columnWidth(cells, least)).toBe(width);
  });
});

describe('on a terminal', { tags: 'slow' }, () => {
  it.each([
    [['help']],
    [['help', 'vendor']],
    [['schema', 'show']],
    [['schema', 'show', 'Deployment.spec.strategy']],
    [['build', 'no-such-directory-anywhere', '--set', 'replicas', '3']],
    [['build', 'examples/plain', '--kind', 'Depolyment', '--name', 'nobody', '--selector', 'app=nothing']],
    [['validate', 'examples/applications/mistakes', '--no-profile']],
    [['help', 'policy-registry']],
    [['explain', 'examples/packages/gitea.kurel', 'deployment.gitea']],
    [['explain', 'examples/packages/gitea.kurel', 'deployment.gitea', 'image']],
    [['explain', web, 'deployment.shop', ...platform, '--values', 'examples/applications/shop/production.yaml']],
    [['diff', web, ...platform, '--values', 'examples/applications/shop/production.yaml', '--set-b', 'replicas=2']],
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

describe('a line that is too long', () => {
  it.each([
    [
      '  ~ image: a.example.com/web:1 → a.example.com/web:2',
      ['  ~ image: a.example.com/web:1', '      → a.example.com/web:2'],
    ],
    [
      '  + spec.template.spec.containers[name=web].env:',
      ['  + spec.template.spec.', '      containers[name=web].', '      env:'],
    ],
    ['some words and 日本語日本語 after them', ['some words and 日本語日本語', '    after them']],
    ['x'.repeat(60), ['x'.repeat(26), `    ${'x'.repeat(26)}`, `    ${'x'.repeat(8)}`]],
  ])('%j is broken where it can be read', (line, expected) => {
    expect(fitLine(line, 30)).toEqual(expected);
  });

  it.each([
    ['image: registry.example.com/web:1.2', 'image: regi….com/web:1.2'],
    ['greeting: 日本語日本語日本語', 'greetin…本語日本語日本語'],
    ['short', 'short'],
  ])('%j loses its middle', (line, expected) => {
    expect(cutMiddle(line, 24)).toBe(expected);
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

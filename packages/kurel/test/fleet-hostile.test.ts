import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startCacheServer } from './cache-server.ts';
import type { CacheServer } from './cache-server.ts';
import { createFleetProject, readFiles } from './fleet-project.ts';
import type { FleetProject } from './fleet-project.ts';
import { rewriteReads, rewriteResults } from './rewrite-entries.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-hostile-'));
afterAll(() => rmSync(place, { recursive: true, force: true }), 60_000);

type Data = unknown;

/** Stands for more levels than a recursive function can visit. */
const deep = 'more levels than the stack has';
const levels = 50_000;

/** What somebody writes who wants to break something. */
const poison = fc.constantFrom<Data>(
  null,
  true,
  '',
  -1,
  0.5,
  1e308,
  2 ** 53,
  '\u001B[2J\u001B]0;owned\u0007',
  '../../../escaped.yaml',
  '/etc/passwd',
  '.kurel-inventory',
  'error',
  'x'.repeat(200_000),
  [],
  {},
  [null],
  { length: 5 },
  deep,
  { location: { file: '/etc/passwd', document: 0, path: [0] } },
);

interface Step {
  readonly holder: Record<string, Data>;
  readonly key: string;
}

/** Every place in the data. */
function stepsOf(data: Data): readonly Step[] {
  if (typeof data !== 'object' || data === null) return [];
  const holder = data as Record<string, Data>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }].concat(stepsOf(holder[key])));
}

const edits = fc.array(fc.record({ at: fc.nat(), value: poison, isNew: fc.boolean() }), { minLength: 1, maxLength: 3 });

type Edits = typeof edits extends fc.Arbitrary<infer Value> ? Value : never;

function edit<Value>(original: Value, list: Edits): Value {
  const data = structuredClone(original);
  for (const { at, value, isNew } of list) {
    const steps = stepsOf(data);
    const { holder, key } = steps[at % steps.length]!;
    holder[isNew && !Array.isArray(holder) ? `${key}2` : key] = structuredClone(value);
  }
  return data;
}

function write(data: Data): string {
  return JSON.stringify(data).replaceAll(JSON.stringify(deep), '['.repeat(levels) + ']'.repeat(levels));
}

// oxlint-disable-next-line no-control-regex -- that is what nothing may print
const control = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/;

function expectHarmless({ exitCode, stdout, stderr }: ProgramOutcome): void {
  expect([0, 1]).toContain(exitCode);
  expect(stdout + stderr).not.toMatch(control);
  expect(stderr).not.toContain('this is a bug in kurel');
  expect(stdout + stderr).not.toContain('root:');
}

/** Two targets, one of them with a warning. */
function writeFleet(project: FleetProject): void {
  const targets = [
    '{name: a, package: apps/file.yaml, output: rendered/a}',
    '{name: b, package: apps/api, output: rendered/b}',
  ];
  const head = 'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Fleet\nspec:\n  targets:\n';
  project.write('kurel.fleet.yaml', `${head}${targets.map((one) => `  - ${one}\n`).join('')}`);
}

describe('a trusted cache that lies', () => {
  let server: CacheServer;
  let project: FleetProject;
  let valid: ReadonlyMap<string, Buffer>;
  let expected: Readonly<Record<string, string>>;

  async function build(...words: readonly string[]): Promise<ProgramOutcome> {
    const all = ['fleet', 'build', '--cache', server.url, '--cache-trust', ...words];
    return runProgram(all, { workingDirectory: project.directory });
  }

  beforeAll(async () => {
    server = await startCacheServer();
    project = createFleetProject(join(place, 'cache', 'project'));
    writeFleet(project);
    await build();
    valid = new Map(server.entries);
    expected = readFiles(join(place, 'cache'));
  }, 60_000);
  afterAll(() => server.stop());

  function reset(): void {
    server.entries.clear();
    for (const [path, bytes] of valid) server.entries.set(path, bytes);
    rmSync(join(project.directory, 'rendered'), { recursive: true, force: true });
  }

  it('cannot break a run, or write outside the output', { tags: 'slow', timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(edits, async (list) => {
        reset();
        rewriteResults(server.entries, (result) => edit(result, list), write);
        const outcome = await build();
        expectHarmless(outcome);
        expect(outcome.exitCode).toBe(0);
        const files = readFiles(join(place, 'cache'));
        const outside = (all: typeof files): readonly (readonly [string, string])[] =>
          Object.entries(all).filter(([path]) => !path.startsWith('project/rendered/'));
        expect(outside(files)).toEqual(outside(expected));
      }),
      { numRuns: 100 },
    );
  });

  it('cannot add an error, a path elsewhere, or the same path twice', async () => {
    for (const change of [
      { diagnostics: [{ code: 'x', severity: 'error', message: 'no' }] },
      { diagnostics: [{ code: 'x', severity: 'warning' }] },
      { directory: '..' },
      { files: [{ path: '../../a.yaml', text: 'a' }] },
      { files: [{ path: '/tmp/a.yaml', text: 'a' }] },
      { files: [{ path: 'C:\\a.yaml', text: 'a' }] },
      {
        files: [
          { path: 'a.yaml', text: '1' },
          { path: 'a.yaml', text: '2' },
        ],
      },
      {
        files: [
          { path: 'a.yaml', text: '1' },
          { path: 'A.yaml', text: '2' },
        ],
      },
      {
        files: [
          { path: 'a', text: '1' },
          { path: 'a/b', text: '2' },
        ],
      },
      { files: [{ path: '.kurel-inventory', text: '{}' }] },
    ]) {
      reset();
      rewriteResults(server.entries, (result) => ({ ...result, ...change }));
      const { exitCode, stderr } = await build();
      expect([exitCode, stderr.includes('from the cache')], JSON.stringify(change)).toEqual([0, false]);
      expect(readFiles(join(place, 'cache'))).toEqual(expected);
      reset();
      rewriteResults(server.entries, (result) => ({ ...result, ...change }));
      // It would show a difference with any file that it reads.
      await runProgram(['fleet', 'build'], { workingDirectory: project.directory });
      const check = await build('--check');
      expect([check.exitCode, check.stdout], JSON.stringify(change)).toEqual([0, '']);
    }
  });

  it('learns nothing about the environment, and cannot start programs', async () => {
    for (const names of [
      ['variable SECRET'],
      ['program rm'],
      ['program constructor'],
      ['content'],
      ['other apps/file.yaml'],
      [1],
      Array.from({ length: 9 }, () => 'kind apps'),
    ] as const) {
      reset();
      rewriteReads(server.entries, () => (names.length === 9 ? names.map((one) => [one]) : [names]));
      const before = server.requests.length;
      const { exitCode, stderr } = await build();
      expect(exitCode).toBe(0);
      expect(stderr, String(names)).toContain('an entry of the cache was not used: it is damaged');
      // Each target asks for what it has read before, and not for anything that follows from that.
      const asked = server.requests.slice(before).filter((one) => one.startsWith('GET /ac/'));
      expect(new Set(asked).size).toBe(2);
      expect(readFiles(join(place, 'cache'))).toEqual(expected);
    }
  });
});

describe('a report that somebody has edited', () => {
  it('cannot break kurel fleet report', { tags: 'slow', timeout: 60_000 }, async () => {
    const project = createFleetProject(join(place, 'report'));
    writeFleet(project);
    const fleet = (...words: readonly string[]): Promise<ProgramOutcome> =>
      runProgram(['fleet', ...words], { workingDirectory: project.directory });
    // Nothing is written, so there is a diff in the report.
    await fleet('build', '--check', '--report', 'report.json');
    const valid = JSON.parse(readFileSync(join(project.directory, 'report.json'), 'utf8')) as object;
    const formats = fc.constantFrom('text', 'json', 'sarif');
    await fc.assert(
      fc.asyncProperty(edits, formats, async (list, format) => {
        project.write('edited.json', write(edit(valid, list)));
        expectHarmless(await fleet('report', 'edited.json', '--message-format', format));
      }),
      { numRuns: 300 },
    );
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createFleetProject } from './fleet-project.ts';
import type { FleetProject } from './fleet-project.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-report-'));
let project: FleetProject;

async function fleet(...words: readonly string[]): Promise<ProgramOutcome> {
  return runProgram(['fleet', ...words], { workingDirectory: project.directory });
}

async function runShards(count: number, ...words: readonly string[]): Promise<readonly string[]> {
  const files = Array.from({ length: count }, (_, index) => `reports/${index + 1}-of-${count}.json`);
  for (const [index, file] of files.entries())
    await fleet(...words, '--shard', `${index + 1}/${count}`, '--report', file);
  return files;
}

beforeAll(async () => {
  project = createFleetProject(join(place, 'project'));
  const { read, write } = project;
  // Without programs, so that the tests are quick; with an acceptance that nothing needs.
  const text = read('kurel.fleet.yaml')
    .replace(/ {4}- applications: \[chart[^]*$/, '')
    .replaceAll(/^ {4}(?:chart|kustomize): .*\n/gm, '');
  const unused = 'api: {accept: [{code: reference-missing, reason: none}], ';
  write('kurel.fleet.yaml', text.replace('api: {', unused));
  write('clusters/c5/profile.yaml', read('clusters/c4/profile.yaml'));
  write('kurel.fleet.yaml', read('kurel.fleet.yaml').replace('c4: {}', 'c4: {}, c5: {}'));
  write('clusters/c5/values.yaml', 'domain: c5.example.com\n');
  await fleet('build');
  // The output of a removed target.
  write('kurel.fleet.yaml', read('kurel.fleet.yaml').replace(', c5: {}', ''));
}, 60_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe('kurel fleet report', () => {
  it.each([
    ['a validation', ['validate']],
    ['a build with warnings', ['build']],
    ['a strict build', ['build', '--strict']],
    ['a check', ['build', '--check']],
    ['names', ['build', '*/file', '*/api']],
  ])('prints %s of several shards as one run does', async (_, words) => {
    const single = await fleet(...words);
    for (const count of [1, 2, 7]) {
      const files = await runShards(count, ...words);
      expect(await fleet('report', ...files.toReversed())).toEqual(single);
    }
  });

  it('prints failures and differences as one run does', async () => {
    const { read, write } = project;
    const [values, manifest] = [read('clusters/c1/values.yaml'), read('apps/file.yaml')];
    write('clusters/c1/values.yaml', 'domian: x\n');
    write('apps/file.yaml', `${manifest}# new\n`);
    for (const format of ['text', 'json', 'sarif']) {
      const single = await fleet('build', '--check', '--message-format', format);
      expect(single.exitCode).toBe(1);
      expect(single.stdout).toContain('+# new');
      const files = await runShards(3, 'build', '--check');
      expect(await fleet('report', ...files, '--message-format', format)).toEqual(single);
    }
    write('clusters/c1/values.yaml', values);
    write('apps/file.yaml', manifest);
  });

  it('reports what is missing, doubled, damaged or of another run', async () => {
    const { read, write } = project;
    const words = ['validate', '*/api'];
    const [first, second, third] = (await runShards(3, ...words)) as [string, string, string];
    const codesOf = async (...files: readonly string[]): Promise<readonly unknown[]> => {
      const { stdout, stderr, exitCode } = await fleet('report', ...files);
      return [
        exitCode,
        ...Array.from(`${stdout}${stderr}`.matchAll(/^error\[fleet-report-(.*)/gm), ([, text]) => text),
      ];
    };
    expect(await codesOf(first, second, third)).toEqual([0]);
    expect(await codesOf(first, third)).toEqual([1, 'missing]: no report of shard 2/3']);
    expect(await codesOf(first, second, third, first)).toEqual([
      1,
      `duplicate]: "${first}" and "${first}" are both of shard 1/3`,
    ]);
    write('reports/cut.json', read(second).slice(0, 100));
    write('reports/empty.json', '{}');
    expect(await codesOf(first, 'reports/cut.json', 'reports/empty.json', 'reports/none.json', third)).toEqual([
      1,
      'invalid]: "reports/cut.json" is not a report of kurel fleet: expected a closing quote, but the text ends at line 1, column 101',
      'invalid]: "reports/empty.json" is not a report of kurel fleet: it is another document',
      'missing]: no report of shard 2/3',
    ]);
    const report = JSON.parse(read(second)) as { run: Record<string, string>; shard: object };
    for (const fact of Object.keys(report.run)) {
      const isCount = fact === 'number of shards';
      const shard = { ...report.shard, ...(isCount ? { count: 4 } : {}) };
      const changed = { ...report, run: { ...report.run, [fact]: isCount ? '4' : 'x' }, shard };
      write('reports/other.json', JSON.stringify(changed));
      expect(await codesOf(first, 'reports/other.json', third)).toEqual([
        1,
        `different]: "reports/other.json" and "${first}" are of different runs: they do not have the same ${fact}`,
        'missing]: no report of shard 2/3',
      ]);
    }
    for (const field of Object.keys(report)) {
      if (field === 'version' || field === 'run') continue;
      write('reports/other.json', JSON.stringify({ ...report, [field]: null }));
      expect(await codesOf('reports/other.json', first, third)).toContain(
        'invalid]: "reports/other.json" is not a report of kurel fleet: it is damaged',
      );
    }
    for (const shard of [
      { index: 1, count: 1_000_000_000 },
      { index: 0, count: 3 },
      { index: 4, count: 3 },
      { index: 1.5, count: 3 },
      { index: 2, count: 5 },
    ]) {
      const run = { ...report.run, 'number of shards': shard.count === 5 ? '3' : `${shard.count}` };
      write('reports/other.json', JSON.stringify({ ...report, run, shard }));
      expect(await codesOf('reports/other.json')).toEqual([
        1,
        'invalid]: "reports/other.json" is not a report of kurel fleet: it is damaged',
      ]);
    }
  });
});

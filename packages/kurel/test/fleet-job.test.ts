import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';

import { createFleetProject, readFiles } from './fleet-project.ts';
import { runProgram } from './run-program.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-job-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

interface Job {
  readonly spec: {
    readonly completions: number;
    readonly template: { readonly spec: { readonly containers: readonly [{ readonly args: readonly string[] }] } };
  };
}

it('prints a Job that is valid and whose pods build the whole fleet', async () => {
  const targets = ['*/api', '*/file'];
  const [{ directory }, single] = ['job', 'single'].map((name) => createFleetProject(join(place, name))) as [
    ReturnType<typeof createFleetProject>,
    ReturnType<typeof createFleetProject>,
  ];
  const words = [
    'fleet',
    'job',
    '--image',
    'registry.example.com/kurel:1.0.0',
    '--shards',
    '3',
    '--claim',
    'repository',
  ];
  const { stdout } = await runProgram([...words, ...targets], { workingDirectory: directory });
  writeFileSync(join(directory, 'job.yaml'), stdout);
  const claim = ['--accept', 'reference-missing=job/kurel-fleet'];
  const validation = await runProgram(['validate', 'job.yaml', '--strict', ...claim], { workingDirectory: directory });
  expect(validation).toMatchObject({ exitCode: 0 });
  const { spec } = parse(stdout) as Job;
  const [{ args }] = spec.template.spec.containers;
  // As Kubernetes does.
  const expand = (word: string, index: number): string =>
    word.replaceAll(/\$\$|\$\(JOB_COMPLETION_INDEX\)/g, (text) => (text === '$$' ? '$' : `${index}`));
  for (let index = 0; index < spec.completions; index++) {
    const own = args.map((word) => expand(word, index));
    expect((await runProgram(own, { workingDirectory: directory })).exitCode).toBe(0);
  }
  const expected = await runProgram(['fleet', 'build', ...targets], { workingDirectory: single.directory });
  const reports = [0, 1, 2].map((index) => `reports/${index}.json`);
  expect(await runProgram(['fleet', 'report', ...reports], { workingDirectory: directory })).toEqual(expected);
  expect(readFiles(join(directory, 'rendered'))).toEqual(readFiles(join(single.directory, 'rendered')));
});

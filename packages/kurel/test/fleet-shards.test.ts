import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createFleetProject, readFiles } from './fleet-project.ts';
import type { FleetProject } from './fleet-project.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-shards-'));
const patterns = ['*/web', '*/hello', '*/api', '*/file'];
const record = '.kurel.fleet.outputs';

async function fleet(directory: string, ...words: readonly string[]): Promise<ProgramOutcome> {
  return runProgram(['fleet', ...words], { workingDirectory: directory });
}

async function list(directory: string, ...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await fleet(directory, 'list', '--format', 'json', ...words);
  const { targets } = JSON.parse(stdout) as { readonly targets: readonly { readonly name: string }[] };
  return targets.map(({ name }) => name);
}

/** The files that a run wrote, without the sources. */
function outputsOf(directory: string): Readonly<Record<string, string>> {
  const isOutput = ([path]: readonly [string, string]): boolean => path.startsWith('rendered/') || path === record;
  return Object.fromEntries(Object.entries(readFiles(directory)).filter(isOutput));
}

let single: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  const { directory } = createFleetProject(join(place, 'single'));
  const { exitCode } = await fleet(directory, 'build', ...patterns);
  expect(exitCode).toBe(0);
  single = outputsOf(directory);
}, 60_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe('--shard', () => {
  it.each([1, 2, 7])('writes disjoint directories that together are those of one run, for %i shards', async (count) => {
    const union: Record<string, string> = {};
    for (let index = 1; index <= count; index++) {
      // Each shard has a checkout of its own, as on another machine.
      const { directory } = createFleetProject(join(place, `${index}-of-${count}`));
      const { exitCode } = await fleet(directory, 'build', ...patterns, '--shard', `${index}/${count}`);
      expect(exitCode).toBe(0);
      const { [record]: own, ...files } = outputsOf(directory);
      expect(own).toBe(single[record]);
      expect(Object.keys(files).filter((path) => path in union)).toEqual([]);
      Object.assign(union, files);
    }
    expect({ ...union, [record]: single[record] }).toEqual(single);
  });

  it('writes the same when all shards share a directory', async () => {
    const { directory } = createFleetProject(join(place, 'shared'));
    // A Job counts from 0.
    const runs = [0, 1, 2].map((index) => fleet(directory, 'build', ...patterns, '--shard', `${index}/3`));
    expect((await Promise.all(runs)).map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(outputsOf(directory)).toEqual(single);
  });

  it('combines with names, and is the same for every action', async () => {
    const { directory } = createFleetProject(join(place, 'names'));
    const all = await list(directory);
    const first = await list(directory, '--shard', '1/2');
    const second = await list(directory, '--shard', '2/2');
    expect([...first, ...second].toSorted()).toEqual(all.toSorted());
    expect(await list(directory, '--shard', '0/2')).toEqual(second);
    const web = await list(directory, '*/web', '--shard', '1/2');
    expect(web).toEqual(first.filter((name) => name.endsWith('/web')));
    const { stdout } = await fleet(directory, 'validate', '*/web', '--shard', '1/2');
    expect(stdout).toBe(`${web.length} targets: ${web.length} valid\n`);
  });

  /** A fleet from which the targets of api were removed after they were built. */
  async function createShrunk(name: string): Promise<FleetProject> {
    const project = createFleetProject(join(place, name));
    await fleet(project.directory, 'build', '*/web', '*/api');
    const text = project
      .read('kurel.fleet.yaml')
      .replace('- applications: [hello, api, file]\n', '')
      .replace(/- applications: \[chart[^]*$/, '')
      .replaceAll(/^ {4}(?:hello|api|file|chart|kustomize): .*\n/gm, '');
    project.write('kurel.fleet.yaml', text);
    return project;
  }

  it('removes the same when all shards do it in one directory at the same time', async () => {
    const [single, shared] = [await createShrunk('single-pruned'), await createShrunk('shared-pruned')];
    await fleet(single.directory, 'build', '--prune');
    const runs = [0, 1, 2].map((index) => fleet(shared.directory, 'build', '--prune', '--shard', `${index}/3`));
    expect((await Promise.all(runs)).map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(outputsOf(shared.directory)).toEqual(outputsOf(single.directory));
  });

  it('reports and removes the outputs of a removed target in the shard that it was in', async () => {
    const { directory, read } = await createShrunk('removed');
    const reported: (readonly string[])[] = [];
    for (const shard of ['1/2', '2/2']) {
      const { stderr, exitCode } = await fleet(directory, 'build', '--check', '--shard', shard);
      reported.push(Array.from(stderr.matchAll(/is the output of "(.*?)"/g), ([, name]) => name!));
      expect(exitCode).toBe(1);
    }
    expect(reported.flat().toSorted()).toEqual(['c0/api', 'c1/api', 'c2/api', 'c3/api', 'c4/api']);
    expect(reported.every((names) => names.length > 0)).toBe(true);
    await fleet(directory, 'build', '--prune', '--shard', '1/2');
    const left = (): readonly string[] => [
      ...new Set(Object.keys(outputsOf(directory)).flatMap((path) => /^rendered\/(c\d\/api)\//.exec(path)?.[1] ?? [])),
    ];
    expect(left()).toEqual(reported[1]);
    await fleet(directory, 'build', '--prune', '--shard', '2/2');
    expect(left()).toEqual([]);
    expect(Object.keys((JSON.parse(read(record)) as { readonly outputs: object }).outputs)).toHaveLength(5);
  });
});

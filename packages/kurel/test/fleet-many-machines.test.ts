import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { startCacheServer } from './cache-server.ts';
import type { CacheServer } from './cache-server.ts';
import { createFleetProject, readFiles } from './fleet-project.ts';
import { spawnProgram } from './kurel-program.ts';
import { toolFile } from './render-case.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-machines-'));
afterAll(() => rmSync(place, { recursive: true, force: true }), 60_000);

// All forms; the tests of each program fail where it is missing and must not be.
const forms = ['web', 'hello', 'api', 'file'];
if (existsSync(toolFile('helm'))) forms.push('chart');
if (existsSync(toolFile('kustomize'))) forms.push('kustomize');
const patterns = forms.map((name) => `*/${name}`);

let machines = 0;

interface Machine extends ProgramOutcome {
  readonly files: Readonly<Record<string, string>>;
}

/** Builds in a new checkout on a machine that has never built anything. */
async function build(
  words: readonly string[],
  after?: (directory: string) => Promise<void>,
  run: typeof spawnProgram = runProgram,
): Promise<Machine> {
  machines += 1;
  const { directory } = createFleetProject(join(place, `machine-${machines}`));
  const variables = { PATH: process.env['PATH'], KUREL_CACHE_KEY: 'a key that all machines share' };
  const all = ['fleet', 'build', ...patterns, ...words];
  const outcome = await run(all, { workingDirectory: directory, variables, stdin: '' });
  const isOutput = ([path]: readonly [string, string]): boolean =>
    path.startsWith('rendered/') || path === '.kurel.fleet.outputs';
  const files = Object.fromEntries(Object.entries(readFiles(directory)).filter(isOutput));
  await after?.(directory);
  rmSync(directory, { recursive: true });
  return { ...outcome, files };
}

/** Builds each shard on its own machine; the files of all of them, and their report. */
async function buildShards(count: number, words: readonly string[]): Promise<Machine> {
  const files: Record<string, string> = {};
  const reports: string[] = [];
  let report: ProgramOutcome | undefined;
  for (let index = 1; index <= count; index += 1) {
    reports.push(join(place, `report-${index}.json`));
    const shard = ['--shard', `${index}/${count}`, '--report', reports.at(-1)!];
    const merge = async (directory: string): Promise<void> => {
      report = await runProgram(['fleet', 'report', ...reports], { workingDirectory: directory });
    };
    const outcome = await build([...shard, ...words], index === count ? merge : undefined);
    expect(outcome.exitCode).toBe(0);
    for (const [path, text] of Object.entries(outcome.files)) {
      // All of them write the same record.
      expect(files[path] ?? text).toBe(text);
      files[path] = text;
    }
  }
  return { ...report!, files };
}

function withoutRemark({ stderr, ...rest }: Machine): Machine {
  return { ...rest, stderr: stderr.replace(/; \d+ from the cache\n$/, '\n') };
}

/** Every answer is that of the next entry. */
function swap({ entries }: CacheServer, area: string): void {
  const paths = [...entries.keys()].filter((path) => path.startsWith(area));
  const contents = paths.map((path) => entries.get(path)!);
  for (const [index, path] of paths.entries()) entries.set(path, contents[(index + 1) % contents.length]!);
}

function corrupt({ entries }: CacheServer): void {
  for (const [path, bytes] of entries) {
    const changed = Buffer.from(bytes);
    changed[changed.length >> 1]! ^= 1;
    entries.set(path, changed);
  }
}

const states: readonly (readonly [name: string, prepare: (server: CacheServer) => void, isNoticed: boolean])[] = [
  ['cold', () => undefined, false],
  ['warm', () => undefined, false],
  ['corrupt', corrupt, true],
  ['repaired', () => undefined, false],
  ['lying about results', (server) => swap(server, '/ac/'), true],
  ['lying about content', (server) => swap(server, '/cas/'), true],
];

describe('machines that share a fleet write what one machine writes', { tags: 'slow' }, () => {
  it.each([1, 2, 7])(
    'as %i shards, with every kind of cache and without one',
    async (count) => {
      const single = await build([]);
      expect(single.exitCode).toBe(0);
      expect(await buildShards(count, [])).toEqual(single);
      const server = await startCacheServer();
      for (const [state, prepare, isNoticed] of states) {
        prepare(server);
        const machine = await buildShards(count, ['--cache', server.url]);
        expect(machine.files, state).toEqual(single.files);
        if (isNoticed) expect(machine.stderr, state).toContain('an entry of the cache was not used');
        else expect(withoutRemark(machine), state).toEqual(single);
        const isWarm = state === 'warm' || state === 'repaired';
        if (isWarm) expect(machine.stderr).toMatch(/(\d+) targets: \1 built; \1 from the cache\n$/);
      }
      await server.stop();
    },
    240_000,
  );

  it('in several processes, with a cache', async () => {
    const single = await build([]);
    const server = await startCacheServer();
    for (const state of ['cold', 'warm']) {
      // Like a shell: keys and credentials reach the processes through the environment alone.
      const machine = await build(['--cache', server.url, '--jobs', '3'], undefined, spawnProgram);
      expect(withoutRemark(machine), state).toEqual(single);
      expect(machine.stderr.includes('from the cache')).toBe(state === 'warm');
    }
    await server.stop();
  }, 120_000);
});

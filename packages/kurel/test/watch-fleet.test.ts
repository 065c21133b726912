import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Environment, WorkerProcess } from '../src/cli/environment.ts';
import { startFakeWorker } from './fake-worker.ts';
import { readFiles } from './fleet-project.ts';
import { openCase } from './golden-case.ts';
import { runProgram } from './run-program.ts';
import { repository } from './source-tree.ts';
import { startWatch } from './start-watch.ts';
import type { StartedWatch } from './start-watch.ts';

let place = '';
let directory = '';
let watch: StartedWatch | undefined;
beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'kurel-watch-fleet-'));
  directory = join(place, 'project');
  openCase(join(repository, 'packages', 'kurel', 'test', 'fixtures', 'fleet')).copyTo(directory);
  write('kurel.fleet.yaml', fleet('berlin', 'paris'));
  mkdirSync(join(directory, 'docs'));
  // Files that were written just before they are read are read once more.
  await new Promise((resolve) => setTimeout(resolve, 100));
});
afterEach(async () => {
  await watch?.end();
  watch = undefined;
  rmSync(place, { recursive: true, force: true });
});

function fleet(...clusters: readonly string[]): string {
  return `apiVersion: launcher.gokure.dev/v1alpha1
kind: Fleet
spec:
  defaults:
    output: rendered/{cluster}/{app}
  clusters: {${clusters.map((name) => `${name}: {}`).join(', ')}}
  applications:
    web: {package: apps/web, profile: "clusters/{cluster}/profile.yaml", values: ["clusters/{cluster}/values.yaml"], optionalValues: ["clusters/{cluster}/extra.yaml"]}
    api: {package: apps/api}
  matrix: [{}]
`;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), text);
}

function read(path: string): string {
  return readFileSync(join(directory, path), 'utf8');
}

function start(
  words: readonly string[],
  workingDirectory = directory,
  options: Partial<Environment> = {},
): StartedWatch {
  const variables = { PATH: process.env['PATH'], XDG_CACHE_HOME: join(place, 'cache') };
  watch = startWatch(['fleet', ...words], { workingDirectory, variables, ...options });
  return watch;
}

/** Waits for the report of the next run, which is all that it printed. */
function reportsOf({ until, runs, stdout, stderr }: StartedWatch): () => Promise<string> {
  let [count, from] = [0, [0, 0] as [number, number]];
  return async () => {
    count += 1;
    await until(() => runs() >= count && stderr().endsWith('\n'));
    const report = stdout().slice(from[0]) + stderr().slice(from[1]);
    from = [stdout().length, stderr().length];
    return report.replaceAll(/\d\d:\d\d:\d\d | in \d+ ms/g, '');
  };
}

describe.each<[string, readonly string[], string]>([
  ['beside the fleet file', [], 'project'],
  ['in a subdirectory', [], 'project/docs'],
  ['outside', ['--fleet', 'project/kurel.fleet.yaml'], '.'],
])('fleet build --watch %s', (_, flags, from) => {
  it('builds what a change affects, and leaves outputs alone while a file is broken', async () => {
    const started = start(['build', ...flags], join(place, from));
    const next = reportsOf(started);
    expect(await next()).toMatch(/^4 targets: 4 built\ndone\n/);
    expect(started.stderr()).toMatch(/\nwatching \d+ files and \d+ director(?:y|ies); Ctrl-C ends\n/);

    write('clusters/paris/values.yaml', 'domain: paris.example.org\n');
    expect(await next()).toMatch(/values\.yaml changed\n4 targets: 1 built, 3 up to date\n/);
    expect(JSON.stringify(readFiles(join(directory, 'rendered/paris/web')))).toContain('paris.example.org');

    const before = readFiles(join(directory, 'rendered'));
    write('apps/web/app.yaml', read('apps/web/app.yaml').replace('port: 8080', 'port: ['));
    expect(await next()).toMatch(/^error\[yaml-[^]*4 targets: 2 failed, 2 up to date\nfailed\n/m);
    expect(readFiles(join(directory, 'rendered'))).toEqual(before);

    write('apps/web/app.yaml', read('apps/web/app.yaml').replace('port: [', 'port: 8081'));
    expect(await next()).toMatch(/app\.yaml changed\n4 targets: 2 built, 2 up to date\n/);

    write('clusters/berlin/extra.yaml', 'replicas: 3\n');
    expect(await next()).toMatch(/extra\.yaml is new\n4 targets: 1 built, 3 up to date\n/);
    rmSync(join(directory, 'clusters/berlin/extra.yaml'));
    expect(await next()).toMatch(/extra\.yaml is gone\n4 targets: 1 built, 3 up to date\n/);

    write('kurel.fleet.yaml', fleet('berlin', 'paris', 'oslo'));
    // The target that needs neither profile nor values is built.
    const summary = /^error\[fleet-path-missing\][^]*\n6 targets: 1 failed, 1 built, 4 up to date\nfailed\n$/m;
    expect(await next()).toMatch(summary);
    write('clusters/oslo/profile.yaml', read('clusters/paris/profile.yaml'));
    expect(await next()).toMatch(/\n6 targets: 1 failed, 5 up to date\nfailed\n$/);
    write('clusters/oslo/values.yaml', read('clusters/paris/values.yaml'));
    expect(await next()).toMatch(/6 targets: 1 built, 5 up to date\ndone\n$/);
    expect(Object.keys(readFiles(join(directory, 'rendered/oslo/web')))).toContain('.kurel-inventory');

    write('kurel.fleet.yaml', 'kind: [\n');
    expect(await next()).toMatch(/^error\[yaml-unclosed-bracket\]/m);
    rmSync(join(directory, 'kurel.fleet.yaml'));
    await started.until(() => /cannot read the fleet file|no kurel\.fleet\.yaml/.test(started.stderr()));
    write('kurel.fleet.yaml', fleet('berlin'));
    expect(await next()).toMatch(/^warning\[fleet-output-removed\][^]*2 targets: 2 up to date\n/m);
    expect(await started.end()).toBe(0);
  }, 120_000);
});

describe('fleet --watch', () => {
  it('watches what targets from a cache have read, and finds the targets of an earlier state there', async () => {
    const cache = ['--cache', join(place, 'shared')];
    const workingDirectory = directory;
    await runProgram(['fleet', 'build', ...cache], { workingDirectory });
    rmSync(join(directory, 'rendered'), { recursive: true });
    const values = read('clusters/paris/values.yaml');
    const started = start(['build', ...cache]);
    const next = reportsOf(started);
    expect(await next()).toMatch(/^4 targets: 4 built; 4 from the cache\ndone\n/);
    write('clusters/paris/values.yaml', 'domain: paris.example.org\n');
    expect(await next()).toMatch(/values\.yaml changed\n4 targets: 1 built, 3 up to date\n/);
    write('clusters/paris/values.yaml', values);
    expect(await next()).toMatch(/values\.yaml changed\n4 targets: 1 built, 3 up to date; 1 from the cache\n/);
    expect(await started.end()).toBe(0);
  }, 60_000);

  it.each<[string, readonly string[], RegExp, RegExp]>([
    ['validate', ['validate'], /4 targets: 4 valid\n/, /changed\n[^]*done\n/],
    ['list', ['list', '--explain', 'paris/web'], /values: clusters\/paris\/values.yaml /, /unreachable/],
    ['images', ['images'], /web:1\.4\.0\n/, /web:1\.4\.0\n/],
    [
      'explain',
      ['explain', 'paris/web', 'ingress.web-ingress', 'host'],
      /"web\.paris\.example\.com"/,
      /"web\.paris\.example\.org"/,
    ],
  ])(
    'runs %s again',
    async (_, words, first, second) => {
      const started = start([...words, '--fleet', '../kurel.fleet.yaml'], join(directory, 'docs'));
      const next = reportsOf(started);
      expect(await next()).toMatch(first);
      if (words[0] === 'list') {
        write('clusters/paris/extra.yaml', 'replicas: 3\n');
        expect(await next()).toMatch(/clusters\/paris\/extra\.yaml {2}#/);
        return;
      }
      write('clusters/paris/values.yaml', 'domain: paris.example.org\n');
      expect(await next()).toMatch(second);
    },
    60_000,
  );

  it('notices a change during a run, after the file was read', async () => {
    const outdated = 'domain: paris.example.com\n';
    const current = 'domain: paris.example.org\n';
    const startWorker = (): WorkerProcess =>
      startFakeWorker(directory, {
        onBuilt: () => {
          if (read('clusters/paris/values.yaml') === outdated) write('clusters/paris/values.yaml', current);
        },
      });
    const started = start(['build', '--jobs', '2'], directory, { startWorker });
    expect(await reportsOf(started)()).toMatch(/^4 targets: /);
    const files = JSON.stringify(readFiles(join(directory, 'rendered/paris/web')));
    expect(files).toContain('web.paris.example.org');
    expect(files).not.toContain('web.paris.example.com');
  }, 60_000);

  it('refuses --check, whose report would be out of date at once', async () => {
    const started = start(['build', '--check']);
    await expect(started.until(() => false)).rejects.toThrow('--check and --watch are mutually exclusive');
    expect(await started.end()).toBe(2);
  });
});

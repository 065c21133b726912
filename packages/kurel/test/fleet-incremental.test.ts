import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createFleetProject, readFiles } from './fleet-project.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-state-'));
const { directory, read, write } = createFleetProject(join(place, 'project'));
// Charts and kustomizations are covered by the last test.
const patterns = ['*/web', '*/hello', '*/api', '*/file'];

async function build(...words: readonly string[]): Promise<ProgramOutcome> {
  const variables = { PATH: process.env['PATH'], XDG_CACHE_HOME: join(place, 'cache') };
  return runProgram(['fleet', 'build', ...words], { workingDirectory: directory, variables });
}

async function summary(...words: readonly string[]): Promise<string> {
  const { stderr } = await build(...(words.length === 0 ? patterns : words));
  return stderr.trimEnd().split('\n').at(-1)!;
}

beforeAll(async () => {
  await build(...patterns);
}, 60_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe('a second run', () => {
  it('builds nothing', async () => {
    expect(await summary()).toBe('20 targets: 20 up to date');
  });

  it('repeats the warnings', async () => {
    const warning = (text: string): string => text.slice(0, text.indexOf('20 targets'));
    const { stderr: kept } = await build(...patterns);
    const { stderr: fresh } = await build(...patterns, '--no-cache');
    expect(warning(kept)).toBe(warning(fresh));
    expect(kept).toMatch(/^warning\[reference-missing\][^]* 12 \| {11}envFrom/);
  });

  it.each<[string, () => void, string]>([
    ['a values file', () => write('clusters/c1/values.yaml', 'domain: other.example.com\n'), '1 built, 19 up to date'],
    ['a comment in one', () => append('clusters/c1/values.yaml', '# c\n'), '1 built without changes, 19 up to date'],
    ['a profile', () => append('clusters/c2/profile.yaml', '# c\n'), '1 built without changes, 19 up to date'],
    ['the policy', () => append('policy.yaml', '# c\n'), '5 built without changes, 15 up to date'],
    ['a manifest', () => append('apps/file.yaml', '# c\n'), '5 built, 15 up to date'],
    ['a new file', () => write('apps/api/new.yaml', configMap), '5 built, 15 up to date'],
    ['a removed file', () => rmSync(join(directory, 'apps/api/new.yaml')), '5 built, 15 up to date'],
    [
      'a local extension',
      () => write('apps/hello.local.kurel/parameters.yaml', 'replicas: 9\n'),
      '5 built without changes',
    ],
    ['a comment in the fleet file', () => append('kurel.fleet.yaml', '# c\n'), '20 up to date'],
    [
      'a setting',
      () => change('kurel.fleet.yaml', 'namespace: "{cluster}"', 'namespace: shop'),
      '5 built, 15 up to date',
    ],
    ['a group', () => change('kurel.fleet.yaml', 'replicas: 3', 'replicas: 2'), '10 built, 10 up to date'],
    ['an unrelated file', () => write('readme.md', 'x\n'), '20 up to date'],
  ])('after %s builds what it affects', async (_, edit, expected) => {
    edit();
    expect(await summary()).toContain(`20 targets: ${expected}`);
    expect(await summary()).toBe('20 targets: 20 up to date');
  });

  it('writes outputs again that were edited or deleted', async () => {
    const path = 'rendered/c0/api/configmap-api-shop.yaml';
    const text = read(path);
    append(path, '# edited\n');
    rmSync(join(directory, 'rendered/c4/api/configmap-api-shop.yaml'));
    expect(await summary()).toBe('20 targets: 2 built, 18 up to date');
    expect(read(path)).toBe(text);
  });

  it('checks the content of outputs', async () => {
    const path = 'rendered/c2/api/configmap-api-shop.yaml';
    const text = read(path);
    expect(await summary('--check', ...patterns)).toBe('20 targets: 20 up to date');
    // Of the same size, so that only the content differs.
    write(path, text.replace('info', 'warn'));
    const { stdout, stderr, exitCode } = await build('--check', ...patterns);
    expect(stdout).toContain('-  level: warn\n+  level: info\n');
    expect(stderr).toMatch(/\n20 targets: 1 failed, 19 up to date\n$/);
    expect(exitCode).toBe(1);
    write(path, text);
    expect(await summary('--check', ...patterns)).toBe('20 targets: 20 up to date');
    append('policy.yaml', '# check\n');
    expect(await summary('--check', ...patterns)).toBe('20 targets: 20 up to date');
    // A check does not count as a build.
    expect(await summary()).toMatch(/^20 targets: 6 built without changes/);
  });

  it('builds targets again when flags change', async () => {
    expect(await summary('*/api', '--max-objects', '100')).toBe('5 targets: 5 built without changes');
    expect(await summary('*/api')).toBe('5 targets: 5 built without changes');
  });

  it('builds targets again that failed', async () => {
    const text = read('clusters/c0/values.yaml');
    write('clusters/c0/values.yaml', 'domian: x\n');
    expect(await summary()).toBe('20 targets: 1 failed, 19 up to date');
    expect(await summary()).toBe('20 targets: 1 failed, 19 up to date');
    write('clusters/c0/values.yaml', text);
    expect(await summary()).toBe('20 targets: 1 built without changes, 19 up to date');
  });

  it('does not forget targets that a run of some of them leaves out', async () => {
    append('clusters/c3/values.yaml', '# c\n');
    expect(await summary('c3/web')).toBe('1 target: 1 built without changes');
    expect(await summary()).toBe('20 targets: 20 up to date');
  });

  it('replaces the files of another layout that it has written itself', async () => {
    const file = Object.keys(readFiles(join(directory, 'rendered/c4/api'))).find((path) => path.endsWith('.yaml'))!;
    append(`rendered/c4/api/${file}`, '# edited\n');
    change('kurel.fleet.yaml', 'api: {', 'api: {layout: stream, ');
    expect(await summary('--check', '*/api')).toBe('5 targets: 5 failed');
    const { stderr, exitCode } = await build('*/api');
    expect(stderr).toMatch(/^warning\[output-edited-file\]: .*c4.* is no longer needed/);
    expect(stderr).toMatch(/\n5 targets: 5 built\n$/);
    expect(exitCode).toBe(0);
    const { '.kurel-inventory': inventory, ...files } = readFiles(join(directory, 'rendered/c0/api'));
    expect(Object.keys(files)).toHaveLength(1);
    expect(inventory).toContain('"layout": "stream"');
    expect(Object.keys(readFiles(join(directory, 'rendered/c4/api')))).toContain(file);
    rmSync(join(directory, 'rendered/c4/api', file));
    change('kurel.fleet.yaml', 'api: {layout: stream, ', 'api: {');
    expect(await summary('*/api')).toBe('5 targets: 5 built');
  });

  it('does not replace those of another build', async () => {
    const words = ['build', 'apps/api', '--namespace', 'shop', '--layout', 'by-kind', '-o', 'rendered/c0/other/'];
    await runProgram(words, { workingDirectory: directory });
    const before = readFiles(join(directory, 'rendered/c0/other'));
    const added = '\n  targets:\n    - {name: other, package: apps/api, output: rendered/c0/other}\n';
    const fleet = read('kurel.fleet.yaml');
    write('kurel.fleet.yaml', `${fleet.trimEnd()}${added}`);
    for (let run = 0; run < 2; run += 1) {
      const { stderr, exitCode } = await build('other');
      expect(stderr).toMatch(/^error\[output-other-layout\]: .*"by-kind", not "flat"\n/);
      expect(exitCode).toBe(1);
      expect(readFiles(join(directory, 'rendered/c0/other'))).toEqual(before);
    }
    write('kurel.fleet.yaml', fleet);
  });

  it('takes over the files of a package without a name that was moved', async () => {
    const fleet = read('kurel.fleet.yaml');
    const before = readFiles(join(directory, 'rendered/c0/api'));
    cpSync(join(directory, 'apps/api'), join(directory, 'apps/moved'), { recursive: true });
    change('kurel.fleet.yaml', 'package: apps/api', 'package: apps/moved');
    expect((await build('c0/api', '--check')).stderr).toMatch(
      /^error\[output-owner-stale\]: "[^"]*rendered\/c0\/api" contains files of "\.\.\/\.\.\/\.\.\/apps\/api" in layout "flat"/,
    );
    expect(await summary('c0/api')).toBe('1 target: 1 built without changes');
    expect(Object.keys(readFiles(join(directory, 'rendered/c0/api')))).toEqual(Object.keys(before));
    write('kurel.fleet.yaml', fleet);
  });

  it('calls helm and kustomize only when something has changed', { tags: 'slow' }, async () => {
    const words = ['c0/chart', 'c0/kustomize'];
    await build(...words);
    expect(await summary(...words)).toBe('2 targets: 2 up to date');
    append('apps/kustomize/base/deployment.yaml', '# c\n');
    expect(await summary(...words)).toBe('2 targets: 1 built without changes, 1 up to date');
    append('apps/chart/values.yaml', '# c\n');
    expect(await summary(...words)).toBe('2 targets: 1 built without changes, 1 up to date');
  });
});

const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: new}\n';

function append(path: string, text: string): void {
  appendFileSync(join(directory, path), text);
}

function change(path: string, from: string, to: string): void {
  const text = read(path);
  expect(text).toContain(from);
  write(path, text.replace(from, to));
}

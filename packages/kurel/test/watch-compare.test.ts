import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runProgram } from './run-program.ts';
import { startWatch } from './start-watch.ts';
import type { StartedWatch } from './start-watch.ts';

let place = '';
let watch: StartedWatch | undefined;
beforeEach(() => (place = mkdtempSync(join(tmpdir(), 'kurel-watch-'))));
afterEach(async () => {
  await watch?.end();
  watch = undefined;
  rmSync(place, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), text);
}

function configMap(value: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  value: ${value}\n`;
}

function start(words: readonly string[]): StartedWatch {
  watch = startWatch(words, { workingDirectory: place });
  return watch;
}

/** Waits until the last thing on standard output is what a new process would print. */
async function untilFresh(words: readonly string[]): Promise<void> {
  const { stdout } = await runProgram(words, { workingDirectory: place });
  expect(stdout).not.toBe('');
  await watch!.until(() => watch!.stdout().endsWith(stdout));
}

function git(...words: readonly string[]): void {
  const settings = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...settings, ...words], { cwd: place, stdio: 'pipe' });
}

describe('validate --watch', () => {
  it('prints the findings again after every change, and says how long it took', async () => {
    write('a.yaml', configMap('"1"'));
    const words = ['validate', 'a.yaml'];
    const { until, stderr } = start(words);
    await untilFresh(words);
    write('a.yaml', configMap('1'));
    await untilFresh(words);
    expect(watch!.stdout()).toContain('1 error');
    write('a.yaml', configMap('"2"'));
    await untilFresh(words);
    await until(() => /\d\d:\d\d:\d\d a\.yaml changed\nchecked in \d+ ms\n$/.test(stderr()));
  }, 60_000);

  it('watches definitions, schemas and profiles', async () => {
    write('a.yaml', 'apiVersion: x.example.com/v1\nkind: Thing\nmetadata:\n  name: t\nsize: 1\n');
    write('crds/thing.yaml', definition('integer'));
    const words = ['validate', 'a.yaml', '--crds', 'crds'];
    start(words);
    await untilFresh(words);
    write('crds/thing.yaml', definition('string'));
    await untilFresh(words);
    expect(watch!.stdout()).toContain('1 error');
  }, 60_000);

  it('goes on when a document becomes something that can be built', async () => {
    write('p.yaml', 'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Policy\nmetadata:\n  name: p\nspec: {}\n');
    start(['validate', 'p.yaml']);
    await watch!.until(() => watch!.runs() > 0);
    write('p.yaml', configMap('"1"'));
    await untilFresh(['validate', 'p.yaml']);
  }, 60_000);
});

function definition(type: string): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things.x.example.com
spec:
  group: x.example.com
  names: {kind: Thing, plural: things, singular: thing, listKind: ThingList}
  scope: Cluster
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            size: {type: ${type}}
`;
}

describe('diff --watch', () => {
  it('shows the difference again, of files and of a revision that stays', async () => {
    git('init', '--quiet', '--initial-branch=main');
    write('a.yaml', configMap('"1"'));
    git('add', '--all');
    git('commit', '--quiet', '--message', 'one');
    const words = ['diff', 'main:a.yaml', 'a.yaml'];
    const { until, stdout, stderr } = start(words);
    await until(() => stdout() === 'no differences in 1 object\n');
    write('a.yaml', configMap('"2"'));
    await untilFresh(words);
    await until(() => /a\.yaml changed\ncompared in \d+ ms\n$/.test(stderr()));
  }, 60_000);

  it('has nothing to do between two revisions', async () => {
    git('init', '--quiet', '--initial-branch=main');
    write('a.yaml', configMap('"1"'));
    git('add', '--all');
    git('commit', '--quiet', '--message', 'one');
    const { exitCode, stderr } = await runProgram(['diff', 'main:a.yaml', 'HEAD:a.yaml', '--watch'], {
      workingDirectory: place,
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--watch has nothing to watch');
  });

  it('gives one JSON text after another, and nothing else, to programs', async () => {
    write('a.yaml', configMap('"1"'));
    write('b.yaml', configMap('"2"'));
    const { until, stdout, stderr } = start([
      'diff',
      'a.yaml',
      'b.yaml',
      '--format',
      'json',
      '--message-format',
      'json',
    ]);
    const texts = (): readonly string[] =>
      stdout()
        .split(/(?<=^\})\n/m)
        .filter((text) => text !== '');
    await until(() => texts().length > 0);
    write('b.yaml', configMap('"1"'));
    await until(() => texts().length > 1);
    const counts = texts().map((text) => (JSON.parse(text) as { objects: unknown[] }).objects.length);
    expect([counts[0], counts.at(-1)]).toEqual([1, 0]);
    expect(stderr()).not.toContain('watching');
  }, 60_000);
});

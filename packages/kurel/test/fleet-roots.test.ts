import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { refuseOutput } from '../src/cli/fleet/output-limits.ts';
import { openOutputRoots } from '../src/host/index.ts';
import { runProgram } from './run-program.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-roots-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

let count = 0;

interface Project {
  readonly output: string;
  /** Links in the repository, and what they point to. */
  readonly links?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly git?: 'directory' | 'file' | 'none';
}

/** A repository with a fleet of one target, beside a directory that does not belong to it. */
function createProject({ output, links = {}, files = {}, git = 'directory' }: Project) {
  const around = join(place, `${count++}`);
  const repository = join(around, 'repository');
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  };
  write('app/app.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app}\ndata: {a: b}\n');
  write(
    'fleet/kurel.fleet.yaml',
    'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Fleet\nspec:\n  targets:\n' +
      `    - {name: app, package: ../app, output: ${JSON.stringify(output)}}\n`,
  );
  if (git === 'directory') write('.git/hooks/README', '');
  if (git === 'file') {
    write('.git', 'gitdir: gitdata\n');
    write('gitdata/HEAD', '');
  }
  for (const [path, text] of Object.entries(files)) write(path, text);
  mkdirSync(join(around, 'outside'), { recursive: true });
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    symlinkSync(target, join(repository, path));
  }
  const workingDirectory = join(repository, 'fleet');
  return {
    around,
    repository,
    run: (...words: readonly string[]) =>
      runProgram(['fleet', ...words], { workingDirectory, variables: { PATH: process.env['PATH'] } }),
  };
}

function treeOf(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted();
}

const outside = 'which is outside the repository';
const isOutside = 'is outside the repository';
const inGit = 'is in a directory of git';

describe('an output of a fleet', () => {
  it.each<[name: string, project: Project, message: string]>([
    ['an absolute path', { output: '/nowhere/kurel' }, isOutside],
    ['above the repository', { output: '../../outside/x' }, isOutside],
    ['the parent of the repository', { output: '../..' }, isOutside],
    ['.git', { output: '../.git' }, inGit],
    ['.git/hooks', { output: '../.git/hooks' }, inGit],
    ['.git in another case', { output: '../.GIT/hooks' }, inGit],
    ['.git with an ignored ending', { output: '../.git. /hooks' }, inGit],
    ['.git with an ignored character', { output: '../.g\u200cit/hooks' }, inGit],
    ['the short name of .git', { output: '../GIT~1/hooks' }, inGit],
    ['.git of a submodule', { output: 'module/.git/hooks' }, inGit],
    ['a directory of git with another name', { output: '../gitdata/hooks', git: 'file' }, inGit],
    ['a link to a directory outside', { output: '../out', links: { out: '../outside' } }, outside],
    ['below a link to a directory outside', { output: '../out/x/y', links: { out: '../outside' } }, outside],
    ['a link to nothing outside', { output: '../out', links: { out: '../outside/x/y' } }, outside],
    ['below a link to nothing outside', { output: '../out/x', links: { out: '../outside/x/y' } }, outside],
    ['links to links', { output: '../a', links: { a: 'b/c', 'b/c': '../../outside/x' } }, outside],
    ['a link to .git', { output: '../out', links: { out: '.git/hooks' } }, 'which is in a directory of git'],
    ['outside the directory of a fleet without git', { output: '../out', git: 'none' }, 'is outside the directory of'],
  ])('is refused: %s', async (_, project, message) => {
    const { around, run } = createProject(project);
    const before = treeOf(around);
    for (const words of [['list'], ['build', '--prune', '--no-cache']]) {
      const { exitCode, stdout, stderr } = await run(...words);
      expect([words, exitCode]).toEqual([words, 1]);
      expect(stdout + stderr).toContain('error[fleet-output-outside]: output ');
      expect(stdout + stderr).toContain(message);
      expect(stdout + stderr).toContain('--> kurel.fleet.yaml:5:');
    }
    expect(treeOf(around)).toEqual(before);
    expect(existsSync('/nowhere')).toBe(false);
  });

  it.each<[name: string, project: Project, allowed: readonly string[], file: string]>([
    ['in the repository', { output: '../out' }, [], 'repository/out/'],
    ['a link in the repository', { output: '../a', links: { a: 'b' }, files: { 'b/x': '' } }, [], 'repository/b/'],
    ['a name that only looks like git', { output: '../.github/git' }, [], 'repository/.github/git/'],
    ['in an allowed directory', { output: '../../outside/x' }, ['../../outside'], 'outside/x/'],
    ['the allowed directory', { output: '../../outside/x' }, ['elsewhere', '../../outside/x'], 'outside/x/'],
    ['through a link to an allowed directory', { output: '../o', links: { o: '../outside' } }, ['../o'], 'outside/'],
    ['without git', { output: 'out', git: 'none' }, [], 'repository/fleet/out/'],
  ])('is written: %s', async (_, project, allowed, file) => {
    const { around, run } = createProject(project);
    const flags = allowed.map((path) => `--allow-output=${path}`);
    const { exitCode, stderr } = await run('build', ...flags);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '1 target: 1 built\n' });
    expect(existsSync(join(around, file))).toBe(true);
    const stale = await run('build', '--check', ...flags);
    expect(stale.stderr).toBe('1 target: 1 up to date\n');
  });

  it('is refused by every command', { tags: 'slow' }, async () => {
    const { around, run } = createProject({ output: '../../outside/x' });
    const before = treeOf(around);
    for (const words of [
      ['validate'],
      ['build', '--check'],
      ['images'],
      ['paths'],
      ['explain', 'app', 'configmap.app', 'data.a'],
    ]) {
      const { exitCode, stdout, stderr } = await run(...words);
      expect([words, exitCode]).toEqual([words, 1]);
      expect(stdout + stderr).toContain('error[fleet-output-outside]');
      const allowed = await run(...words, '--allow-output=../../outside');
      expect(allowed.stdout + allowed.stderr).not.toContain('fleet-output-outside');
    }
    expect(treeOf(around)).toEqual(before);
  });

  it('in .git of an allowed directory is refused', async () => {
    const { run } = createProject({ output: '../../outside/.git/hooks' });
    expect((await run('build', '--allow-output=../../outside')).stderr).toContain(inGit);
  });

  it('is not chosen with an empty flag', async () => {
    const { exitCode, stderr } = await createProject({ output: '../out' }).run('build', '--allow-output=');
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toContain('--allow-output is empty');
  });
});

describe('a link that is created after the fleet file was read', () => {
  it('is seen right before files are written', () => {
    const { around, repository } = createProject({ output: '../out' });
    const directory = join(repository, 'fleet');
    const roots = openOutputRoots(directory, []);
    const lists = { values: [], set: [], patches: [], enable: [], crds: [], accept: [] };
    const settings = { package: '../app', output: '../out', contentHash: false, strict: false, ...lists };
    const target = { name: 'app', path: ['spec', 'targets', 0], settings, origins: {}, levels: [] };
    const context = { directory, roots, fleet: { source: { path: 'kurel.fleet.yaml', text: '' } } };
    expect(refuseOutput(target, context)).toEqual([]);
    symlinkSync(join(around, 'outside'), join(repository, 'out'));
    expect(refuseOutput(target, context).map(({ code }) => code)).toEqual(['fleet-output-outside']);
  });
});

/** What kurel would leave in a directory for a target that is gone. */
const inventory = (owner: string): string =>
  JSON.stringify({
    version: 3,
    owners: [{ instance: owner, layout: 'flat', files: { 'a.yaml': `sha256:${'0'.repeat(64)}` } }],
  });

describe('the record of outputs', () => {
  it('does not decide what --prune deletes', async () => {
    const { around, run } = createProject({
      output: '../out',
      files: {
        'fleet/.kurel.fleet.outputs': JSON.stringify({
          version: 1,
          outputs: { '../../outside': 'a', '../.git/hooks': 'b', [place]: 'c', '../gone': 'd' },
        }),
        '../outside/.kurel-inventory': inventory('a'),
        '../outside/a.yaml': 'kept',
        '.git/hooks/.kurel-inventory': inventory('b'),
        'gone/.kurel-inventory': inventory('d'),
      },
    });
    const before = treeOf(join(around, 'outside'));
    const { exitCode, stderr } = await run('build', '--prune');
    expect(exitCode).toBe(1);
    expect(stderr.match(/^error\[fleet-output-outside\]: removed output .*$/gm)).toHaveLength(3);
    expect(stderr).toContain('1 output removed');
    expect(treeOf(join(around, 'outside'))).toEqual(before);
    expect(existsSync(join(around, 'repository/.git/hooks/.kurel-inventory'))).toBe(true);
    expect(existsSync(join(around, 'repository/gone'))).toBe(false);
    const later = await run('build');
    expect(later.exitCode).toBe(0);
    expect(later.stderr).toContain('warning[fleet-output-outside]: removed output');
  });

  it.each(['../../outside/file', '../.git/hooks/pre-commit'])('is not written through a link to %s', async (target) => {
    const { repository, run } = createProject({ output: '../out', links: { 'fleet/.kurel.fleet.outputs': target } });
    const { exitCode, stderr } = await run('build');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('error[fleet-output-outside]: record ".kurel.fleet.outputs" is "');
    expect(lstatSync(join(repository, 'fleet', '.kurel.fleet.outputs')).isSymbolicLink()).toBe(true);
    expect(existsSync(join(repository, 'fleet', target))).toBe(false);
  });
});

describe('--report', () => {
  it('does not follow a link of the repository to a file outside', async () => {
    const links = { 'fleet/reports': '../../outside' };
    const { around, run } = createProject({ output: '../out', links });
    const { exitCode, stderr } = await run('build', '--report=reports/1.json');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('error[fleet-output-outside]: report "reports/1.json" is "');
    expect(treeOf(join(around, 'outside'))).toEqual([]);
    expect((await run('build', '--report=../../outside/1.json')).exitCode).toBe(0);
    expect(treeOf(join(around, 'outside'))).toEqual(['1.json']);
  });
});

describe('kurel fleet job', () => {
  it('passes --allow-output on', async () => {
    const { run } = createProject({ output: '../out' });
    const { stdout } = await run('job', '--image=kurel', '--shards=2', '--claim=w', '--allow-output=../x');
    expect(stdout).toContain('- --allow-output=../x\n');
  });
});

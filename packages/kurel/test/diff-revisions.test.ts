import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';
import { repository } from './source-tree.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-revisions-'));
const examples = join(repository, 'examples');

beforeAll(() => {
  git('init', '--quiet', '--initial-branch=main');
  for (const name of ['chart', 'kustomize', 'packages', 'plain']) {
    cpSync(join(examples, name), join(place, name), { recursive: true });
  }
  cpSync(join(examples, 'applications', 'web'), join(place, 'web'), { recursive: true });
  write('sub/one.yaml', configMap('1'));
  write('sub/two.yaml', configMap('2'));
  write('links/real.yaml', configMap('1'));
  symlinkSync('real.yaml', join(place, 'links', 'near.yaml'));
  write('out/real.yaml', configMap('1'));
  symlinkSync('/etc/hostname', join(place, 'out', 'far.yaml'));
  write('odd:name.yaml', configMap('odd'));
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all');
  git('tag', 'v1');
  git('checkout', '--quiet', '-b', 'feature/next');
  write('sub/one.yaml', configMap('changed'));
  git('commit', '--quiet', '--all', '--message', 'next');
});
afterAll(() => rmSync(place, { recursive: true }));

function git(...args: readonly string[]): void {
  const settings = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...settings, ...args], { cwd: place, stdio: 'pipe' });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), text);
}

function configMap(value: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {v: "${value}"}\n`;
}

async function diff(words: readonly string[], directory = ''): Promise<ProgramOutcome> {
  return await runProgram(['diff', ...words], { workingDirectory: join(place, directory) });
}

const changed = '~ configmap.c  v1\n  ~ data.v: "1" → changed\n\n1 changed\n';

describe('a revision on one side', () => {
  it.each<[string, readonly string[], string, string]>([
    ['a branch', ['main:sub/one.yaml', 'sub/one.yaml'], '', changed],
    ['a tag', ['v1:sub/one.yaml', 'sub/one.yaml'], '', changed],
    ['the commit before', ['HEAD~1:sub/one.yaml', 'HEAD:sub/one.yaml'], '', changed],
    ['a branch with a slash', ['main:sub/one.yaml', 'feature/next:sub/one.yaml'], '', changed],
    ['a pattern', ['main:sub/o*.yaml', 'sub/o*.yaml'], '', changed],
    ['a colon of its own', ['HEAD^{/all}:sub/one.yaml', 'HEAD^{/next}:sub/one.yaml'], '', changed],
    ['from where one is', ['main:./one.yaml', 'one.yaml'], 'sub', changed],
    ['from above where one is', ['main:../sub/one.yaml', 'one.yaml'], 'sub', changed],
    ['from the top, wherever one is', ['main:sub/one.yaml', 'one.yaml'], 'sub', changed],
    ['links that stay in it', ['main:links', 'links'], '', 'no differences in 2 objects\n'],
    ['a path of that name', ['odd:name.yaml', 'main:odd:name.yaml'], '', 'no differences in 1 object\n'],
  ])('%s', async (_, words, directory, expected) => {
    const { stdout, stderr } = await diff(words, directory);
    expect(stdout).toBe(expected);
    expect(stderr.replace(/warning\[object-duplicate[^]*$/, '')).toBe('');
  });

  it.each([
    ['manifests', 'plain', []],
    ['a patch package with its local extension', 'packages/gitea.kurel', []],
    ['the file that marks a package', 'packages/hello.kurel/parameters.yaml', []],
    [
      'an application',
      'web/package',
      ['--profile', 'web/gateway.yaml', '--values', 'web/package/examples/minimal.yaml'],
    ],
    ['a chart', 'chart', ['--set', 'replicas=3']],
    ['a kustomization that leads to another', 'kustomize/overlays/production', []],
  ])('is built as %s', async (_, path, flags) => {
    const { stdout, exitCode } = await diff([`main:${path}`, path, ...flags]);
    expect(stdout).toMatch(/^no differences in \d+ objects\n$/);
    expect(exitCode).toBe(0);
  });

  it('gives files of the platform and values as well', async () => {
    const flags = ['--profile-a', 'v1:web/gateway.yaml', '--profile-b', 'main:web/ingress.yaml'];
    const values = [
      '--values-a',
      'v1:web/package/examples/minimal.yaml',
      '--values-b',
      'web/package/examples/minimal.yaml',
    ];
    const { stdout } = await diff(['web/package', ...flags, ...values, '--format', 'markdown']);
    expect(stdout).toContain('From `web/package with v1:web/gateway.yaml, v1:web/package/examples/minimal.yaml` to');
    expect(stdout).toContain('`+` | `hello/ingress.hello-ingress`');
  });
});

describe('what cannot be read', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['no such revision', ['nope:sub', 'sub'], ['A: cannot read revision "nope": it does not exist']],
    ['no such path', ['main:subb', 'sub'], ['A: "main:subb" does not exist', 'did you mean "main:sub"?']],
    ['no such values', ['chart', '--values-b', 'main:x.yaml'], ['B: cannot read main:x.yaml: not found']],
    ['a flag for git', ['--', '--upload-pack=x:sub', 'sub'], ['cannot read revision "--upload-pack=x"']],
    ['a path that does not exist', ['./main:sub', 'sub'], ['A: "./main:sub" does not exist']],
    ['the index', [':sub', 'sub'], ['cannot read revision ""']],
    ['out of the repository', ['main:../x', 'sub'], ['its path points outside the repository']],
    ['a link out of it', ['main:out/far.yaml', 'sub'], ['main:out/far.yaml: is outside the repository']],
    ['a file on the disk that the revision has not', ['main:new', 'sub'], ['"main:new" does not exist']],
  ])('%s', async (_, words, expected) => {
    const { exitCode, stdout, stderr } = await diff(words);
    for (const text of expected) expect(stderr).toContain(text);
    expect(stderr).not.toMatch(/@git|please report/);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  });

  it('points into the text of the revision', async () => {
    write('broken.yaml', 'kind: [\n');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'broken');
    write('broken.yaml', 'kind: {\n');
    const { stderr } = await diff(['HEAD:broken.yaml', 'broken.yaml']);
    expect(stderr).toContain('--> HEAD:broken.yaml:1:7\n   |\n 1 | kind: [');
    expect(stderr).toContain('--> broken.yaml:1:7\n   |\n 1 | kind: {');
  });

  it('is reported without a repository, and without git', async () => {
    const outside = await runProgram(['diff', 'main:x', 'x'], { workingDirectory: tmpdir() });
    expect(outside.stderr).toContain('cannot read revision "main": the current directory is not in a git repository');
    const without = await runProgram(['diff', 'main:sub', 'sub'], {
      workingDirectory: place,
      variables: { PATH: '/x' },
    });
    expect(without.stderr).toContain('program "git" is not installed or not on PATH');
  });
});

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { diagnosticsOf } from '../diagnostics/index.ts';
import { FileAccessError } from '../model/index.ts';
import type { FileSystem } from '../model/index.ts';
import { type GitRepository, type GitRepositoryOptions, gitRepository } from './git-repository.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-git-'));
const opened: GitRepository[] = [];
afterAll(() => {
  for (const repository of opened) repository.close();
  rmSync(place, { recursive: true });
});

let count = 0;

function git(directory: string, args: readonly string[], input = ''): string {
  const settings = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  const options = { cwd: directory, input, encoding: 'utf8', stdio: 'pipe' } as const;
  return execFileSync('git', [...settings, ...args], options).trim();
}

/** A repository whose only commit has these files; a content that starts with `->` is a link. */
function commit(files: Readonly<Record<string, string | Buffer>>): string {
  const directory = join(place, `repository-${count++}`);
  mkdirSync(directory);
  git(directory, ['init', '--quiet', '--initial-branch=main']);
  for (const [path, text] of Object.entries(files)) {
    const file = join(directory, path);
    mkdirSync(dirname(file), { recursive: true });
    if (typeof text === 'string' && text.startsWith('->')) symlinkSync(text.slice(2), file);
    else writeFileSync(file, text);
  }
  git(directory, ['add', '--all']);
  git(directory, ['commit', '--quiet', '--message', 'all']);
  return directory;
}

function open(directory: string, options: Partial<GitRepositoryOptions> = {}): GitRepository {
  const repository = gitRepository({ environment: process.env, workingDirectory: directory, ...options });
  opened.push(repository);
  return repository;
}

async function filesOf(
  directory: string,
  revision = 'main',
  options: Partial<GitRepositoryOptions> = {},
): Promise<FileSystem> {
  return (await open(directory, options).openRevision(revision)).fileSystem;
}

async function reasonOf(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'none';
  } catch (error) {
    const [finding] = diagnosticsOf(error) ?? [];
    if (finding !== undefined) return `${finding.code}: ${finding.message}`;
    return error instanceof FileAccessError ? `${error.reason}: ${error.message}` : String(error);
  }
}

describe('a revision', () => {
  it('has the files of the commit, without changes of the working tree and filters', async () => {
    const directory = commit({
      'a/b.yaml': 'kind: A\n',
      'a/c/d.yaml': 'x\r\n',
      '.gitattributes': '*.yaml text eol=crlf filter=evil\n',
      bytes: Buffer.from([0, 255, 10]),
    });
    git(directory, ['config', 'filter.evil.smudge', 'touch ran; cat']);
    git(directory, ['config', 'core.fsmonitor', 'touch ran']);
    writeFileSync(join(directory, 'a/b.yaml'), 'kind: Other\n');
    const files = await filesOf(directory);
    expect(await files.readText('a/b.yaml')).toBe('kind: A\n');
    expect(await files.list('')).toEqual([
      { name: '.gitattributes', kind: 'file' },
      { name: 'a', kind: 'directory' },
      { name: 'bytes', kind: 'file' },
    ]);
    expect(await files.list('./a/')).toEqual([
      { name: 'b.yaml', kind: 'file' },
      { name: 'c', kind: 'directory' },
    ]);
    expect(
      await Promise.all(['a', 'a/b.yaml', 'b', 'a/b.yaml/c', ''].map(async (path) => await files.kindOf(path))),
    ).toEqual(['directory', 'file', undefined, undefined, 'directory']);
    expect([...(await files.readBytes!('bytes'))]).toEqual([0, 255, 10]);
    expect(await reasonOf(() => files.readText('bytes'))).toBe('not-utf-8: bytes: is not UTF-8 text');
    expect(await reasonOf(() => files.readText('a'))).toBe('not-a-file: a: is a directory');
    expect(await reasonOf(() => files.readText('x'))).toBe('not-found: x: not found');
    expect(await reasonOf(() => files.list('bytes'))).toBe('not-a-directory: bytes: not a directory');
    expect(existsSync(join(directory, 'ran'))).toBe(false);
  });

  it('has the path of the working directory in the repository', async () => {
    const directory = commit({ 'a/b/c': '' });
    expect((await open(join(directory, 'a', 'b')).openRevision('HEAD')).place).toBe('a/b');
    expect((await open(directory).openRevision('HEAD')).place).toBe('');
  });

  it('can be any name of a commit or tree', { tags: 'slow' }, async () => {
    const directory = commit({ 'a/b': '1' });
    git(directory, ['tag', '--annotate', '--message', 'x', 'v1']);
    const hash = git(directory, ['rev-parse', 'HEAD']);
    for (const revision of ['main', 'v1', 'HEAD', '@', hash, hash.slice(0, 8), 'HEAD^{tree}', 'main@{0}']) {
      expect(await (await filesOf(directory, revision)).readText('a/b')).toBe('1');
    }
    writeFileSync(join(directory, 'a/b'), '2');
    git(directory, ['commit', '--quiet', '--all', '--message', 'two']);
    expect(await (await filesOf(directory, 'HEAD~1')).readText('a/b')).toBe('1');
  });

  it('follows only links inside the repository', async () => {
    const files = await filesOf(
      commit({
        'd/real.yaml': 'x',
        'd/near.yaml': '->real.yaml',
        'd/up.yaml': '->../d/../d/near.yaml',
        whole: '->d',
        out: '->../../etc/passwd',
        absolute: '->/etc/passwd',
        loop: '->loop',
        nowhere: '->d/missing',
      }),
    );
    expect(await files.list('')).toEqual([
      { name: 'absolute', kind: 'other', escapes: true },
      { name: 'd', kind: 'directory' },
      { name: 'loop', kind: 'other' },
      { name: 'nowhere', kind: 'other' },
      { name: 'out', kind: 'other', escapes: true },
      { name: 'whole', kind: 'directory', target: 'd' },
    ]);
    expect(await files.list('whole')).toEqual([
      { name: 'near.yaml', kind: 'file', target: 'real.yaml' },
      { name: 'real.yaml', kind: 'file' },
      { name: 'up.yaml', kind: 'file', target: 'real.yaml' },
    ]);
    expect(await files.readText('whole/up.yaml')).toBe('x');
    expect(await reasonOf(() => files.readText('out'))).toBe('outside-root: out: is outside the repository');
    expect(await reasonOf(() => files.kindOf('../x'))).toBe('outside-root: ../x: is outside the repository');
    expect(await reasonOf(() => files.readText('loop'))).toBe('not-a-file: loop: is not a file');
  });

  it('does not read submodules', async () => {
    const inner = commit({ x: '' });
    const directory = commit({ y: '' });
    const hash = git(inner, ['rev-parse', 'HEAD']);
    git(directory, ['update-index', '--add', '--cacheinfo', `160000,${hash},sub`]);
    git(directory, ['commit', '--quiet', '--message', 'sub']);
    const files = await filesOf(directory);
    expect(await files.kindOf('sub')).toBe('other');
    expect(await reasonOf(() => files.readText('sub'))).toBe(
      'not-a-file: sub: is a submodule, whose files are in another repository',
    );
  });

  it('does not fetch missing objects of a partial clone', async () => {
    const origin = commit({ x: 'text' });
    git(origin, ['config', 'uploadpack.allowFilter', 'true']);
    const clone = join(place, `clone-${count++}`);
    git(place, ['clone', '--quiet', '--no-checkout', '--filter=blob:none', `file://${origin}`, clone]);
    const files = await filesOf(clone);
    expect(await files.kindOf('x')).toBe('file');
    expect(await reasonOf(() => files.readText('x'))).toBe('failed: x: is not part of this clone of the repository');
    expect(git(clone, ['cat-file', '-p', 'HEAD:x'])).toBe('text');
  });

  it('rejects names that git would not create', async () => {
    const directory = commit({ x: 'text' });
    const blob = git(directory, ['rev-parse', 'HEAD:x']);
    const entry = Buffer.concat([Buffer.from('100644 ../y\0'), Buffer.from(blob, 'hex')]);
    writeFileSync(join(directory, 'tree'), entry);
    const tree = git(directory, ['hash-object', '-t', 'tree', '--literally', '-w', 'tree']);
    const files = await filesOf(directory, tree);
    expect(await reasonOf(() => files.list(''))).toBe('failed: : git returned a tree with an invalid entry');
  });

  it('enforces its limits, and continues after one', async () => {
    const directory = commit({ large: 'x'.repeat(2000), small: 'y', other: 'z'.repeat(900) });
    const files = await filesOf(directory, 'main', { maxFileBytes: 1000, maxBytes: 1500 });
    expect(await reasonOf(() => files.readText('large'))).toContain('has 2000 bytes, more than the limit of 1000');
    expect(await files.readText('small')).toBe('y');
    expect(await files.readText('other')).toHaveLength(900);
    expect(await reasonOf(() => files.readText('other'))).toContain('exceeds the limit of 1500 bytes');
  });

  it('reads large files, and many at once', async () => {
    const text = 'line\n'.repeat(500_000);
    const files = await filesOf(commit({ large: text, a: '1', b: '2' }));
    const texts = await Promise.all(['large', 'a', 'b', 'large'].map(async (path) => await files.readText(path)));
    expect(texts).toEqual([text, '1', '2', text]);
  });
});

describe('an invalid revision', () => {
  it('is reported', async () => {
    const directory = commit({ x: '' });
    const reported = (revision: string): Promise<string> => reasonOf(() => open(directory).openRevision(revision));
    for (const revision of ['nonsense', '-x', '--git-dir=/', '', 'HEAD\nHEAD']) {
      expect(await reported(revision)).toContain('revision-unreadable: cannot read revision');
    }
    expect(await reported('nonsense')).toContain('it does not exist in this repository');
    expect(await reasonOf(() => open(tmpdir()).openRevision('HEAD'))).toContain('not in a git repository');
    const none = { environment: { PATH: '/nonexistent' } };
    expect(await reasonOf(() => open(directory, none).openRevision('HEAD'))).toContain(
      'is not installed or not on PATH',
    );
    // Git is not even asked about words that it would take for flags.
    for (const revision of ['-x', '--git-dir=/', '', 'HEAD\nHEAD']) {
      expect(await reasonOf(() => open(directory, none).openRevision(revision))).toContain(
        'it does not exist in this repository',
      );
    }
  });

  it('is a git that hangs or answers nonsense', { tags: 'slow' }, async () => {
    const directory = commit({ x: '' });
    const fake = (script: string, timeoutMs: number): Partial<GitRepositoryOptions> => {
      const tools = join(place, `tools-${count++}`);
      mkdirSync(tools);
      writeFileSync(join(tools, 'git'), `#!/bin/sh\n${script}\n`);
      chmodSync(join(tools, 'git'), 0o755);
      return { environment: { KUREL_TOOLS: tools, PATH: process.env['PATH'] }, timeoutMs };
    };
    const answer = `case "$*" in *rev-parse*) printf '\\n${'0'.repeat(40)}\\n'; exit;; esac`;
    const hangs = fake('sleep 60', 500);
    expect(await reasonOf(() => open(directory, hangs).openRevision('HEAD'))).toContain('did not finish within 0.5 s');
    const silent = await filesOf(directory, 'HEAD', fake(`${answer}; sleep 60`, 3000));
    expect(await reasonOf(() => silent.readText('x'))).toContain('git did not answer within 3 s');
    const ended = await filesOf(directory, 'HEAD', fake(`${answer}; echo no >&2; exit 3`, 30_000));
    expect(await reasonOf(() => ended.readText('x'))).toContain('git failed: no');
    const babbling = await filesOf(directory, 'HEAD', fake(`${answer}; echo 'x tree 3'; echo abc; sleep 60`, 30_000));
    expect(await reasonOf(() => babbling.readText('x'))).toContain('git returned a broken tree');
  });
});

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { diagnosticsOf } from '../diagnostics/index.ts';
import { rewriteFiles } from './replace-files.ts';

const root = mkdtempSync(join(tmpdir(), 'kurel-test-'));
let place = root;
beforeEach(() => {
  place = mkdtempSync(join(root, 'case-'));
  mkdirSync(join(place, 'sub'));
  for (const name of ['a', 'b', 'sub/c']) writeFileSync(join(place, name), name);
});
afterAll(() => rmSync(root, { recursive: true }));

const rewrites = ['a', 'b', 'sub/c'].map((path) => ({ path, before: path, after: `new ${path}` }));

function tree(): Record<string, string> {
  const names = readdirSync(place, { recursive: true, encoding: 'utf8' }).toSorted();
  const files = names.filter((name) => statSync(join(place, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(place, name), 'utf8')]));
}

function problemsOf(work: () => void): readonly string[] {
  try {
    work();
  } catch (error) {
    return diagnosticsOf(error)!.map(({ code, message }) => `${code}: ${message}`);
  }
  return [];
}

describe('rewriteFiles', () => {
  it('writes all files, keeps permissions, and leaves no other files', () => {
    chmodSync(join(place, 'b'), 0o640);
    rewriteFiles(rewrites, { workingDirectory: place });
    expect(tree()).toEqual({ a: 'new a', b: 'new b', 'sub/c': 'new sub/c' });
    expect(statSync(join(place, 'b')).mode & 0o777).toBe(0o640);
  });

  it('writes nothing through a link that points outside', () => {
    const outside = join(root, 'outside');
    writeFileSync(outside, 'mine');
    symlinkSync(outside, join(place, 'link'));
    const through = { path: 'link', before: 'mine', after: 'theirs' };
    expect(problemsOf(() => rewriteFiles([rewrites[0]!, through], { workingDirectory: place }))).toEqual([
      `file-link-out: link "link" points outside the working directory, to "${realpathSync(outside)}"; nothing was written`,
    ]);
    expect(readFileSync(outside, 'utf8')).toBe('mine');
    expect(tree()['a']).toBe('a');
  });

  it('keeps links and writes their targets', () => {
    symlinkSync('sub/c', join(place, 'link'));
    rewriteFiles([{ path: 'link', before: 'sub/c', after: 'new' }], { workingDirectory: place });
    expect(lstatSync(join(place, 'link')).isSymbolicLink()).toBe(true);
    expect(tree()).toEqual({ a: 'a', b: 'b', link: 'new', 'sub/c': 'new' });
  });

  it.each([1, 2, 3])('restores everything if move %i fails', (failing) => {
    let moves = 0;
    const rename = (from: string, to: string): void => {
      moves += 1;
      if (moves === failing) throw Object.assign(new Error('no'), { code: 'EACCES', syscall: 'rename' });
      renameSync(from, to);
    };
    const path = rewrites[failing - 1]!.path;
    expect(problemsOf(() => rewriteFiles(rewrites, { workingDirectory: place, rename }))).toEqual([
      `output-failed: cannot write "${path}": permission denied`,
    ]);
    expect(tree()).toEqual({ a: 'a', b: 'b', 'sub/c': 'sub/c' });
  });

  it('names the directory of the earlier files if they cannot be restored', () => {
    let moves = 0;
    const rename = (from: string, to: string): void => {
      moves += 1;
      if (moves > 1) throw Object.assign(new Error('no'), { code: 'EACCES', syscall: 'rename' });
      renameSync(from, to);
    };
    const problems = problemsOf(() => rewriteFiles(rewrites, { workingDirectory: place, rename }));
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(['output-failed', 'output-not-restored']);
    const kept = readdirSync(place).find((name) => name.startsWith('.kurel-staging-'))!;
    expect(readFileSync(join(place, kept, 'old-0'), 'utf8')).toBe('a');
  });

  it('writes nothing if a file was changed', () => {
    writeFileSync(join(place, 'sub/c'), 'edited');
    expect(problemsOf(() => rewriteFiles(rewrites, { workingDirectory: place }))).toEqual([
      'file-changed: "sub/c" was changed while kurel was running; nothing was written',
    ]);
    expect(tree()).toEqual({ a: 'a', b: 'b', 'sub/c': 'edited' });
  });

  it('writes nothing if a file was deleted', () => {
    rmSync(join(place, 'b'));
    expect(problemsOf(() => rewriteFiles(rewrites, { workingDirectory: place }))[0]).toMatch(
      /^output-failed: cannot write "b": /,
    );
    expect(tree()).toEqual({ a: 'a', 'sub/c': 'sub/c' });
  });
});

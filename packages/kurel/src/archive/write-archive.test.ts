import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../engine/index.ts';
import type { ArchiveFile } from './read-archive.ts';
import { readArchive } from './read-archive.ts';
import { TarError } from './check-entry-name.ts';
import { writeArchive, writeTar } from './write-archive.ts';

const encoder = new TextEncoder();
const deep = `${'directory/'.repeat(20)}file.yaml`;
const names = ['kurel.yaml', 'resources/web.yaml', 'ä/größe.yaml', '\u{1F600}.md', '\uFF21.md', deep, 'n'.repeat(101)];

function file(path: string, content = `content of ${path}\n`): ArchiveFile {
  return { path, bytes: encoder.encode(content) };
}

function list(files: readonly ArchiveFile[]): readonly (readonly [string, string])[] {
  return files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]);
}

/** Paths that a package can have, some of them long or with characters of other languages. */
const path = fc
  .array(
    fc.oneof(
      fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/),
      fc.stringMatching(/^[a-z]{60,99}$/),
      fc.constantFrom('grün', '日本語', '\u{1F600}'),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.map((part) => `${part}_`).join('/'));
const files = fc.uniqueArray(fc.record({ path, bytes: fc.uint8Array({ maxLength: 1500 }) }), {
  selector: (one) => one.path,
  maxLength: 8,
});

describe('writeArchive', () => {
  it('writes what readArchive reads, in the order of the bytes of the paths', async () => {
    const written = await readArchive(await writeArchive(names.map((name) => file(name))));
    const sorted = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    // By UTF-16 code units, the emoji would come first.
    expect(sorted.slice(-2)).toEqual(['\uFF21.md', '\u{1F600}.md']);
    expect(list(written)).toEqual(sorted.map((name) => [name, `content of ${name}\n`]));
  });

  it('gives the same bytes for any order, and reading gives the same files', async () => {
    await fc.assert(
      fc.asyncProperty(
        files.chain((some) => fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length }))),
        async ([some, shuffled]) => {
          fc.pre(!some.some((one) => some.some((other) => other.path.startsWith(`${one.path}/`))));
          const archive = await writeArchive(some);
          expect(await writeArchive(shuffled)).toEqual(archive);
          const read = new Map((await readArchive(archive)).map((one) => [one.path, Buffer.from(one.bytes)]));
          expect(read).toEqual(new Map(some.map((one) => [one.path, Buffer.from(one.bytes)])));
        },
      ),
    );
  });

  it('compresses as no runtime does, so that digests stay the same', async () => {
    const archive = await writeArchive([
      ...names.map((name) => file(name)),
      file('large.txt', Array.from({ length: 3000 }, (_, line) => `line ${line * 7919}\n`).join('')),
    ]);
    expect(gunzipSync(archive).length).toBeGreaterThan(archive.length);
    // If this changes, every package gets another digest: say so in the changelog.
    expect(sha256(archive)).toMatchInlineSnapshot(`"2748750ce4930c6de71d25b4febbc05e68f62e3e00140986bad20bc8fbbb9847"`);
    expect(sha256(await writeArchive([]))).toMatchInlineSnapshot(
      `"1f2b0e48dc6cd5666cd4e0e2e52d63ff3945e83faba95f7f23f8e0a1fd0cf47d"`,
    );
  });

  it.each<[string, readonly ArchiveFile[], string]>([
    ['paths that point outside', [file('../a')], 'the entry "../a" points outside the archive with ".."'],
    ['absolute paths', [file('/a')], 'the entry "/a" has an absolute name'],
    ['paths with .', [file('./a')], 'the entry "./a" has "." or an empty name in its path'],
    ['directories', [file('a/')], 'the entry "a/" has "." or an empty name in its path'],
    ['paths twice', [file('a'), file('a')], 'duplicate entry "a"'],
    [
      'paths that differ only in case',
      [file('a'), file('A')],
      'the entries "a" and "A" differ only in case or Unicode form',
    ],
    ['names of devices', [file('x/nul.txt')], 'the entry "x/nul.txt" has the name of a Windows device'],
  ])('refuses %s', async (_, some, message) => {
    await expect(writeArchive(some)).rejects.toThrow(new TarError(message));
  });

  it('refuses what readArchive would not read because of its size', async () => {
    const two = [file('a'), file('ä')];
    // The name of the second one is in an entry of its own.
    expect(() => writeTar(two, { maxEntries: 2 })).toThrow(new TarError('it has more than 2 entries'));
    expect(writeTar(two, { maxEntries: 3, maxBytes: 8 * 512 })).toHaveLength(8 * 512);
    const bytes = 1_048_576;
    expect(() => writeTar([{ path: 'a', bytes: new Uint8Array(bytes) }], { maxBytes: bytes })).toThrow(
      new TarError('it has more than 1 MiB of content', 'size'),
    );
  });
});

describe.each(['tar', 'bsdtar'])('%s', (program) => {
  const isInstalled = canRun(program);

  it.skipIf(!isInstalled)('lists and unpacks what writeArchive writes', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'kurel-tar-'));
    try {
      const archive = join(directory, 'package.tgz');
      writeFileSync(archive, await writeArchive(names.map((name) => file(name))));
      const run = (...words: readonly string[]): string =>
        execFileSync(program, words, {
          cwd: directory,
          env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TZ: 'UTC' },
        }).toString();
      const quoting = program === 'tar' ? ['--quoting-style=literal'] : [];
      expect(
        run('-tzf', archive, ...quoting)
          .trimEnd()
          .split('\n')
          .toSorted(),
      ).toEqual(names.toSorted());
      for (const line of run('-tvzf', archive).trimEnd().split('\n')) {
        expect(line).toMatch(/^-rw-r--r--\s+0[\s/]+0\s.*1970/);
      }
      run('-xzf', archive);
      for (const name of names) expect(readFileSync(join(directory, name), 'utf8')).toBe(`content of ${name}\n`);
      expect(readdirSync(directory)).toContain('kurel.yaml');
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

function canRun(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

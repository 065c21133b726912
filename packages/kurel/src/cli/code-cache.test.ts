import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openCodeCache, type CodeCacheOptions } from './load-program.ts';

const userId = process.getuid!();
const code = { data: Uint8Array.from({ length: 1000 }, (_, index) => index % 251), kinds: [12, 70_000] };

describe('the code cache', () => {
  let home = '';
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'kurel-code-'))));
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const open = (options: Partial<CodeCacheOptions> = {}) =>
    openCodeCache({ variables: { XDG_CACHE_HOME: home }, userId, key: 'k', ...options });
  const directory = (): string => join(home, 'kurel');
  const file = (): string => join(directory(), 'main.cjs-k.code');
  const read = (options: Partial<CodeCacheOptions> = {}) => {
    const found = open(options)?.read('main.cjs');
    return found && { data: Uint8Array.from(found.data), kinds: found.kinds };
  };

  it('returns what was written, to the same user only', () => {
    expect(read()).toBeUndefined();
    open()?.write('main.cjs', code);
    expect(read()).toEqual(code);
    expect(readdirSync(directory())).toEqual(['main.cjs-k.code']);
    expect([statSync(directory()).mode & 0o777, statSync(file()).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it('keeps names and keys apart', () => {
    open()?.write('main.cjs', code);
    expect(open()?.read('work.cjs')).toBeUndefined();
    expect(read({ key: 'l' })).toBeUndefined();
  });

  it('replaces what is there', () => {
    open()?.write('main.cjs', code);
    open()?.write('main.cjs', { data: Uint8Array.of(1), kinds: [3] });
    expect(read()).toEqual({ data: Uint8Array.of(1), kinds: [3] });
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['is empty', () => Buffer.alloc(0)],
    ['has lost its end', (bytes) => bytes.subarray(0, -1)],
    ['has lost its second half', (bytes) => bytes.subarray(0, bytes.length / 2)],
    ['has other bytes at the start', (bytes) => Buffer.from(bytes).fill(7, 0, 4)],
    ['has other bytes in the middle', (bytes) => Buffer.from(bytes).fill(0, 500, 600)],
    ['has other bytes at the end', (bytes) => Buffer.from(bytes).fill(7, bytes.length - 1)],
  ])('does not give a file that %s', (_, damage) => {
    open()?.write('main.cjs', code);
    writeFileSync(file(), damage(readFileSync(file())));
    expect(read()).toBeUndefined();
  });

  it.each<[string, () => void]>([
    ['whose directory others can write to', () => chmodSync(directory(), 0o777)],
    ['whose directory the group can write to', () => chmodSync(directory(), 0o770)],
    ['that others can write to', () => chmodSync(file(), 0o602)],
    ['that the group can write to', () => chmodSync(file(), 0o620)],
    [
      'reached through a link',
      () => {
        renameSync(file(), join(directory(), 'elsewhere'));
        symlinkSync('elsewhere', file());
      },
    ],
    [
      'whose directory is reached through a link',
      () => {
        renameSync(directory(), join(home, 'elsewhere'));
        symlinkSync('elsewhere', directory());
      },
    ],
  ])('does not give a file %s', (_, change) => {
    open()?.write('main.cjs', code);
    change();
    expect(read()).toBeUndefined();
  });

  it('neither reads nor writes what belongs to another user', () => {
    open()?.write('main.cjs', code);
    const before = readFileSync(file());
    expect(read({ userId: userId + 1 })).toBeUndefined();
    open({ userId: userId + 1 })?.write('main.cjs', { ...code, kinds: [1] });
    expect(readFileSync(file())).toEqual(before);
  });

  it('makes nothing in the home of another user', () => {
    open({ variables: { HOME: home }, userId: userId + 1 })?.write('main.cjs', code);
    expect(readdirSync(home)).toEqual([]);
  });

  it('does not write to a directory that others can write to', () => {
    mkdirSync(directory());
    chmodSync(directory(), 0o777);
    open()?.write('main.cjs', code);
    expect(readdirSync(directory())).toEqual([]);
  });

  it('says nothing when it cannot write', () => {
    writeFileSync(directory(), 'a file, so that there can be no directory');
    open()?.write('main.cjs', code);
    expect(read()).toBeUndefined();
  });

  it('leaves no draft behind when it cannot put it in place', () => {
    mkdirSync(file(), { recursive: true, mode: 0o700 });
    chmodSync(directory(), 0o700);
    open()?.write('main.cjs', code);
    expect(readdirSync(directory())).toEqual(['main.cjs-k.code']);
  });

  it.each(['KUREL_NO_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE'])('is off with %s', (name) => {
    const variables = { XDG_CACHE_HOME: home };
    expect(open({ variables: { ...variables, [name]: '1' } })).toBeUndefined();
    expect(open({ variables: { ...variables, [name]: '' } })).toBeDefined();
  });

  it('is below the home directory unless XDG_CACHE_HOME says where', () => {
    open({ variables: { HOME: home, XDG_CACHE_HOME: 'relative' } })?.write('main.cjs', code);
    expect(existsSync(join(home, '.cache', 'kurel', 'main.cjs-k.code'))).toBe(true);
    expect(open({ variables: {} })).toBeUndefined();
  });

  it('is in the local data of the user where files have no owners', () => {
    const options = { userId: undefined, variables: { LOCALAPPDATA: home, HOME: '/nowhere' } };
    open(options)?.write('main.cjs', code);
    expect(read(options)).toEqual(code);
    expect(existsSync(file())).toBe(true);
    expect(open({ ...options, variables: { HOME: home } })).toBeUndefined();
  });

  it('removes files that were written more than a month ago, and only its own', () => {
    const longAgo = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
    mkdirSync(directory(), { mode: 0o700 });
    for (const name of ['work.cjs-j.code', 'work.cjs-j.code.123', 'notes.txt']) {
      writeFileSync(join(directory(), name), '');
      utimesSync(join(directory(), name), longAgo, longAgo);
    }
    writeFileSync(join(directory(), 'work.cjs-k.code'), '');
    open()?.write('main.cjs', code);
    expect(readdirSync(directory()).toSorted()).toEqual(['main.cjs-k.code', 'notes.txt', 'work.cjs-k.code']);
  });
});

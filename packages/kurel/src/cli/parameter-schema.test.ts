import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openSchemaCache } from './parameter-schema.ts';

const key = 'ab'.repeat(16);
let home = '';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'kurel-cache-'));
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

const open = (now?: () => number) => openSchemaCache({ environment: { XDG_CACHE_HOME: home }, now })!;
const nameOf = (text: string): string => `schema-${createHash('sha256').update(`name ${text}`).digest('hex')}.sealed`;
const file = (): string => join(home, 'kurel', nameOf(key));

describe('the cache of schemas', () => {
  it('makes its directory, and what is above it', () => {
    const cache = openSchemaCache({ environment: { XDG_CACHE_HOME: join(home, 'new') } })!;
    cache.write(key, '{}');
    expect(cache.read(key)).toBe('{}');
  });

  it('returns what was written, and nothing for other keys', () => {
    open().write(key, '{}');
    expect(open().read(key)).toBe('{}');
    expect(open().read('cd'.repeat(16))).toBeUndefined();
    expect(readdirSync(join(home, 'kurel'))).toEqual([nameOf(key)]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('writes over what is there', () => {
    open().write(key, 'old');
    open().write(key, 'new');
    expect(open().read(key)).toBe('new');
  });

  it('forgets after an hour, and removes what it has forgotten', () => {
    open().write(key, '{}');
    const later = open(() => Date.now() + 61 * 60 * 1000);
    expect(later.read(key)).toBeUndefined();
    later.write('cd'.repeat(16), '{}');
    expect(existsSync(file())).toBe(false);
  });

  it('does not believe files from the future', () => {
    open().write(key, '{}');
    utimesSync(file(), new Date(), new Date(Date.now() + 2 * 60 * 60 * 1000));
    expect(open().read(key)).toBeUndefined();
  });

  it('cannot be read without the key, and does not believe damaged files', () => {
    open().write(key, '{"default": "hunter2"}');
    const bytes = readFileSync(file());
    expect(bytes.includes('hunter2')).toBe(false);
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      writeFileSync(file(), changed);
      expect(open().read(key)).toBeUndefined();
    }
    writeFileSync(file(), bytes.subarray(0, 20));
    expect(open().read(key)).toBeUndefined();
  });

  it('removes the readable files of earlier versions', () => {
    mkdirSync(join(home, 'kurel'), { mode: 0o700 });
    const earlier = join(home, 'kurel', `schema-${key}.json`);
    writeFileSync(earlier, '{}');
    open().write(key, '{}');
    expect(existsSync(earlier)).toBe(false);
  });

  it('leaves files of others in its directory alone', () => {
    mkdirSync(join(home, 'kurel'), { mode: 0o700 });
    const foreign = join(home, 'kurel', 'program-1.code');
    writeFileSync(foreign, '');
    utimesSync(foreign, 0, 0);
    open().write(key, '{}');
    expect(existsSync(foreign)).toBe(true);
  });

  it.skipIf(process.getuid === undefined)('does not read what others could have written', () => {
    open().write(key, '{}');
    chmodSync(file(), 0o666);
    expect(open().read(key)).toBeUndefined();
    chmodSync(file(), 0o600);
    chmodSync(join(home, 'kurel'), 0o777);
    expect(open().read(key)).toBeUndefined();
    expect(openSchemaCache({ environment: { XDG_CACHE_HOME: home }, userId: 4_000_000 })!.read(key)).toBeUndefined();
  });

  it.skipIf(process.getuid === undefined)('does not write to another user’s home', () => {
    openSchemaCache({ environment: { XDG_CACHE_HOME: home }, userId: 4_000_000 })!.write(key, '{}');
    expect(readdirSync(home)).toEqual([]);
  });

  it('does not follow links', () => {
    mkdirSync(join(home, 'kurel'), { mode: 0o700 });
    writeFileSync(join(home, 'elsewhere'), 'secret', { mode: 0o600 });
    symlinkSync(join(home, 'elsewhere'), file());
    expect(open().read(key)).toBeUndefined();
  });

  it('says nothing when it cannot write', () => {
    writeFileSync(join(home, 'kurel'), 'a file where the directory should be');
    open().write(key, '{}');
    expect(open().read(key)).toBeUndefined();
  });

  it.each([
    [{ XDG_CACHE_HOME: '/caches' }, true],
    [{ HOME: '/home/me' }, true],
    [{ XDG_CACHE_HOME: 'relative', HOME: '' }, false],
    [{}, false],
  ])('has a place for it in %j: %s', (environment, isThere) => {
    expect(openSchemaCache({ environment, userId: 1 }) !== undefined).toBe(isThere);
  });
});

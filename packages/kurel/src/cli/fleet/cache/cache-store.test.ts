import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { openDirectoryStore } from './cache-store.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-store-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const name = 'a'.repeat(64);

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes).toString();
}

describe('a directory as a cache', () => {
  it('has what was stored', async () => {
    const store = openDirectoryStore(join(place, 'new', 'cache'));
    expect(await store.get('ac', name, 10)).toBeUndefined();
    await store.put('ac', name, Buffer.from('one'));
    await store.put('ac', name, Buffer.from('two'));
    expect(textOf(await store.get('ac', name, 10))).toBe('two');
    expect(readdirSync(join(place, 'new', 'cache', 'ac'))).toEqual([name]);
  });

  it('is whole in every moment, when several write at once', async () => {
    const store = openDirectoryStore(join(place, 'busy'));
    const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(100_000));
    await store.put('cas', name, Buffer.from(texts[0]!));
    const writing = texts.map((text) => store.put('cas', name, Buffer.from(text)));
    const reading = texts.map(async () => textOf(await store.get('cas', name, 200_000)));
    for (const text of await Promise.all(reading)) expect(texts).toContain(text);
    await Promise.all(writing);
    expect(readdirSync(join(place, 'busy', 'cas'))).toEqual([name]);
  });

  it('shows that a file is longer than expected, but reads no more', async () => {
    const store = openDirectoryStore(join(place, 'long'));
    await store.put('cas', name, Buffer.from('0123456789'));
    expect(textOf(await store.get('cas', name, 4))).toBe('01234');
    expect(textOf(await store.get('cas', name, 10))).toBe('0123456789');
  });

  it.runIf(process.platform === 'linux')('does not read or wait for what is not a file', async () => {
    const directory = join(place, 'odd');
    mkdirSync(join(directory, 'ac'), { recursive: true });
    const at = (entry: string): string => join(directory, 'ac', entry);
    execFileSync('mkfifo', [at('pipe')]);
    mkdirSync(at('directory'));
    symlinkSync('/dev/zero', at('device'));
    symlinkSync('loop', at('loop'));
    const store = openDirectoryStore(directory);
    for (const entry of ['pipe', 'directory', 'device']) {
      await expect(store.get('ac', entry, 10)).rejects.toThrow(`ac/${entry} is not a file`);
    }
    await expect(store.get('ac', 'loop', 10)).rejects.toThrow('ELOOP');
  });

  it.runIf(process.platform === 'linux')('is not waited for where no directory can be created', async () => {
    const store = openDirectoryStore('/proc/kurel/cache');
    expect(await store.get('ac', name, 10)).toBeUndefined();
    await expect(store.put('ac', name, Buffer.from('x'))).rejects.toThrow('it cannot be created');
  });

  // Root can write everywhere.
  it.runIf(process.platform !== 'win32' && process.getuid?.() !== 0)('of somebody else cannot be written', async () => {
    const directory = join(place, 'theirs');
    mkdirSync(join(directory, 'ac'), { recursive: true });
    writeFileSync(join(directory, 'ac', name), 'secret');
    chmodSync(join(directory, 'ac', name), 0);
    chmodSync(join(directory, 'ac'), 0o555);
    const store = openDirectoryStore(directory);
    await expect(store.get('ac', name, 10)).rejects.toThrow('permission denied');
    await expect(store.put('ac', name, Buffer.from('x'))).rejects.toThrow('permission denied');
    chmodSync(join(directory, 'ac'), 0o755);
  });
});

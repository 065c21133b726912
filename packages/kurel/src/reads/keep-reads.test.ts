import { describe, expect, it } from 'vitest';

import { memoryFileSystem } from '../forms/index.ts';
import { FileAccessError } from '../model/index.ts';
import type { FileSystem } from '../model/index.ts';
import { keepReads } from './keep-reads.ts';

/** Files that can change, and a log of what was read. */
function openFiles(files: Record<string, string>): { readonly fileSystem: FileSystem; readonly log: string[] } {
  const log: string[] = [];
  const now = (): FileSystem => memoryFileSystem(files);
  const fileSystem: FileSystem = {
    async readText(path) {
      log.push(`text ${path}`);
      return now().readText(path);
    },
    async readBytes(path) {
      log.push(`bytes ${path}`);
      return new TextEncoder().encode(await now().readText(path));
    },
    async list(path) {
      log.push(`list ${path}`);
      return now().list(path);
    },
    async kindOf(path) {
      log.push(`kind ${path}`);
      return now().kindOf(path);
    },
  };
  return { fileSystem, log };
}

describe('keepReads', () => {
  it.each([
    ['what cannot be read', new FileAccessError('a.yaml', 'not-found'), 1],
    ['no other failure', new Error('broken connection'), 2],
  ])('keeps %s', async (_, error, reads) => {
    let count = 0;
    const readText = (): string => {
      count += 1;
      throw error;
    };
    const { fileSystem } = keepReads({ ...openFiles({}).fileSystem, readText });
    for (let round = 0; round < 2; round += 1) await expect(fileSystem.readText('a.yaml')).rejects.toBe(error);
    expect(count).toBe(reads);
  });

  it('reads each path once, so that all builds see the same', async () => {
    const files: Record<string, string> = { 'a.yaml': 'one' };
    const { fileSystem, log } = openFiles(files);
    const kept = keepReads(fileSystem);
    const readAll = async () => [
      await kept.fileSystem.readText('a.yaml'),
      (await kept.fileSystem.list('.')).map(({ name }) => name),
      await kept.fileSystem.kindOf('b.yaml'),
    ];
    const before = await readAll();
    Object.assign(files, { 'a.yaml': 'two', 'b.yaml': 'new' });
    expect(await readAll()).toEqual(before);
    expect(log).toEqual(['text a.yaml', 'list .', 'kind b.yaml']);
    expect([kept.hasRead('a.yaml'), kept.hasRead('b.yaml')]).toEqual([true, false]);
  });

  it('reads a path once for builds at the same time', async () => {
    const { fileSystem, log } = openFiles({ 'a.yaml': 'one' });
    const kept = keepReads(fileSystem);
    const read = () => [kept.fileSystem.readText('a.yaml'), kept.stampOf('a.yaml', 'content')];
    await Promise.all([...read(), ...read()]);
    expect(log).toEqual(['text a.yaml']);
  });

  it('keeps failures as well', async () => {
    const files: Record<string, string> = {};
    const kept = keepReads(openFiles(files).fileSystem);
    await expect(kept.fileSystem.readText('a.yaml')).rejects.toThrow(FileAccessError);
    files['a.yaml'] = 'now there';
    await expect(kept.fileSystem.readText('a.yaml')).rejects.toThrow(FileAccessError);
    expect(await kept.stampOf('a.yaml', 'content')).toMatch(/^! not-found$/);
  });

  it('has the same stamps in a run that only compares', async () => {
    const { fileSystem } = openFiles({ 'a.yaml': 'grün', 'd/b': '' });
    const [built, compared] = [keepReads(fileSystem), keepReads(fileSystem)];
    await built.fileSystem.readText('a.yaml');
    for (const [path, look] of [
      ['a.yaml', 'content'],
      ['missing', 'content'],
      ['d', 'names'],
      ['d', 'kind'],
      ['missing', 'kind'],
    ] as const) {
      expect(await compared.stampOf(path, look), `${look} ${path}`).toBe(await built.stampOf(path, look));
    }
  });

  it('has other stamps when something changes', async () => {
    const files: Record<string, string> = { 'a.yaml': 'one', 'd/b': '' };
    const { fileSystem } = openFiles(files);
    const stamps = async () => {
      const kept = keepReads(fileSystem);
      return Promise.all([kept.stampOf('a.yaml', 'content'), kept.stampOf('d', 'names'), kept.stampOf('e', 'kind')]);
    };
    const before = await stamps();
    Object.assign(files, { 'a.yaml': 'two', 'd/c': '', 'e/f': '' });
    const after = await stamps();
    expect(after.filter((stamp, index) => stamp === before[index])).toEqual([]);
  });
});

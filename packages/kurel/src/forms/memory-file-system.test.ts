import { describe, expect, it } from 'vitest';
import { memoryFileSystem } from './memory-file-system.ts';

const fileSystem = memoryFileSystem({
  'b/x.yaml': 'x',
  './b/c/y.yaml': 'y',
  'a.yaml': 'a',
  '/etc/z.yaml': 'z',
  '../up.yaml': 'up',
  'odd../n.yaml': 'n',
});

describe('memoryFileSystem', () => {
  it.each([
    ['.', 'a.yaml file, b directory, odd.. directory'],
    ['odd..', 'n.yaml file'],
    ['b', 'c directory, x.yaml file'],
    ['./b/c/..', 'c directory, x.yaml file'],
    ['/', 'etc directory'],
    ['/etc', 'z.yaml file'],
    ['..', 'up.yaml file'],
  ])('lists %s', async (path, expected) => {
    const entries = await fileSystem.list(path);
    expect(entries.map(({ name, kind }) => `${name} ${kind}`).join(', ')).toBe(expected);
  });

  it('reads, and says what things are', async () => {
    expect(await fileSystem.readText('b/../a.yaml')).toBe('a');
    expect([fileSystem.kindOf('a.yaml'), fileSystem.kindOf('b/'), fileSystem.kindOf('x')]).toEqual([
      'file',
      'directory',
      undefined,
    ]);
  });

  it.each([
    ['readText', 'b', 'b: not a file'],
    ['readText', 'x', 'x: not found'],
    ['list', 'a.yaml', 'a.yaml: not a directory'],
    ['list', 'x', 'x: not found'],
  ] as const)('%s refuses %s', (method, path, message) => {
    expect(() => fileSystem[method](path)).toThrow(message);
  });

  it('reads bytes, and texts as bytes', async () => {
    const files = memoryFileSystem({
      text: 'ä',
      bytes: new Uint8Array([0xef, 0xbb, 0xbf, 0x61]),
      broken: new Uint8Array([0xff]),
    });
    expect(await files.readBytes!('text')).toEqual(new Uint8Array([0xc3, 0xa4]));
    expect(await files.readText('bytes')).toBe('\uFEFFa');
    expect(() => files.readText('broken')).toThrow('broken: is not UTF-8 text');
  });
});

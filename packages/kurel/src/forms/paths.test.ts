import { describe, expect, it } from 'vitest';
import {
  asLocalPath,
  joinPath,
  lastPartOf,
  leavesRoot,
  localOf,
  normalisePath,
  parentOf,
  relativePath,
} from './paths.ts';

// Paths have `/` on every system; those of Windows also have drives and shares.
describe('paths', () => {
  it.each<[path: string, parent: string, name: string]>([
    ['a/b.yaml', 'a', 'b.yaml'],
    ['b.yaml', '.', 'b.yaml'],
    ['a/b/', 'a', 'b'],
    ['/b.yaml', '/', 'b.yaml'],
    ['/', '/', ''],
    ['C:/b.yaml', 'C:/', 'b.yaml'],
    ['C:/a/b.yaml', 'C:/a', 'b.yaml'],
    ['C:/', 'C:/', ''],
    ['//server/share/b.yaml', '//server/share', 'b.yaml'],
  ])('%s is in %s', (path, parent, name) => {
    expect([parentOf(path), lastPartOf(path)]).toEqual([parent, name]);
    if (name !== '') expect(normalisePath(joinPath(parent, name))).toBe(normalisePath(path));
  });

  it.each<[path: string, normal: string]>([
    ['a/./b/../c/', 'a/c'],
    ['../a/../..', '../..'],
    ['a/..', '.'],
    ['/a/../../b', '/b'],
    ['///a//b', '/a/b'],
    ['C:/a/../../b', 'C:/b'],
    ['C:/', 'C:/'],
    ['//server/share/a/../b', '//server/share/b'],
  ])('%s is %s', (path, normal) => {
    expect(normalisePath(path)).toBe(normal);
  });

  it.each<[directory: string, file: string, expected: string | undefined]>([
    ['a/b', 'a/c.yaml', '../c.yaml'],
    ['.', 'a', 'a'],
    ['/a', '/b/c', '../b/c'],
    ['/a', 'b', undefined],
    ['C:/a', 'C:/b/c', '../b/c'],
    ['C:/a', 'D:/b', undefined],
    ['C:/a', 'b', undefined],
    ['C:/a', '/a/b', undefined],
    ['//server/share/a', '//server/share/b', '../b'],
    ['//server/share/a', 'C:/b', undefined],
  ])('from %s to %s it is %s', (directory, file, expected) => {
    expect(relativePath(directory, file)).toBe(expected);
  });

  it.each<[path: string, expected: boolean]>([
    ['a', false],
    ['..a', false],
    ['..', true],
    ['../a', true],
    ['/a', true],
    ['C:/a', true],
    ['C:a', true],
    ['//server/share/a', true],
  ])('%s leads out: %s', (path, expected) => {
    expect(leavesRoot(path)).toBe(expected);
  });

  it.each<[path: string, expected: string]>([
    ['a', './a'],
    ['./a', './a'],
    ['..', '..'],
    ['.a', './.a'],
    ['/a', '/a'],
    ['C:/a', 'C:/a'],
    ['//server/share/a', '//server/share/a'],
  ])('%s is passed to programs as %s', (path, expected) => {
    expect(asLocalPath(path)).toBe(expected);
  });

  it.each<[path: string, expected: string | undefined]>([
    ['packages/web.kurel', 'packages/web.local.kurel'],
    ['C:/web.kurel', 'C:/web.local.kurel'],
    ['C:/', undefined],
    ['..', undefined],
  ])('the extension of %s is %s', (path, expected) => {
    expect(localOf(path)).toBe(expected);
  });
});

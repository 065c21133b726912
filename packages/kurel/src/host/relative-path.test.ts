import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findEscape, findUnportable, followLinks, isWithin, nameFile, realPathOf, toSlashes } from './relative-path.ts';

describe('findEscape', () => {
  it.each<[path: string, onPosix: string | undefined, onWindows: string | undefined]>([
    ['a/b.yaml', undefined, undefined],
    ['', 'it is empty', 'it is empty'],
    ['/etc/x', 'it is absolute', 'it is absolute'],
    ['C:/x', 'it is absolute', 'it is absolute'],
    [String.raw`C:\x`, 'it is absolute', 'it is absolute'],
    ['C:x', 'it is absolute', 'it is absolute'],
    ['a/../../b', 'it contains ".."', 'it contains ".."'],
    ['a//b', 'it contains an empty or "." part', 'it contains an empty or "." part'],
    ['./a', 'it contains an empty or "." part', 'it contains an empty or "." part'],
    ['a\0', 'it contains a NUL character', 'it contains a NUL character'],
    // Outside Windows, these are odd names of files.
    [String.raw`a\..\..\b`, undefined, 'it contains ".."'],
    [String.raw`..\b`, undefined, 'it contains ".."'],
    [String.raw`a/..\b`, undefined, 'it contains ".."'],
    [String.raw`\b`, undefined, 'it contains an empty or "." part'],
    [String.raw`\\server\share\b`, undefined, 'it contains an empty or "." part'],
    [String.raw`\\?\C:\b`, undefined, 'it contains an empty or "." part'],
    ['..b/c..', undefined, undefined],
  ])('%j', (path, onPosix, onWindows) => {
    expect([findEscape(path, posix), findEscape(path, win32)]).toEqual([onPosix, onWindows]);
  });
});

describe('findUnportable', () => {
  it.each<[path: string, reason: string | undefined]>([
    ['web/deployment.yaml', undefined],
    ['console.yaml', undefined],
    ['com10.yaml', undefined],
    ['nul-web.yaml', undefined],
    ['CON', '"CON" is a device name on Windows'],
    ['con.yaml', '"con.yaml" is a device name on Windows'],
    ['a/aux/b.yaml', '"aux" is a device name on Windows'],
    ['aux.yaml', '"aux.yaml" is a device name on Windows'],
    ['Nul.tar.gz', '"Nul.tar.gz" is a device name on Windows'],
    ['COM1', '"COM1" is a device name on Windows'],
    ['com¹.yaml', '"com¹.yaml" is a device name on Windows'],
    ['lpt9.json', '"lpt9.json" is a device name on Windows'],
    ['prn .yaml', '"prn .yaml" is a device name on Windows'],
    ['CONIN$', '"CONIN$" is a device name on Windows'],
    ['a./b', '"a." ends with a dot or a space'],
    ['a ', '"a " ends with a dot or a space'],
    ['web:b', 'it contains ":"'],
    [String.raw`a\b`, String.raw`it contains "\\"`],
    ['a*b', 'it contains "*"'],
    ['.git/config', '".git" is a hidden file'],
    [`${'é'.repeat(127)}.yaml`, 'a part of it is longer than 255 bytes'],
    // The whole path has no limit: Node uses the long form of paths on Windows.
    [`${'directory/'.repeat(40)}a.yaml`, undefined],
  ])('%j', (path, reason) => {
    expect(findUnportable(path)).toBe(reason);
  });
});

describe('toSlashes', () => {
  it.each<[path: string, onWindows: string]>([
    [String.raw`deploy\web`, 'deploy/web'],
    ['deploy/web', 'deploy/web'],
    [String.raw`C:\deploy\web`, 'C:/deploy/web'],
    [String.raw`\\server\share\web`, '//server/share/web'],
  ])('%j', (path, onWindows) => {
    expect(toSlashes(path, win32)).toBe(onWindows);
    expect(toSlashes(path, posix), 'a backslash is part of a name').toBe(path);
  });
});

describe('nameFile', () => {
  it.each<[directory: string, path: string, name: string]>([
    ['out', 'a/b.yaml', 'out/a/b.yaml'],
    ['./out/', 'a.yaml', 'out/a.yaml'],
    ['.', 'a.yaml', 'a.yaml'],
    ['../out', 'a.yaml', '../out/a.yaml'],
  ])('%s and %s', (directory, path, name) => {
    expect([posix, win32].map((platform) => nameFile(directory, path, platform))).toEqual([name, name]);
  });

  it.each<[directory: string, name: string]>([
    ['C:/out', 'C:/out/a.yaml'],
    ['//server/share/out', '//server/share/out/a.yaml'],
  ])('%s on Windows', (directory, name) => {
    expect(nameFile(directory, 'a.yaml', win32)).toBe(name);
  });
});

describe('isWithin', () => {
  it.each<[directory: string, path: string, expected: boolean]>([
    ['/a', '/a', true],
    ['/a', '/a/b', true],
    ['/a', '/a/..b', true],
    ['/a', '/ab', false],
    ['/a/b', '/a', false],
    ['/', '/a', true],
  ])('%s has %s: %s', (directory, path, expected) => {
    expect(isWithin(directory, path, posix)).toBe(expected);
    expect(isWithin(`C:${directory}`, `C:${path}`, win32)).toBe(expected);
    expect(isWithin(`//server/share${directory}`, `//server/share${path}`, win32)).toBe(expected);
  });

  it.each<[directory: string, path: string, expected: boolean]>([
    [String.raw`C:\Deploy`, String.raw`c:\deploy\web`, true],
    [String.raw`C:\a`, String.raw`D:\a\b`, false],
    [String.raw`C:\a`, String.raw`\\server\share\a\b`, false],
    [String.raw`\\server\one\a`, String.raw`\\server\two\a`, false],
  ])('%s has %s on Windows: %s', (directory, path, expected) => {
    expect(isWithin(directory, path, win32)).toBe(expected);
  });

  it('distinguishes case outside Windows', () => {
    expect(isWithin('/Deploy', '/deploy/web', posix)).toBe(false);
  });
});

describe('followLinks', () => {
  it('lists the links that a path leads through, also in a cycle and to nothing', () => {
    const place = mkdtempSync(join(realPathOf(tmpdir()), 'kurel-links-'));
    try {
      mkdirSync(join(place, 'real'));
      writeFileSync(join(place, 'real', 'a.yaml'), '');
      symlinkSync('real', join(place, 'one'));
      symlinkSync('one', join(place, 'two'));
      symlinkSync('nowhere', join(place, 'broken'));
      symlinkSync('right', join(place, 'left'));
      symlinkSync('left', join(place, 'right'));
      const follow = (path: string): readonly string[] =>
        followLinks(join(place, path)).map((each) => toSlashes(each.slice(place.length + 1)));
      expect(follow('real/a.yaml')).toEqual(['real/a.yaml']);
      expect(follow('real/none.yaml')).toEqual(['real/none.yaml']);
      expect(follow('two/a.yaml')).toEqual(['two', 'one', 'real/a.yaml']);
      expect(follow('broken/a.yaml')).toEqual(['broken', 'nowhere/a.yaml']);
      expect(follow('left')).toContain('left');
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });
});

import { posix, win32 } from 'node:path';
import { expect, it } from 'vitest';
import { nameInput } from './open-disk-output.ts';

it.each<[paths: readonly string[], output: string, name: string]>([
  [['deploy/web'], 'out', '../deploy/web'],
  [['deploy'], 'deploy/out', '..'],
  [['deploy/*.yaml', '-'], 'out/prod/', '../../deploy/*.yaml stdin'],
  [['../shared'], 'out', '../../shared'],
])('%j into %s is %s on every system', (paths, output, name) => {
  const onPosix = nameInput(paths, { output, workingDirectory: '/home/me/repo', platform: posix });
  const onWindows = nameInput(paths, { output, workingDirectory: String.raw`C:\Users\me\repo`, platform: win32 });
  expect([onPosix, onWindows]).toEqual([name, name]);
});

it.each<[path: string, output: string, name: string]>([
  ['D:/deploy', 'out', 'D:/deploy'],
  ['//server/share/deploy', 'out', '//server/share/deploy'],
  ['C:/repo/deploy', 'out', '../deploy'],
  ['c:/REPO/deploy', 'C:/repo/out', '../deploy'],
])('%s into %s is %s on Windows', (path, output, name) => {
  expect(nameInput([path], { output, workingDirectory: String.raw`C:\repo`, platform: win32 })).toBe(name);
});

it('keeps a backslash that is part of a name', () => {
  const place = { output: 'out', workingDirectory: '/repo', platform: posix };
  expect(nameInput([String.raw`odd\name`], place)).toBe(String.raw`../odd\name`);
});

import { posix, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findScript } from './commands/completion.ts';
import { findHome, openOwnCache } from './own-cache.ts';

const local = String.raw`C:\Users\me\AppData\Local`;

describe('the directory of the cache', () => {
  it.each([
    [{ LOCALAPPDATA: local }, undefined, win32, local],
    [{ LOCALAPPDATA: 'AppData' }, undefined, win32, undefined],
    [{ LOCALAPPDATA: 'C:AppData' }, undefined, win32, undefined],
    [{ HOME: '/home/me' }, undefined, win32, undefined],
    [{ HOME: '/home/me' }, 1000, posix, '/home/me/.cache'],
    [{ HOME: '/home/me', XDG_CACHE_HOME: '/cache' }, 1000, posix, '/cache'],
    [{ HOME: '/home/me', XDG_CACHE_HOME: 'cache' }, 1000, posix, '/home/me/.cache'],
    [{ LOCALAPPDATA: local }, 1000, posix, undefined],
  ])('%j of user %s', (variables, userId, platform, caches) => {
    expect(findHome({ variables, userId }, platform)?.caches).toBe(caches);
  });

  it.runIf(process.platform === 'linux').each(['/proc/kurel', '/proc/self/fd/kurel/home', '/dev/null/home'])(
    'is not waited for if it cannot be created, as in %s',
    (HOME) => {
      const cache = openOwnCache({ variables: { HOME }, userId: process.getuid!() });
      cache?.write('a', 'b');
      expect(cache?.read('a')).toBeUndefined();
    },
  );
});

describe('the file that a shell loads', () => {
  const profile = String.raw`C:\Users\me`;
  it.each([
    ['powershell', { USERPROFILE: profile }, win32, String.raw`C:\Users\me\Documents\PowerShell\profile.ps1`],
    ['powershell', { HOME: '/home/me' }, posix, '/home/me/.config/powershell/profile.ps1'],
    ['bash', { HOME: profile }, win32, String.raw`C:\Users\me\.local\share\bash-completion\completions\kurel`],
    ['bash', { HOME: '/home/me' }, posix, '/home/me/.local/share/bash-completion/completions/kurel'],
    ['zsh', { HOME: '/home/me' }, posix, '/home/me/.zshrc'],
  ] as const)('%s with %j', (shell, variables, platform, path) => {
    expect(findScript(shell, variables, platform)).toBe(path);
  });
});

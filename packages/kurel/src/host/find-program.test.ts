import { posix, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { definedIn, findProgram } from './find-program.ts';

interface Search {
  readonly says: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly found: string | undefined;
  readonly searched?: readonly string[];
}

const onWindows: readonly Search[] = [
  {
    says: 'helm.exe in Path',
    environment: { Path: String.raw`C:\Windows;C:\tools` },
    files: [String.raw`C:\tools\helm.exe`],
    found: String.raw`C:\tools\helm.exe`,
    searched: [String.raw`C:\Windows`, String.raw`C:\tools`],
  },
  {
    says: 'no script, because that would need a shell',
    environment: { PATH: String.raw`C:\tools`, PATHEXT: '.COM;.EXE;.BAT;.CMD' },
    files: [String.raw`C:\tools\helm.cmd`, String.raw`C:\tools\helm.bat`, String.raw`C:\tools\helm`],
    found: undefined,
  },
  {
    says: 'directories in quotes',
    environment: { PATH: String.raw`C:\Windows;"C:\Program Files\Helm"` },
    files: [String.raw`C:\Program Files\Helm\helm.exe`],
    found: String.raw`C:\Program Files\Helm\helm.exe`,
  },
  {
    says: 'a share',
    environment: { KUREL_TOOLS: String.raw`\\server\tools` },
    files: [String.raw`\\server\tools\helm.exe`],
    found: String.raw`\\server\tools\helm.exe`,
  },
  {
    says: 'no relative directory, not even of a drive',
    environment: { PATH: String.raw`.;tools;C:tools;"."` },
    files: ['helm.exe', String.raw`tools\helm.exe`, String.raw`C:tools\helm.exe`],
    found: undefined,
    searched: [],
  },
];

const onPosix: readonly Search[] = [
  {
    says: 'helm in PATH',
    environment: { PATH: '/usr/bin:/opt/helm:.:tools' },
    files: ['/opt/helm/helm', 'helm', 'tools/helm'],
    found: '/opt/helm/helm',
    searched: ['/usr/bin', '/opt/helm'],
  },
  {
    says: 'quotes and semicolons as part of a name',
    environment: { PATH: '/a;b:/"c"' },
    files: ['/"c"/helm'],
    found: '/"c"/helm',
    searched: ['/a;b', '/"c"'],
  },
];

describe.each([
  ['Windows', win32, onWindows],
  ['POSIX', posix, onPosix],
] as const)('findProgram on %s', (_, platform, searches) => {
  it.each(searches)('finds $says', ({ environment, files, found, searched }) => {
    const isExecutable = (path: string): boolean => files.includes(path);
    const search = findProgram('helm', { environment }, { platform, isExecutable });
    expect(search.found).toBe(found);
    if (searched !== undefined) expect(search.searched).toEqual(searched);
  });
});

describe('definedIn', () => {
  it('leaves out names without a value, which would hide other spellings on Windows', () => {
    const environment = { SYSTEMROOT: undefined, SystemRoot: 'C:\\Windows', EMPTY: '' };
    expect(Object.entries(definedIn(environment))).toEqual([
      ['SystemRoot', 'C:\\Windows'],
      ['EMPTY', ''],
    ]);
  });
});

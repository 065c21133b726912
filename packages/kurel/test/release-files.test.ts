import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createCompanions, packDirectory } from '../../../scripts/release/archive-files.ts';
import { readTar } from '../src/archive/read-tar.ts';
import { commandTable } from '../src/cli/command-table.ts';
import { executable } from './kurel-program.ts';
import { repository } from './source-tree.ts';

let place = '';
beforeEach(() => (place = mkdtempSync(join(tmpdir(), 'kurel-release-'))));
afterEach(() => rmSync(place, { recursive: true, force: true }));

describe('the archive of a release', () => {
  const files = [
    { path: 'b/kurel', content: new Uint8Array(2000), isExecutable: true },
    { path: 'a', content: 'é' },
  ];

  it('has the same bytes for the same files, whatever their order', () => {
    expect(packDirectory('kurel-1', files)).toEqual(packDirectory('kurel-1', files.toReversed()));
    expect(Array.from(readTar(packDirectory('kurel-1', files)), ({ name }) => name)).toEqual([
      'kurel-1/a',
      'kurel-1/b/kurel',
    ]);
  });

  it.runIf(process.platform !== 'win32')('is unpacked by tar, with the rights of each file', () => {
    writeFileSync(join(place, 'a.tar'), packDirectory('kurel-1', files));
    execFileSync('tar', ['-xf', 'a.tar'], { cwd: place });
    const modes = ['a', 'b/kurel'].map((path) => statSync(join(place, 'kurel-1', path)).mode & 0o777);
    expect(modes).toEqual([0o644, 0o755]);
    expect(readFileSync(join(place, 'kurel-1', 'a'), 'utf8')).toBe('é');
  });

  it('has a man page per command and completion for each shell', async () => {
    const paths = (await createCompanions()).map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith('man/'))).toHaveLength(commandTable.length + 1);
    expect(paths.filter((path) => path.startsWith('completion/'))).toEqual([
      'completion/kurel.bash',
      'completion/_kurel',
      'completion/kurel.fish',
      'completion/kurel.ps1',
    ]);
  });
});

describe.runIf(executable !== undefined)('npm run release:files', () => {
  const runScript = (name: string, directory: string): void => {
    const env = { ...process.env, KUREL_RELEASE_DIRECTORY: directory };
    execFileSync(process.execPath, [join(repository, 'scripts', 'release', name)], { env });
  };
  /** The name and checksum of each file. */
  const release = (directory: string): Readonly<Record<string, string>> => {
    runScript('files.mjs', directory);
    const names = readdirSync(directory).toSorted();
    const hash = (name: string): string =>
      createHash('sha256')
        .update(readFileSync(join(directory, name)))
        .digest('hex');
    return Object.fromEntries(names.map((name) => [name, hash(name)]));
  };

  it('writes the same archives each time, with their checksums, and an executable that runs', () => {
    const first = release(join(place, 'first'));
    expect(release(join(place, 'second'))).toEqual(first);
    const { SHA256SUMS: _, ...others } = first;
    const sums = readFileSync(join(place, 'first', 'SHA256SUMS'), 'utf8');
    expect(sums).toBe(
      Object.entries(others)
        .map(([name, sum]) => `${sum}  ${name}\n`)
        .join(''),
    );
    runScript('smoke.mjs', join(place, 'first'));
    const archive = Object.keys(others).find((name) => name.endsWith('.tar.gz'))!;
    execFileSync('tar', ['-xzf', archive], { cwd: join(place, 'first') });
    const directory = join(place, 'first', archive.replace('.tar.gz', ''));
    expect(readdirSync(directory).filter((name) => !name.startsWith('kurel'))).toEqual([
      'LICENSE',
      'completion',
      'licences',
      'man',
    ]);
    const program = join(directory, process.platform === 'win32' ? 'kurel.exe' : 'kurel');
    expect(JSON.parse(execFileSync(program, ['version', '--json'], { encoding: 'utf8' }))).toMatchObject({
      runtime: 'bun',
    });
  });
});

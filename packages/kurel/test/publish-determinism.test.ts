import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { executable, programWords } from './kurel-program.ts';
import { repository } from './source-tree.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const preload = join(repository, 'packages', 'kurel', 'test', 'shuffle-listings.cjs');
const packages = ['applications/web/package', 'packages/gitea.kurel'];
const reference = 'oci://registry.example.com/packages/x:1.0.0';

interface Variant {
  readonly name: string;
  /** Where the package is, below a directory of the test. */
  readonly directory?: string;
  readonly mode?: number;
  readonly time?: number;
  readonly umask?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly isNobody?: boolean;
  /** Run in the directory of the package. */
  readonly isInside?: boolean;
}

const variants: readonly Variant[] = [
  { name: 'another directory', directory: 'some where/über/pkg.kurel' },
  { name: 'the working directory', isInside: true },
  { name: 'other permissions and times', mode: 0o755, time: 1 },
  { name: 'private files', mode: 0o600, umask: '077' },
  { name: 'an open umask', umask: '000' },
  { name: 'a time zone in the east', variables: { TZ: 'Pacific/Kiritimati' } },
  { name: 'a time zone in the west', variables: { TZ: 'America/Los_Angeles', LC_ALL: 'tr_TR.UTF-8' } },
  { name: 'another user', isNobody: true },
  ...(executable === undefined
    ? [1, 2, 3].map((seed) => ({
        name: `a disk that lists files in order ${seed}`,
        variables: { SHUFFLE_SEED: `${seed}` },
      }))
    : []),
];

describe.skipIf(process.platform === 'win32')('the digest of a package', () => {
  let scratch = '';
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'kurel-digest-'));
    chmodSync(scratch, 0o755);
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  function dryRun(
    words: readonly string[],
    { cwd, variant }: { readonly cwd: string; readonly variant: Variant },
  ): string {
    const { umask = '022', variables = {}, isNobody = false } = variant;
    const [program, ...before] = programWords;
    const loaded = variables['SHUFFLE_SEED'] === undefined ? before : ['--require', preload, ...before];
    const user = isNobody && isRoot ? { uid: nobody, gid: nobody } : {};
    const shell = ['-c', `umask ${umask}; exec "$0" "$@"`, program, ...loaded, 'push', ...words, '--dry-run'];
    const env = { PATH: process.env['PATH'], ...variables };
    const { status, stdout, stderr } = spawnSync('/bin/sh', shell, { cwd, env, encoding: 'utf8', ...user });
    expect({ status, stderr }, variant.name).toEqual({ status: 0, stderr: '' });
    return stdout;
  }

  it.each(packages)('of %s depends on its files alone', { tags: 'slow' }, (example) => {
    const usual = dryRun([`examples/${example}`, reference], { cwd: repository, variant: { name: 'usual' } });
    expect(usual).toMatch(/^oci:\/\/registry\.example\.com\/packages\/x@sha256:[0-9a-f]{64}\n/);
    for (const variant of variants) {
      const { directory = 'pkg.kurel', mode, time, isInside = false } = variant;
      const place = join(mkdtempSync(join(scratch, 'v-')), directory);
      chmodSync(join(place, ...directory.split('/').map(() => '..')), 0o755);
      mkdirSync(place, { recursive: true });
      cpSync(join(repository, 'examples', example), place, { recursive: true });
      for (const entry of readdirSync(place, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (mode !== undefined && entry.isFile()) chmodSync(path, mode);
        if (time !== undefined) utimesSync(path, time, time);
      }
      const printed = dryRun([isInside ? '.' : place, reference], { cwd: isInside ? place : scratch, variant });
      expect(printed, variant.name).toBe(usual);
    }
  });
});

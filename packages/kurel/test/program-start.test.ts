import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { repository } from './source-tree.ts';

// The built program, from its start to what it leaves for the next start.
describe('starting the program', () => {
  let home = '';
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'kurel-start-'))));
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const program = join(repository, 'packages', 'kurel', 'bin', 'kurel.cjs');
  const directory = (): string => join(home, 'kurel');
  const run = (words: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
    const env = { PATH: process.env['PATH'], XDG_CACHE_HOME: home, ...variables };
    const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...words], {
      cwd: repository,
      env,
      encoding: 'utf8',
    });
    return { stdout, stderr, status };
  };
  const build = (variables = {}) =>
    run(['build', join(repository, 'examples', 'plain'), '--label', 'a=b', '--jq-filter', 'true'], variables);
  /** What the files are, as far as a file that was written again would be another one. */
  const listFiles = () => readdirSync(directory()).map((name) => [name, statSync(join(directory(), name)).ino]);

  it('says so when the working directory is gone', () => {
    const cwd = join(home, 'gone');
    mkdirSync(cwd);
    const script = `rmdir "$PWD" && exec "$0" "$@"`;
    const { stderr, status } = spawnSync('sh', ['-c', script, process.execPath, program, 'help'], {
      cwd,
      encoding: 'utf8',
    });
    expect(stderr).toBe(
      'error[usage]: the working directory no longer exists\n   = hint: change to an existing directory\n',
    );
    expect(status).toBe(2);
  });

  it('leaves compiled code for the next start, which gives the same and leaves it alone', () => {
    const plain = build({ KUREL_NO_COMPILE_CACHE: '1' });
    expect(plain).toMatchObject({ stderr: '', status: 0 });
    expect(plain.stdout).toContain('a: b');
    expect(readdirSync(home)).toEqual([]);
    expect(build()).toEqual(plain);
    const files = listFiles();
    expect(files.map(([name]) => String(name).replace(/(?:-\d+)?\.cjs-.*/, ''))).toEqual([
      'build',
      'jq',
      'main',
      'work',
      'work',
      'work',
    ]);
    expect(build()).toEqual(plain);
    expect(listFiles()).toEqual(files);
  });

  it('keeps the code of other flags of V8 in other files', () => {
    build();
    const files = listFiles();
    build({ NODE_OPTIONS: '--max-semi-space-size=16' });
    expect(listFiles()).toHaveLength(2 * files.length);
    expect(listFiles()).toEqual(expect.arrayContaining(files));
  });

  it('is ASCII, as the loader takes it to be', () => {
    const files = join(repository, 'packages', 'kurel', 'dist', 'cli');
    // oxlint-disable-next-line no-control-regex -- finding everything else is the point
    const wrong = readdirSync(files).filter((name) => /[^\0-\x7f]/.test(readFileSync(join(files, name), 'latin1')));
    expect(wrong).toEqual([]);
  });

  const small = {
    manifests: ['build', 'examples/plain', '--label', 'a=b'],
    application: [
      'build',
      'examples/applications/web/package',
      '--profile=examples/applications/web/gateway.yaml',
      '--values=examples/applications/shop/staging.yaml',
    ],
    validation: ['validate', 'examples/plain'],
  };

  it.each<[what: string, words: readonly string[], files: readonly string[]]>([
    ['the version', ['version'], ['main']],
    ['a build of manifests', small.manifests, ['build', 'main', 'work']],
    ['a build of a patched application', small.application, ['application', 'build', 'main', 'patch', 'work']],
    ['a validation', small.validation, ['build', 'main', 'validate', 'work']],
  ])('loads only what %s needs', (_, words, files) => {
    const { stderr, status } = run(words);
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    const loaded = readdirSync(directory()).map((name) => name.replace(/(?:-\d+)?\.cjs-.*/, ''));
    expect([...new Set(loaded)].toSorted()).toEqual(files);
  });

  // Each takes up to a few milliseconds. Node 20 loads streams with the module that sets flags of V8.
  it.each(Object.entries(small))('loads few modules of Node: %s', (_, words) => {
    const listing = join(home, 'list.cjs');
    writeFileSync(
      listing,
      `const { writeFileSync } = require('node:fs');
       const before = new Set(process.moduleLoadList);
       const isNew = (entry) => !before.has(entry) && /^NativeModule (?!internal\\/)/.test(entry);
       process.on('exit', () => writeFileSync(${JSON.stringify(join(home, 'list'))}, process.moduleLoadList.filter(isNew).join()));`,
    );
    expect(run(words, { NODE_OPTIONS: `--require ${listing}` })).toMatchObject({ stderr: '', status: 0 });
    const ofFlag = ['v8', 'stream', 'stream/promises', 'string_decoder'];
    const loaded = readFileSync(join(home, 'list'), 'utf8').replaceAll('NativeModule ', '').split(',');
    expect(loaded.filter((name) => !ofFlag.includes(name))).toEqual(['vm']);
  });

  it('runs, and repairs it, when compiled code is damaged', () => {
    const first = build();
    for (const name of readdirSync(directory())) {
      const bytes = readFileSync(join(directory(), name));
      writeFileSync(join(directory(), name), bytes.fill(0x41, 2000, 3000));
    }
    expect(build()).toEqual(first);
    expect(
      readdirSync(directory()).every((name) => !readFileSync(join(directory(), name)).includes('A'.repeat(1000))),
    ).toBe(true);
  });

  it('runs, and repairs it, when compiled code is all zeros, as after a power failure', () => {
    const first = build();
    const files = readdirSync(directory()).map((name) => join(directory(), name));
    for (const file of files) writeFileSync(file, Buffer.alloc(readFileSync(file).length));
    expect(build()).toEqual(first);
    expect(files.some((file) => readFileSync(file).every((byte) => byte === 0))).toBe(false);
  });

  it.each<[string, () => void]>([
    ['there can be no directory', () => writeFileSync(directory(), '')],
    ['others can write to the directory', () => mkdirSync(directory()) ?? chmodSync(directory(), 0o777)],
  ])('runs without it when %s', (_, prepare) => {
    prepare();
    expect(build()).toMatchObject({ stderr: '', status: 0 });
    expect(statSync(directory()).isFile() || readdirSync(directory()).length === 0).toBe(true);
  });

  it('runs without a home', () => {
    expect(run(['version'], { XDG_CACHE_HOME: '' })).toMatchObject({ stderr: '', status: 0 });
  });

  it('keeps its exit code and its messages', () => {
    for (const attempt of [1, 2]) {
      const { status, stderr } = run(['bild']);
      expect({ attempt, status }).toEqual({ attempt, status: 2 });
      expect(stderr).toContain('did you mean kurel build?');
    }
  });
});

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { findNotes } from '../../../scripts/release/release-notes.ts';
import { repository } from './source-tree.ts';

interface Job {
  readonly needs?: string | readonly string[];
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const text = readFileSync(join(repository, '.github', 'workflows', 'release.yml'), 'utf8');
const workflow: { readonly permissions: object; readonly jobs: Readonly<Record<string, Job>> } = parse(text);
const jobs = Object.values(workflow.jobs);

describe('the release workflow', () => {
  it('pins every action to a commit, and names its version', () => {
    const pinned = /^ +- uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(text.split('\n').filter((line) => /\buses:/.test(line) && !pinned.test(line))).toEqual([]);
  });

  it('gives each job only the rights that it needs', () => {
    expect(workflow.permissions).toEqual({});
    const rights = Object.entries(workflow.jobs).map(([name, { permissions }]) => [
      name,
      Object.keys(permissions).filter((right) => permissions[right] === 'write'),
    ]);
    expect(Object.fromEntries(rights)).toEqual({
      check: [],
      files: ['id-token', 'attestations'],
      smoke: [],
      npm: ['id-token'],
      image: ['packages'],
      release: ['contents'],
    });
  });

  it('publishes only after the checks and the smoke tests', () => {
    const before = (name: string): readonly string[] =>
      [workflow.jobs[name]!.needs ?? []].flat().flatMap((other) => [other].concat(before(other)));
    for (const name of ['npm', 'image', 'release']) expect(before(name)).toContain('smoke');
    expect(before('smoke')).toEqual(['files', 'check']);
    expect(jobs[0]!.steps.map(({ run }) => run)).toContain('.ci/run');
  });
});

describe('the notes of a release', () => {
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2030-01-02\n\n- x, see [y](docs/y.md#z)\n\n## [1.1.0] - 2029-01-02\n\n- [w](https://a.example)\n';

  it.each([
    ['1.2.0', '- x, see [y](https://b.example/docs/y.md#z)'],
    ['1.1.0', '- [w](https://a.example)'],
    ['1.1', undefined],
    ['1.3.0', undefined],
  ])('of %s', (version, notes) => {
    expect(findNotes(changelog, version, 'https://b.example/')).toBe(notes);
  });
});

describe.runIf(process.platform !== 'win32')('npm run release:publish', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kurel-to-npm-'));
    for (const path of ['scripts/release/publish.mjs', 'packages/kurel/package.json', 'packages/jq/package.json'])
      cpSync(join(repository, path), join(root, path));
    mkdirSync(join(root, 'bin'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** With an npm that writes down what it is called with; `view` prints the version of published packages. */
  const publish = (variables: Readonly<Record<string, string>>, published = '') => {
    const lines = ['#!/bin/sh', `echo "$*" >> '${root}/calls'`, `case "$*" in ${published}) ${printVersion} ;; esac`];
    writeFileSync(join(root, 'bin', 'npm'), `${lines.join('\n')}\n`, { mode: 0o755 });
    writeFileSync(join(root, 'calls'), '');
    const { PATH, GITHUB_REPOSITORY: _, ...others } = process.env;
    const env = { ...others, PATH: [join(root, 'bin'), PATH].join(delimiter), ...variables };
    const script = join(root, 'scripts', 'release', 'publish.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, '--dry-run'], { env, encoding: 'utf8' });
    return { status, stderr, calls: readFileSync(join(root, 'calls'), 'utf8').trimEnd().split('\n') };
  };
  const { version } = JSON.parse(readFileSync(join(repository, 'packages', 'kurel', 'package.json'), 'utf8'));
  const printVersion = `echo ${version}`;
  const setRepository =
    'pkg set repository.type=git repository.url=git+https://github.com/a/b.git repository.directory=packages/';

  it('publishes jq and then kurel, with provenance and the repository of the workflow', () => {
    expect(publish({ GITHUB_REPOSITORY: 'a/b' }, 'nothing')).toEqual({
      status: 0,
      stderr: '',
      calls: [
        'run --silent build',
        `view @kurel/jq@${version} version`,
        `${setRepository}jq -w packages/jq`,
        'publish --provenance --ignore-scripts --dry-run -w packages/jq',
        `view kurel@${version} version`,
        `${setRepository}kurel -w packages/kurel`,
        'publish --provenance --ignore-scripts --dry-run -w packages/kurel',
      ],
    });
  });

  it('leaves out a version that is published already', () => {
    const { calls } = publish({ GITHUB_REPOSITORY: 'a/b' }, '"view @kurel/jq"*');
    expect(calls.filter((call) => call.startsWith('publish'))).toEqual([
      'publish --provenance --ignore-scripts --dry-run -w packages/kurel',
    ]);
  });

  it('publishes nothing outside of the workflow', () => {
    expect(publish({}, 'nothing')).toMatchObject({ status: 2, calls: [''] });
  });
});

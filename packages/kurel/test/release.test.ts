import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { findReleaseProblems } from '../../../scripts/release/find-release-problems.ts';
import { runProgram } from './run-program.ts';
import { repository } from './source-tree.ts';

const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const readVersion = (path: string): string => JSON.parse(read(path)).version;
const manifests = ['packages/kurel/package.json', 'packages/jq/package.json'];

describe('this version', () => {
  it('is the same everywhere, and has its entry in the changelog', () => {
    const versions = Object.fromEntries(manifests.map((path) => [path, readVersion(path)]));
    const changelog = withoutUnreleased(read('CHANGELOG.md'));
    const benchmarks = figuresOfThisVersion();
    expect(findReleaseProblems({ changes: '', versions, changelog, benchmarks })).toEqual([]);
    const { devDependencies } = JSON.parse(read('packages/kurel/package.json'));
    expect(devDependencies['@kurel/jq']).toBe(readVersion('packages/jq/package.json'));
    const { packages } = JSON.parse(read('package-lock.json'));
    expect(packages['packages/kurel'].version).toBe(readVersion('packages/kurel/package.json'));
    expect(packages['packages/jq'].version).toBe(readVersion('packages/jq/package.json'));
  });

  it('is what kurel version says', async () => {
    const { stdout } = await runProgram(['version']);
    expect(stdout).toMatch(/^kurel (\S+) \(node /);
    expect(stdout.split(' ')[1]).toBe(readVersion('packages/kurel/package.json'));
  });
});

describe('what must not be published', () => {
  const good = {
    changes: '',
    versions: { 'a/package.json': '1.2.0', 'b/package.json': '1.2.0' },
    changelog: '# Changelog\n\n## [1.2.0] - 2030-01-02\n\n- x\n\n## [1.1.0] - 2029-01-02\n',
    benchmarks: '# Benchmarks\n\n| kurel | 1.2.0 |\n',
  };

  it.each([
    ['nothing wrong', good, []],
    [
      'an empty section of what comes next',
      { ...good, changelog: good.changelog.replace('## [1.2.0]', '## [Unreleased]\n\n## [1.2.0]') },
      [],
    ],
    [
      'changes that are not committed',
      { ...good, changes: ' M README.md\n?? new file.ts\n' },
      ['there are changes that are not committed: README.md, new file.ts'],
    ],
    [
      'many changes',
      { ...good, changes: '1234567'.replaceAll(/./g, (digit) => ` M ${digit}\n`) },
      ['there are changes that are not committed: 1, 2, 3, 4, 5, and 2 more'],
    ],
    [
      'two versions',
      { ...good, versions: { 'a/package.json': '1.2.0', 'b/package.json': '1.1.0' } },
      ['versions differ: a/package.json is 1.2.0, b/package.json is 1.1.0'],
    ],
    [
      'a version that the changelog does not know',
      { ...good, versions: { 'a/package.json': '1.3.0' } },
      [
        'the newest version in CHANGELOG.md is 1.2.0, and that of the packages 1.3.0',
        'docs/benchmarks.md measures 1.2.0, not 1.3.0: run npm run bench -- --docs',
      ],
    ],
    [
      'figures of another version',
      { ...good, benchmarks: '| kurel | 0.1.0 |\n' },
      ['docs/benchmarks.md measures 0.1.0, not 1.2.0: run npm run bench -- --docs'],
    ],
    [
      'no figures',
      { ...good, benchmarks: '' },
      ['docs/benchmarks.md measures no version, not 1.2.0: run npm run bench -- --docs'],
    ],
    [
      'a changelog without versions',
      { ...good, changelog: '# Changelog\n' },
      ['the newest version in CHANGELOG.md is missing, and that of the packages 1.2.0'],
    ],
    [
      'no date',
      { ...good, changelog: '## [1.2.0]\n\n- x\n' },
      ['CHANGELOG.md gives 1.2.0 no date: write "## [1.2.0] - YYYY-MM-DD"'],
    ],
    [
      'another tag',
      { ...good, tag: 'v1.3.0' },
      ['the tag is v1.3.0, and the version of the packages 1.2.0: the tag must be v1.2.0'],
    ],
    ['the tag of the version', { ...good, tag: 'v1.2.0' }, []],
    [
      'changes without a version',
      { ...good, changelog: good.changelog.replace('## [1.2.0]', '## [Unreleased]\n\n- y\n\n## [1.2.0]') },
      ['CHANGELOG.md has changes under "Unreleased": put them under 1.2.0'],
    ],
  ])('%s', (_title, state, expected) => {
    expect(findReleaseProblems(state)).toEqual(expected);
  });
});

describe('before npm publishes', () => {
  let root = '';
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: root });
  /** With the variables of `npm publish -w packages/kurel --dry-run`, which must not reach the checks. */
  const run = () =>
    spawnSync(process.execPath, [join(root, 'scripts', 'before-publish.mjs')], {
      cwd: join(root, 'packages', 'kurel'),
      env: { ...process.env, npm_config_workspace: 'packages/kurel', npm_config_dry_run: 'true' },
      encoding: 'utf8',
    });
  const writeCheck = (exitCode: number) =>
    writeFileSync(
      join(root, 'scripts', 'check.mjs'),
      `import { writeFileSync } from 'node:fs';
const seen = Object.keys(process.env).filter((name) => name.startsWith('npm_'));
writeFileSync('node_modules.checked', JSON.stringify({ seen, cwd: process.cwd() }));
process.exit(${exitCode});
`,
    );

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kurel-publish-'));
    const files = [
      'CHANGELOG.md',
      'scripts/before-publish.mjs',
      'scripts/import-source.mjs',
      'scripts/release',
      ...manifests,
    ];
    for (const path of files) cpSync(join(repository, path), join(root, path), { recursive: true });
    writeFileSync(join(root, 'CHANGELOG.md'), withoutUnreleased(read('CHANGELOG.md')));
    mkdirSync(join(root, 'scripts'), { recursive: true });
    mkdirSync(join(root, 'docs'));
    writeFileSync(join(root, 'docs', 'benchmarks.md'), figuresOfThisVersion());
    symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'), 'junction');
    writeFileSync(join(root, '.gitignore'), 'node_modules\nnode_modules.checked\n');
    writeCheck(0);
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'a');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const checked = (): string => join(root, 'node_modules.checked');

  it('runs every check on the whole repository', () => {
    expect(run()).toMatchObject({ status: 0, stderr: '' });
    const { seen, cwd } = JSON.parse(readFileSync(checked(), 'utf8'));
    expect(seen).toEqual([]);
    expect(cwd.endsWith(root.split(/[\\/]/).at(-1)!)).toBe(true);
  });

  it('refuses what is not committed, before it checks anything', () => {
    writeFileSync(join(root, 'new.txt'), '');
    expect(run()).toMatchObject({
      status: 1,
      stderr: 'not published: there are changes that are not committed: new.txt\n',
    });
    expect(existsSync(checked())).toBe(false);
  });

  it('refuses what fails a check', () => {
    writeCheck(1);
    git('commit', '--quiet', '-am', 'b');
    expect(run()).toMatchObject({ status: 1, stderr: 'not published: npm run check fails\n' });
  });
});

/** Between two releases there are changes that no version has yet. */
/** The figures are measured again for each release. */
function figuresOfThisVersion(): string {
  return `| kurel | ${readVersion(manifests[0]!)} |\n`;
}

function withoutUnreleased(changelog: string): string {
  return changelog.replace(/^## \[Unreleased\]\n[^]*?(?=^## \[)/m, '');
}

import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { repository } from './source-tree.ts';

// The recipes of docs/fleet.md run as they are written, in clones of a local repository. Only the forges are replaced, by programs named
// gh and curl that keep comments in a file.

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-recipes-'));
const remote = join(place, 'remote.git');
const work = join(place, 'work');
const programs = join(place, 'bin');
const page = readFileSync(join(repository, 'docs', 'fleet.md'), 'utf8');
const kurel = join(repository, 'packages', 'kurel', 'bin', 'kurel.cjs');
const actionlint = join(repository, '.tools', 'bin', 'actionlint');

const guide = readFileSync(join(repository, 'docs', 'guides', 'many-machines.md'), 'utf8');

function recipe(after: string, of = page): string {
  const [, text] = /```yaml\n([^]*?)```/.exec(of.slice(of.indexOf(after))) ?? [];
  return text!;
}

const workflow = recipe('GitHub Actions, with');
const pipeline = recipe('GitLab, with');

function git(directory: string, ...args: readonly string[]): string {
  const settings = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...settings, ...args], { cwd: directory, encoding: 'utf8', stdio: 'pipe' }).trim();
}

const forge = `#!${process.execPath}
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { compile } from ${JSON.stringify(pathToFileURL(join(repository, 'packages', 'jq', 'dist', 'index.js')).href)};

const isGitHub = process.argv[1].endsWith('/gh');
const file = process.env.COMMENTS;
const comments = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
const words = process.argv.slice(isGitHub ? 3 : 2);
const taking = new Set(['--jq', '-X', '-F', '-H', '-o', '--data-urlencode']);
const options = new Map();
const rest = [];
for (let index = 0; index < words.length; index += 1) {
  if (taking.has(words[index])) options.set(words[index], words[(index += 1)]);
  else if (!words[index].startsWith('-')) rest.push(words[index]);
}
const [url, ...others] = rest;
if (others.length > 0) fail('unknown words ' + others.join(' '));
const token = isGitHub ? process.env.GH_TOKEN : options.get('-H');
if (token !== (isGitHub ? 'secret' : 'PRIVATE-TOKEN: secret')) fail('no token');
const from = /body[=]?@(.*)/.exec(options.get(isGitHub ? '-F' : '--data-urlencode') ?? '')?.[1];
const body = from === undefined ? undefined : readFileSync(from, 'utf8');
const method = options.get('-X') ?? (body === undefined ? 'GET' : 'POST');
const all = isGitHub ? /^repos\\/me\\/fleet\\/issues\\/7\\/comments$/ : /^https:\\/\\/forge\\/projects\\/3\\/merge_requests\\/7\\/notes(?:\\?per_page=100)?$/;
const one = isGitHub ? /^repos\\/me\\/fleet\\/issues\\/comments\\/(\\d+)$/ : /^https:\\/\\/forge\\/projects\\/3\\/merge_requests\\/7\\/notes\\/(\\d+)$/;
const most = isGitHub ? 65_536 : 1_000_000;
if (body !== undefined && body.length > most) fail('body is too long');
if (method === 'GET' && all.test(url)) {
  if (!isGitHub) console.log(JSON.stringify(comments.toReversed()));
  else for (const line of compile(options.get('--jq')).all(comments)) console.log(String(line));
} else if (method === 'POST' && all.test(url)) {
  comments.push({ id: comments.length + 1, body });
} else if (method === (isGitHub ? 'PATCH' : 'PUT') && one.test(url)) {
  comments.find(({ id }) => id === Number(one.exec(url)[1])).body = body;
} else fail('unknown request ' + method + ' ' + url);
writeFileSync(file, JSON.stringify(comments));

function fail(reason) {
  console.error(reason);
  process.exit(22);
}
`;

const jq = `#!${process.execPath}
import { readFileSync } from 'node:fs';
import { compile } from ${JSON.stringify(pathToFileURL(join(repository, 'packages', 'jq', 'dist', 'index.js')).href)};
for (const value of compile(process.argv[2]).all(JSON.parse(readFileSync(0, 'utf8')))) console.log(JSON.stringify(value));
`;

interface Shell {
  readonly directory: string;
  readonly script: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly comments: string;
}

function runShell({ directory, script, variables, comments }: Shell) {
  const temporary = join(place, 'temporary');
  mkdirSync(temporary, { recursive: true });
  return spawnSync('bash', ['-c', script], {
    cwd: directory,
    encoding: 'utf8',
    env: {
      PATH: `${programs}${delimiter}${process.env['PATH']}`,
      HOME: place,
      TMPDIR: temporary,
      XDG_CACHE_HOME: join(place, 'cache'),
      COMMENTS: join(place, comments),
      ...variables,
    },
  });
}

interface Step {
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The steps of the job as the runner starts them: `bash -e`. The last one runs always. */
function runWorkflow(directory: string, comments: string) {
  const { steps } = (parse(workflow) as { jobs: { review: { steps: readonly Step[] } } }).jobs.review;
  const values: Readonly<Record<string, string>> = {
    'github.token': 'secret',
    'github.event.pull_request.number': '7',
  };
  const outcomes = steps.flatMap(({ run, env = {} }) => {
    if (run === undefined) return [];
    const fill = (text: string): string => text.replaceAll(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => values[name]!);
    const filled = Object.entries(env).map(([name, text]) => [name, fill(text)] as const);
    const variables = { GITHUB_REPOSITORY: 'me/fleet', RUNNER_TEMP: place, ...Object.fromEntries(filled) };
    return [runShell({ directory, script: `set -e\n${run}`, variables, comments })];
  });
  return { status: outcomes.find(({ status }) => status !== 0)?.status ?? 0, outcomes };
}

/** The script of the job as the runner joins its lines: `set -eo pipefail`. */
function runPipeline(directory: string, comments: string, base: string) {
  const { fleet } = parse(pipeline) as { fleet: { script: readonly string[]; variables: Record<string, string> } };
  const given = { CI_API_V4_URL: 'https://forge', CI_PROJECT_ID: '3', CI_MERGE_REQUEST_IID: '7' };
  const fill = (text: string): string =>
    text.replaceAll(/\$(\w+)/g, (_, name: keyof typeof given) => given[name] ?? '');
  const variables = {
    ...given,
    NOTES: fill(fleet.variables['NOTES']!),
    COMMENT_TOKEN: 'secret',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
  };
  return runShell({ directory, script: ['set -eo pipefail', ...fleet.script].join('\n'), variables, comments });
}

function commentsIn(name: string): readonly string[] {
  const file = join(place, name);
  if (!existsSync(file)) return [];
  return (JSON.parse(readFileSync(file, 'utf8')) as readonly { body: string }[]).map(({ body }) => body);
}

function build(): void {
  execFileSync(process.execPath, [kurel, 'fleet', 'build'], { cwd: work, stdio: 'pipe' });
}

/** Commits a change on a branch, and the merge that GitHub checks out for its pull request. */
function propose(name: string, change: () => void, into = 'main'): { readonly base: string } {
  git(work, 'checkout', '--quiet', '-b', name, into);
  const base = git(work, 'rev-parse', into);
  change();
  git(work, 'add', '--all');
  git(work, 'commit', '--quiet', '--message', name);
  git(work, 'checkout', '--quiet', '-b', `${name}-merge`, into);
  git(work, 'merge', '--quiet', '--no-ff', '--message', 'merge', name);
  git(work, 'push', '--quiet', 'origin', name, `HEAD:refs/pull/${name}/merge`);
  return { base };
}

let clones = 0;

/** A clone of one ref, as the runners make it. */
function clone(ref: string, depth?: number): string {
  clones += 1;
  const directory = join(place, `clone-${clones}`);
  mkdirSync(directory);
  git(directory, 'init', '--quiet');
  git(directory, 'remote', 'add', 'origin', pathToFileURL(remote).href);
  git(directory, 'fetch', '--quiet', ...(depth === undefined ? [] : [`--depth=${depth}`]), 'origin', ref);
  git(directory, 'checkout', '--quiet', 'FETCH_HEAD');
  return directory;
}

const depth = (parse(workflow) as { jobs: { review: { steps: readonly { with?: { 'fetch-depth': number } }[] } } }).jobs
  .review.steps[0]!.with!['fetch-depth'];

beforeAll(() => {
  mkdirSync(programs);
  writeFileSync(join(programs, 'package.json'), '{"type": "module"}\n');
  for (const name of ['gh', 'curl']) writeFileSync(join(programs, name), forge, { mode: 0o755 });
  writeFileSync(join(programs, 'jq'), jq, { mode: 0o755 });
  writeFileSync(join(programs, 'kurel'), `#!/bin/sh\nexec "${process.execPath}" "${kurel}" "$@"\n`, { mode: 0o755 });
  git(place, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  cpSync(join(repository, 'examples', 'fleet'), work, { recursive: true });
  git(work, 'init', '--quiet', '--initial-branch=main');
  git(work, 'remote', 'add', 'origin', pathToFileURL(remote).href);
  build();
  git(work, 'add', '--all');
  git(work, 'commit', '--quiet', '--message', 'first');
  git(work, 'push', '--quiet', 'origin', 'main');
}, 60_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

function itIsValid(text: string): void {
  it.skipIf(!existsSync(actionlint))('are a valid workflow', () => {
    const file = join(place, 'workflow.yaml');
    writeFileSync(file, text);
    const { status, stdout } = spawnSync(actionlint, ['-shellcheck=', '-pyflakes=', file], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });
}

describe.skipIf(process.platform === 'win32')('the recipes for pull requests', { tags: 'slow' }, () => {
  itIsValid(workflow);

  it('comment once, and update the comment', () => {
    const { base } = propose('scale', () => {
      appendFileSync(join(work, 'values', 'shop.yaml'), 'replicas: 3\n');
      build();
    });
    const runs = [
      () => runWorkflow(clone('refs/pull/scale/merge', depth), 'github.json'),
      () => runPipeline(clone('scale'), 'gitlab.json', base),
    ];
    for (const [index, run] of runs.entries()) {
      const file = index === 0 ? 'github.json' : 'gitlab.json';
      writeFileSync(join(place, file), JSON.stringify([{ id: 1, body: 'LGTM' }]));
      expect(run()).toMatchObject({ status: 0 });
      const [, first, ...more] = commentsIn(file);
      expect(first).toMatch(new RegExp(`^### 1 target changed[^]*Compared with \`${base}\`[^]*spec\\.replicas`));
      expect(more).toEqual([]);
      const again = JSON.parse(readFileSync(join(place, file), 'utf8')) as { body: string }[];
      again[1]!.body = 'outdated\n<!-- kurel fleet -->\n';
      writeFileSync(join(place, file), JSON.stringify(again));
      expect(run()).toMatchObject({ status: 0 });
      expect(commentsIn(file)).toEqual(['LGTM', first]);
    }
  }, 120_000);

  it('comment on outputs that are not up to date, and fail', () => {
    const { base } = propose('stale', () => appendFileSync(join(work, 'values', 'search.yaml'), 'replicas: 3\n'));
    expect(runWorkflow(clone('refs/pull/stale/merge', depth), 'stale-github.json').status).toBe(1);
    expect(commentsIn('stale-github.json')).toHaveLength(1);
    expect(runPipeline(clone('stale'), 'stale-gitlab.json', base).status).toBe(1);
    expect(commentsIn('stale-gitlab.json')).toHaveLength(1);
  }, 120_000);

  it('shorten a comment that is too long', () => {
    const { base } = propose('long', () => {
      const objects = Array.from({ length: 900 }, (_, index) => {
        return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${'long-'.repeat(10)}${index}, namespace: shop}\n`;
      });
      writeFileSync(join(work, 'packages', 'many.yaml'), objects.join('---\n'));
      const fleet = readFileSync(join(work, 'kurel.fleet.yaml'), 'utf8');
      const added = '  applications:\n    many:\n      package: packages/many.yaml\n';
      writeFileSync(join(work, 'kurel.fleet.yaml'), fleet.replace('  applications:\n', added));
      build();
    });
    expect(runWorkflow(clone('refs/pull/long/merge', depth), 'long-github.json')).toMatchObject({ status: 0 });
    expect(runPipeline(clone('long'), 'long-gitlab.json', base)).toMatchObject({ status: 0 });
    for (const file of ['long-github.json', 'long-gitlab.json']) {
      const [comment, ...others] = commentsIn(file);
      expect(comment).toMatch(
        /^### 2 targets added[^]* more changes are too long for a comment\.\n\n<!-- kurel fleet -->\n$/,
      );
      expect(comment!.length).toBeGreaterThan(50_000);
      expect(others).toEqual([]);
    }
  }, 120_000);

  it('compare with a base branch that no longer exists', () => {
    git(work, 'branch', '--quiet', 'release', 'main');
    git(work, 'push', '--quiet', 'origin', 'release');
    const change = (): void => {
      appendFileSync(join(work, 'values', 'shop.yaml'), 'replicas: 4\n');
      build();
    };
    const { base } = propose('fix', change, 'release');
    git(work, 'push', '--quiet', 'origin', ':release');
    expect(runWorkflow(clone('refs/pull/fix/merge', depth), 'gone-github.json')).toMatchObject({ status: 0 });
    expect(runPipeline(clone('refs/pull/fix/merge'), 'gone-gitlab.json', base)).toMatchObject({ status: 0 });
    expect(commentsIn('gone-github.json')).toEqual(commentsIn('gone-gitlab.json'));
  }, 120_000);

  it('say what is missing in a shallow clone and at the first commit, and do not comment', () => {
    const base = git(work, 'rev-parse', 'main');
    const shallow = runWorkflow(clone('refs/pull/scale/merge', 1), 'shallow.json');
    expect(shallow.status).not.toBe(0);
    const { status, stderr } = runPipeline(clone('scale', 1), 'shallow.json', base);
    expect(status).toBe(1);
    expect(stderr).toContain('this clone is shallow');
    expect(runWorkflow(clone('main'), 'shallow.json').status).not.toBe(0);
    const zero = '0'.repeat(40);
    const first = runPipeline(clone('main'), 'shallow.json', zero);
    expect(first.status).toBe(1);
    expect(first.stderr).toContain(`cannot read revision "${zero}"`);
    expect(commentsIn('shallow.json')).toEqual([]);
  }, 120_000);
});

describe.skipIf(process.platform === 'win32')('the recipes for shards', { tags: 'slow' }, () => {
  const github = recipe('## Shards in GitHub', guide);
  const gitlab = recipe('## Shards in GitLab', guide);

  itIsValid(github);

  it('check all targets, and notice a missing shard', () => {
    const { jobs } = parse(github) as { jobs: Record<'build' | 'report', { steps: readonly Step[] }> };
    const { build: shard, report } = parse(gitlab) as Record<'build' | 'report', { script: readonly string[] }>;
    const scriptOf = ({ steps }: { readonly steps: readonly Step[] }): string =>
      steps.flatMap(({ run }) => run ?? []).join('\n');
    const recipes = [
      { each: scriptOf(jobs.build), all: scriptOf(jobs.report), variables: (index: number) => ({ SHARD: `${index}` }) },
      {
        each: shard.script.join('\n'),
        all: report.script.join('\n'),
        variables: (index: number) => ({ CI_NODE_INDEX: `${index}`, CI_NODE_TOTAL: '4' }),
      },
    ];
    for (const { each, all, variables } of recipes) {
      const directory = clone('main');
      for (const index of [1, 2, 3, 4]) {
        const run = runShell({ directory, script: `set -e\n${each}`, variables: variables(index), comments: 'none' });
        expect(run).toMatchObject({ status: 0 });
      }
      const merge = () => runShell({ directory, script: `set -e\n${all}`, variables: {}, comments: 'none' });
      expect(merge()).toMatchObject({ status: 0, stderr: '6 targets: 6 up to date; 2 findings accepted\n' });
      rmSync(join(directory, 'reports', '3.json'));
      const { status, stderr } = merge();
      expect(status).toBe(1);
      expect(stderr).toContain('no report of shard 3/4');
    }
  }, 120_000);
});

describe.skipIf(process.platform === 'win32')('the recipes for caches', { tags: 'slow' }, () => {
  const github = recipe('## A cache in a directory', guide);

  itIsValid(github);

  it('find the targets of the last run in the directory', () => {
    const { jobs } = parse(github) as { jobs: { build: { steps: readonly (Step & { with?: { path?: string } })[] } } };
    const path = jobs.build.steps.find((step) => step.with?.path !== undefined)!.with!.path!;
    const script = jobs.build.steps.flatMap(({ run }) => run ?? []).join('\n');
    const first = clone('main');
    for (const [directory, remark] of [
      [first, ''],
      [clone('main'), '6 from the cache; '],
    ] as const) {
      if (directory !== first) cpSync(join(first, path), join(directory, path), { recursive: true });
      const run = runShell({ directory, script: `set -e\n${script}`, variables: {}, comments: 'none' });
      expect(run).toMatchObject({ status: 0, stderr: `6 targets: 6 up to date; ${remark}2 findings accepted\n` });
    }
  }, 120_000);

  it('build without the cache where there is no key', () => {
    const [, script] = /```sh\n {2}(kurel fleet build .*KUREL_CACHE_KEY.*)\n/.exec(guide)!;
    const directory = clone('main');
    const run = (variables: Readonly<Record<string, string>>) =>
      runShell({
        directory,
        script: script!,
        variables: { CACHE_URL: 'http://127.0.0.1:9', ...variables },
        comments: 'none',
      });
    for (const variables of [{}, { KUREL_CACHE_KEY: '' }]) {
      expect(run(variables)).toMatchObject({ status: 0, stderr: '6 targets: 6 up to date; 2 findings accepted\n' });
    }
    const { status, stderr } = run({ KUREL_CACHE_KEY: 'a key that all machines share' });
    expect(status).toBe(0);
    expect(stderr).toContain('cannot read from the cache: the connection was refused');
  }, 120_000);
});

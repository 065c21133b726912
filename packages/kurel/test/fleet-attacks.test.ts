import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { spawnProgram } from './kurel-program.ts';
import { runProgram } from './run-program.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-attacks-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

interface Target {
  readonly name: string;
  readonly output: string;
  readonly package?: string;
  readonly instance?: string;
  readonly layout?: string;
  readonly cluster?: string;
  readonly flux?: Readonly<Record<string, string>> | undefined;
}

let count = 0;

/** A repository with two packages, beside a directory that does not belong to it. Links are created in the repository. */
function createProject({ links = {} }: { readonly links?: Readonly<Record<string, string>> } = {}) {
  const around = join(place, `${count++}`);
  const repository = join(around, 'repository');
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  };
  for (const name of ['app', 'web']) {
    const metadata = `metadata: {name: ${name}, namespace: ${name}}`;
    write(`${name}/app.yaml`, `apiVersion: v1\nkind: ConfigMap\n${metadata}\ndata: {a: b}\n`);
  }
  mkdirSync(join(around, 'outside'));
  execFileSync('git', ['init', '--quiet'], { cwd: repository });
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    symlinkSync(target, join(repository, path));
  }
  const variables = { PATH: process.env['PATH'], XDG_CACHE_HOME: join(around, 'cache') };
  const writeFleet = (targets: readonly Target[], file = 'kurel.fleet.yaml'): void => {
    const lines = targets.map((target) => `  - ${JSON.stringify({ package: 'app', ...target })}\n`).join('');
    const clusters = 'clusters: {berlin: {}, paris: {}}';
    const used = targets.some(({ cluster }) => cluster !== undefined) ? `  ${clusters}\n` : '';
    write(file, `apiVersion: launcher.gokure.dev/v1alpha1\nkind: Fleet\nspec:\n${used}  targets:\n${lines}`);
  };
  async function fleet(...words: readonly string[]): Promise<string> {
    const { exitCode, ...texts } = await runProgram(['fleet', ...words], { workingDirectory: repository, variables });
    return [exitCode, ...codesIn(texts.stdout + texts.stderr)].join(' ');
  }
  return {
    around,
    repository,
    write,
    writeFleet,
    fleet,
    /** Writes the fleet file, and builds it. */
    build: (targets: readonly Target[], ...words: readonly string[]): Promise<string> => {
      writeFleet(targets);
      return fleet('build', ...words);
    },
    spawn: (...words: readonly string[]) => spawnProgram(words, { workingDirectory: repository, variables, stdin: '' }),
    read: (path: string): string => readFileSync(join(repository, path), 'utf8'),
    tree: (): readonly string[] => treeOf(repository).filter((path) => !/^(?:\.git|app|web)\//.test(path)),
  };
}

function codesIn(text: string): readonly (string | undefined)[] {
  return Array.from(text.matchAll(/^(?:error|warning|note)\[([\w-]+)\]/gm), ([, code]) => code);
}

/** All files below a directory, without those behind links, which some versions of Node follow. */
function treeOf(directory: string, below = ''): readonly string[] {
  const entries = readdirSync(join(directory, below), { withFileTypes: true });
  const paths = entries.flatMap((entry) => {
    const path = join(below, entry.name);
    if (entry.isDirectory()) return treeOf(directory, path);
    return entry.isFile() ? [path] : [];
  });
  return paths.toSorted();
}

const app: Target = { name: 'app', output: 'out/app', instance: 'app' };
const web: Target = { name: 'web', output: 'out/web', instance: 'web', package: 'web' };
const flux = { layout: 'flux', flux: { source: 'GitRepository/fleet' } };

describe('".." after a link', () => {
  const links = { self: '.', inner: 'some/place', 'some/place/up': '../../..' };

  it.each([
    ['self/../fresh', 'fresh'],
    ['self/../fresh/deeper', 'fresh/deeper'],
    ['inner/../fresh', 'fresh'],
    ['inner/up/../fresh', 'some/place/fresh'],
    ['./self/.././/fresh/', 'fresh'],
    ['self/self/../../fresh', 'fresh'],
  ])('%s is the directory that was checked, %s', async (output, expected) => {
    const { around, repository, writeFleet, spawn } = createProject({ links });
    writeFleet([{ ...app, output }]);
    // The program uses relative paths in the directory of the fleet file.
    expect(await spawn('fleet', 'build')).toMatchObject({ exitCode: 0, stderr: '1 target: 1 built\n' });
    expect(existsSync(join(repository, expected, 'configmap-app-app.yaml'))).toBe(true);
    expect(readdirSync(around).toSorted()).toEqual(['cache', 'outside', 'repository']);
  });

  it.each([
    ['build', 'app', '-o', 'self/../fresh/'],
    ['build', 'app', '-o', 'self/../fresh.yaml'],
    ['fleet', 'build', '--report', 'self/../fresh.json'],
    ['init', 'self/../fresh'],
  ])('has the same meaning in kurel %s %s %s %s', async (...words) => {
    const { around, repository, writeFleet, spawn } = createProject({ links });
    writeFleet([app]);
    expect((await spawn(...words)).exitCode).toBe(0);
    expect(readdirSync(repository).some((name) => name.startsWith('fresh'))).toBe(true);
    expect(readdirSync(around).some((name) => name.startsWith('fresh'))).toBe(false);
  });
});

describe('links of outputs and packages', () => {
  const links = { same: 'out', self: '.', package: 'web', empty: 'nothing/there', old: 'some/place' };

  it.each<[name: string, targets: readonly Target[], codes: string]>([
    [
      'two targets, one directory',
      [
        { ...app, output: 'out/x' },
        { ...web, output: 'same/x' },
      ],
      '1 fleet-output-shared',
    ],
    [
      'two links, one directory',
      [
        { ...app, output: 'self/out/x' },
        { ...web, output: 'same/x' },
      ],
      '1 fleet-output-shared',
    ],
    [
      'one directory that does not exist yet',
      [
        { ...app, output: 'empty' },
        { ...web, output: 'nothing/there' },
      ],
      '1 output-blocked fleet-output-shared',
    ],
    [
      'inside another output',
      [
        { ...app, output: 'self/out/x' },
        { ...web, output: 'out' },
      ],
      '1 fleet-output-nested',
    ],
    [
      'around another output',
      [
        { ...app, output: 'out/x' },
        { ...web, output: 'same' },
      ],
      '1 fleet-output-nested',
    ],
    ['the package of another target', [{ ...app, output: 'package' }, web], '1 fleet-output-in-package'],
    ['in the package of another target', [{ ...app, output: 'self/web/x' }, web], '1 fleet-output-in-package'],
    [
      'in a linked package',
      [
        { ...app, output: 'web/x' },
        { ...web, package: 'package' },
      ],
      '1 fleet-output-in-package',
    ],
    [
      'hidden in a linked package',
      [
        { ...app, output: 'web/.x' },
        { ...web, package: 'package' },
      ],
      '0',
    ],
    [
      'apart',
      [
        { ...app, output: 'same/x' },
        { ...web, package: 'package', output: 'self/y' },
      ],
      '0',
    ],
  ])('%s', async (_, targets, codes) => {
    const { writeFleet, write, fleet } = createProject({ links });
    write('out/README', '');
    writeFleet(targets);
    for (const words of [['list'], ['validate'], ['build', '--no-cache']]) {
      const found = await fleet(...words);
      expect([words, found]).toEqual([words, words[0] === 'build' ? codes : codes.replace('output-blocked ', '')]);
    }
  });

  it('become the path that Flux reads, which has no links', async () => {
    const { write, build, read } = createProject({ links });
    write('some/place/README', '');
    expect(await build([{ ...app, ...flux, output: 'old' }])).toBe('0');
    expect(read('some/place/kustomizations/app-main/kustomization.yaml')).toContain('path: ./some/place/main\n');
  });

  it.each<[name: string, output: string, git: string | undefined, path: string]>([
    ['in the repository', 'out', undefined, './out/main'],
    ['with a name that begins with dots', '..out/x', undefined, './..out/x/main'],
    ['in a submodule', 'module/deep/x', 'module', './deep/x/main'],
    ['in a repository of its own', 'out/x', 'out/x', './main'],
    ['in another repository', '../outside/x', '../outside', './x/main'],
    ['in a directory without git', '../outside/x', undefined, './main'],
  ])('and outputs %s have a path for Flux', async (_, output, git, path) => {
    const { write, build, read } = createProject({ links });
    if (git !== undefined) write(join(git, '.git'), 'gitdir: ../somewhere\n');
    expect(await build([{ ...app, ...flux, output }], '--allow-output=../outside')).toBe('0');
    expect(read(join(output, 'kustomizations/app-main/kustomization.yaml'))).toContain(`path: ${path}\n`);
  });

  it.each([
    ['package', 1_500, '1 fleet-path-missing'],
    ['package', 100_000, '1 file-access'],
    ['output', 2_500, '1 output-failed'],
    ['output', 100_000, '1 budget-exhausted'],
  ])('and a path to %s of %i directories end with a finding', async (setting, depth, codes) => {
    const { build } = createProject({ links });
    const path = `same/${'a/'.repeat(depth)}x`;
    expect(await build([web, { ...app, output: 'self/out/app', [setting]: path }])).toBe(codes);
  });

  it('do not prevent a move', async () => {
    const { write, build, tree } = createProject({ links });
    write('some/place/README', '');
    expect(await build([{ ...app, output: 'old' }])).toBe('0');
    rmSync(join(place, `${count - 1}`, 'repository/some/place/README'));
    expect(await build([app])).toBe('0');
    expect(await build([app], '--check')).toBe('0');
    expect(tree().filter((path) => path.startsWith('some'))).toEqual([]);
  });

  it.each([
    ['outside', '1 fleet-output-outside'],
    ['.git/hooks', '1 fleet-output-outside'],
    ['apart', '0'],
    ['out/web', '0'],
  ])('that replace a removed output, to %s, are not followed out', async (target, codes) => {
    const { around, repository, write, build } = createProject();
    expect(await build([app, web])).toBe('0');
    write('apart/keep.txt', 'mine');
    const inventory = readFileSync(join(repository, 'out/app/.kurel-inventory'));
    rmSync(join(repository, 'out/app'), { recursive: true });
    const real = target === 'outside' ? join(around, 'outside') : join(repository, target);
    symlinkSync(real, join(repository, 'out/app'));
    if (target !== 'out/web') writeFileSync(join(real, '.kurel-inventory'), inventory);
    const before = treeOf(real);
    expect(await build([web], '--prune')).toBe(codes);
    const left = target === 'apart' ? ['keep.txt'] : before;
    expect(treeOf(real)).toEqual(left);
  });

  it.each(['reports', 'self/reports'])(
    'do not redirect a report in %s, however the repository is named',
    async (way) => {
      const { around, repository, writeFleet, spawn } = createProject({ links: { reports: '../outside', self: '.' } });
      symlinkSync(repository, join(around, 'alias'));
      writeFleet([app]);
      for (const start of ['.', repository, '../alias', join(around, 'alias')]) {
        const { exitCode, stderr } = await spawn('fleet', 'build', '--report', `${start}/${way}/1.json`);
        expect([exitCode, ...codesIn(stderr)]).toEqual([1, 'fleet-output-outside']);
      }
      expect(treeOf(join(around, 'outside'))).toEqual([]);
      expect((await spawn('fleet', 'build', '--report', '../alias/1.json')).exitCode).toBe(0);
    },
  );
});

describe('moves that do not happen at once', () => {
  const [one, two] = [
    { ...app, output: 'out/one' },
    { ...web, output: 'out/two' },
  ];
  const swapped = [
    { ...one, output: 'out/two' },
    { ...two, output: 'out/one' },
  ];

  async function buildFresh(targets: readonly Target[]): Promise<readonly (readonly [string, string])[]> {
    const { build, tree, read } = createProject();
    expect(await build(targets)).toBe('0');
    return tree().map((path) => [path, read(path)] as const);
  }

  it.each([
    ['a swap, one after the other', [one, two], swapped, ['app', 'web']],
    ['a swap, the other way round', [one, two], swapped, ['web', 'app']],
    [
      'a chain, from its end',
      [one, two],
      [
        { ...one, output: 'out/two' },
        { ...two, output: 'out/three' },
      ],
      ['app', 'web'],
    ],
    [
      'into the tree of a target that leaves it',
      [{ ...one, ...flux }],
      [
        { ...one, ...flux, output: 'out/two' },
        { ...two, ...flux, output: 'out/one' },
      ],
      ['web', 'app'],
    ],
    [
      'instance, layout and output together, over the tree of another',
      [
        { ...one, ...flux },
        { ...two, layout: 'argocd' },
      ],
      [
        { ...one, output: 'out/two', instance: 'next', layout: 'by-kind' },
        { ...two, ...flux, output: 'out/three', instance: 'other' },
      ],
      ['web', 'app'],
    ],
  ] as const)('%s, end in a clean build', async (_, before, after, order) => {
    const { build, fleet, writeFleet, tree, read } = createProject();
    expect(await build(before)).toBe('0');
    writeFleet(after);
    for (const name of order) {
      expect(await fleet('build', '--check')).toMatch(/^1 /);
      expect(await fleet('build', name)).toBe('0');
    }
    expect(await fleet('build', '--check', '--no-cache')).toBe('0');
    expect(tree().map((path) => [path, read(path)])).toEqual(await buildFresh(after));
  });

  it.each([
    ['another instance', { instance: 'three' }],
    ['the instance of before', { instance: 'app' }],
    ['another layout', { instance: 'three', layout: 'argocd', flux: undefined }],
    ['another output', { instance: 'three', output: 'out/three' }],
  ])('a killed change of the instance, then %s', async (_, change) => {
    const { build, fleet, write, tree, read } = createProject();
    const before = { ...app, ...flux };
    expect(await build([before])).toBe('0');
    // A run records the new instance before it writes: this one fails after that.
    rmSync(join(place, `${count - 1}`, 'repository/app/app.yaml'));
    expect(await build([{ ...before, instance: 'two' }])).toMatch(/^1 /);
    const record = read('.kurel.fleet.outputs');
    expect(JSON.parse(record)).toMatchObject({ outputs: { 'out/app': { instance: ['app', 'two'] } } });
    // And this one writes, but is killed before it has recorded that.
    write('app/app.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app, namespace: app}\ndata: {a: b}\n');
    expect(await fleet('build')).toBe('0');
    write('.kurel.fleet.outputs', record);
    const after = { ...before, ...change };
    expect(await build([after])).toBe('0');
    expect(tree().map((path) => [path, read(path)])).toEqual(await buildFresh([after]));
    expect(await fleet('build', '--check', '--no-cache')).toBe('0');
  });

  it('removes what it can, and reports the rest again', async () => {
    const { build, fleet, write, tree } = createProject();
    expect(await build([app, web, { ...web, name: 'third', output: 'out/third' }])).toBe('0');
    write('out/app/.kurel-inventory', '{');
    const moved = [
      { ...app, output: 'new/app' },
      { ...web, output: 'new/web' },
    ];
    expect(await build(moved, '--prune')).toBe('1 output-inventory-broken');
    expect(tree().filter((path) => path.startsWith('out/'))).toEqual([
      'out/app/.kurel-inventory',
      'out/app/configmap-app-app.yaml',
    ]);
    expect(await fleet('build', '--check')).toBe('1 fleet-output-moved');
    expect(await fleet('build')).toBe('1 output-inventory-broken');
    rmSync(join(place, `${count - 1}`, 'repository/out/app'), { recursive: true });
    expect(await fleet('build')).toBe('0');
    expect(await fleet('build', '--check')).toBe('0');
  });

  it.each([
    ['another instance', { instance: 'two' }],
    ['the same', {}],
    ['another name and layout', { name: 'other', layout: 'argocd', flux: undefined }],
  ])('an output that is written without its link, and %s', async (_, change) => {
    const { build, fleet, write, tree, read } = createProject({ links: { link: 'out' } });
    write('out/README', '');
    expect(await build([{ ...app, ...flux, output: 'link/app' }])).toBe('0');
    const after = [{ ...app, ...flux, ...change }];
    expect(await build(after)).toBe('0');
    const files = tree().filter((path) => path !== 'out/README');
    expect(files.map((path) => [path, read(path)])).toEqual(await buildFresh(after));
    expect(await fleet('build', '--check', '--no-cache')).toBe('0');
  });

  it('reports files at the old place that nothing lists, until they are gone', async () => {
    const { build, repository, tree } = createProject();
    expect(await build([app, web])).toBe('0');
    rmSync(join(repository, 'out/app/.kurel-inventory'));
    rmSync(join(repository, 'out/web/.kurel-inventory'));
    const after = [{ ...app, output: 'new' }];
    expect(await build(after)).toBe('0 output-inventory-missing fleet-output-removed');
    expect(await build(after, '--prune')).toBe('0 output-inventory-missing output-inventory-missing');
    expect(await build(after, '--check')).toBe('1 fleet-output-moved fleet-output-removed');
    expect(tree()).toContain('out/app/configmap-app-app.yaml');
    rmSync(join(repository, 'out'), { recursive: true });
    expect(await build(after)).toBe('0');
    expect(await build(after, '--check')).toBe('0');
  });

  it('keeps edited files at the old place, named as in the repository', async () => {
    const { repository, writeFleet, spawn } = createProject();
    writeFleet([app]);
    expect((await spawn('fleet', 'build')).exitCode).toBe(0);
    appendFileSync(join(repository, 'out/app/configmap-app-app.yaml'), '# mine\n');
    writeFleet([{ ...app, output: 'new' }]);
    const { stderr } = await spawn('fleet', 'build');
    expect(stderr).toContain('warning[output-edited-file]: "out/app/configmap-app-app.yaml" is no longer needed');
  });

  it('leaves what another fleet has taken over', async () => {
    const { fleet, build, writeFleet, tree } = createProject();
    expect(await build([app, web])).toBe('0');
    writeFleet([web], 'other.fleet.yaml');
    expect(await fleet('build', '--fleet', 'other.fleet.yaml')).toBe('0');
    expect(await build([app], '--check')).toBe('0');
    expect(await build([app], '--prune')).toBe('0');
    expect(tree()).toContain('out/web/configmap-web-web.yaml');
    expect(await fleet('build', '--check', '--fleet', 'other.fleet.yaml')).toBe('0');
  });
});

describe('Flux Kustomizations of one name', () => {
  const [first, second] = [
    { ...app, ...flux, instance: 'shop' },
    { ...web, ...flux, instance: 'shop' },
  ];

  it.each<[name: string, targets: readonly Target[], codes: string]>([
    ['of targets without a cluster', [first, second], '1 fleet-delivery-shared'],
    [
      'of one cluster',
      [
        { ...first, cluster: 'berlin' },
        { ...second, cluster: 'berlin' },
      ],
      '1 fleet-delivery-shared',
    ],
    ['of a cluster and a target that names none', [first, { ...second, cluster: 'berlin' }], '1 fleet-delivery-shared'],
    [
      'of two clusters',
      [
        { ...first, cluster: 'berlin' },
        { ...second, cluster: 'paris' },
      ],
      '0',
    ],
    ['in two namespaces', [first, { ...second, flux: { ...flux.flux, namespace: 'other' } }], '0'],
    ['of which one is an Argo CD tree', [first, { ...second, layout: 'argocd', flux: undefined }], '0'],
  ])('%s', async (_, targets, codes) => {
    const { writeFleet, fleet } = createProject();
    writeFleet(targets);
    const found = await fleet('validate');
    expect(found.replaceAll(' fleet-unused', '')).toBe(codes);
  });
});

describe.runIf(process.platform === 'linux')('places that cannot have files', () => {
  it.each([
    ['/dev/null/', 'output-blocked'],
    ['/dev/full/x', 'output-blocked'],
    ['/proc/self/', 'output-failed'],
    ['/proc/self/fd/99/', 'output-failed'],
    ['/proc/1/nope/x/y/', 'output-failed'],
    ['/sys/kernel/nope/', 'output-failed'],
    ['dangling', 'output-blocked'],
    ['dangling/', 'output-blocked'],
    ['dangling/x/', 'output-blocked'],
    ['loop/', 'output-failed'],
    ['loop/x/', 'output-failed'],
    ['app/app.yaml/', 'output-blocked'],
    ['app/app.yaml/x/', 'output-blocked'],
  ])('an output at %s fails at once with %s', async (output, code) => {
    const { spawn, repository } = createProject({ links: { dangling: 'nowhere', loop: 'loop' } });
    const before = treeOf(repository);
    const startedAt = performance.now();
    const { exitCode, stderr } = await spawn('build', 'web', '-o', output);
    expect([exitCode, ...codesIn(stderr)]).toEqual([1, code]);
    expect(stderr).not.toContain('not found: a parent');
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(treeOf(repository)).toEqual(before);
  });
});

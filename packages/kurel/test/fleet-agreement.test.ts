import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { repository } from './source-tree.ts';
import { runProgram } from './run-program.ts';

// A review by kurel fleet diff, and kurel fleet build --check of the same change, are about the same targets. Each row changes one thing.

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-agreement-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const config = (name: string, value = 'one'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {value: ${value}}\n`;
const definition = readFileSync(
  join(repository, 'packages', 'kurel', 'test', 'fixtures', 'widget-parts-crd.yaml'),
  'utf8',
);
const profile = (namespace: string): string =>
  `apiVersion: launcher.gokure.dev/v1alpha1\nkind: ClusterProfile\nmetadata: {name: c}\nspec: {gitopsEngine: fluxcd, fluxNamespace: ${namespace}}\n`;
const parameters = 'kurel: {name: NAME, version: 1.0.0, appVersion: "1"}\nsize: small\n';
const application =
  'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Application\nmetadata: {name: web, namespace: web}\nspec:\n  components:\n' +
  '  - {name: parts, type: oci, properties: {source: {url: "oci://ghcr.io/a/web"}, version: 1.0.0}}\n';

const files: Readonly<Record<string, string>> = {
  'shared/web/config.yaml': config('linked'),
  'shared/values/size.yaml': 'size: large\n',
  'shared/profile.yaml': profile('one'),
  'shared/policy.yaml':
    'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Policy\nmetadata: {name: p}\nspec: {enforced: {maxReplicas: 3}}\n',
  'shared/patch.kpatch': '[configmap.plain]\ndata.patched: "one"\n',
  'shared/crds/widget.yaml': definition,
  'other/web/config.yaml': config('linked', 'other'),
  'plain/config.yaml': config('plain'),
  'widget/widget.yaml':
    'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec:\n  parts:\n  - {id: left, size: 1}\n  - {id: right, size: 2}\n',
  'parts.yaml': '- target: widget.w\n  type: strategic\n  patch: {spec: {parts: [{id: right, size: 3}]}}\n',
  'package.kurel/parameters.yaml': parameters.replace('NAME', 'package'),
  'package.kurel/resources/config.yaml': config('package'),
  'package.kurel/patches/10.kpatch': '[configmap.package]\ndata.size: ${size}\n',
  'package.local.kurel/parameters.yaml': 'size: local\n',
  'file/web.yaml': config('file'),
  'absolute/config.yaml': config('absolute'),
  'kustomize/kustomization.yaml': 'resources: [../plain]\nnamePrefix: a-\n',
  'plain/kustomization.yaml': 'resources: [config.yaml]\n',
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'chart/values.yaml': 'value: one\n',
  'chart/templates/config.yaml': config('chart', '"{{ .Values.value }}"'),
  'app/app.yaml': application,
  'app/kurel.yaml':
    'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Package\nmetadata: {name: web, version: 1.0.0}\nspec: {parameters: []}\n',
};

const links: Readonly<Record<string, string>> = {
  linked: 'shared/web',
  'size.yaml': 'shared/values/size.yaml',
  directory: 'shared/values',
  'profile.yaml': 'shared/profile.yaml',
  'patch.kpatch': 'shared/patch.kpatch',
  definitions: 'shared/crds',
  'twice.yaml': 'size.yaml',
};

interface Target {
  readonly [setting: string]: unknown;
}

/** Each with an output and a cluster of its own. */
const targets: Readonly<Record<string, Target>> = {
  linked: { package: 'linked' },
  'below-link': { package: 'package.kurel', values: ['directory/size.yaml'] },
  'linked-values': { package: 'package.kurel', values: ['size.yaml'] },
  'linked-twice': { package: 'package.kurel', values: ['twice.yaml'] },
  'linked-patch': { package: 'plain/config.yaml', patches: ['patch.kpatch'] },
  'linked-crds': { package: 'widget', patches: ['parts.yaml'], crds: ['definitions'] },
  'linked-profile': { package: 'app', profile: 'profile.yaml' },
  local: { package: 'package.kurel' },
  file: { package: 'file/web.yaml' },
  absolute: { package: join(place, 'absolute') },
  dots: { package: './dots/../file//./' },
  'in-module': { package: 'module/package' },
  kustomize: { package: 'kustomize/kustomization.yaml' },
  chart: { package: 'chart' },
  crds: { package: 'widget', patches: ['parts.yaml'], crds: ['shared/*/widget.yaml'] },
  flux: { package: 'plain/config.yaml', layout: 'flux', flux: { source: 'GitRepository/a' }, instance: 'flux' },
  argocd: { package: 'plain/config.yaml', layout: 'argocd', instance: 'argo' },
  set: { package: 'package.kurel', set: { size: 'set' } },
  optional: { package: 'package.kurel', optionalValues: ['none.yaml'] },
  namespaced: { package: 'plain/config.yaml', namespace: 'one' },
};

function write(path: string, text: string): void {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), text);
}

function link(path: string, to: string): void {
  rmSync(join(place, path), { force: true, recursive: true });
  symlinkSync(to, join(place, path));
}

function replace(path: string, from: string, to: string): void {
  const text = readFileSync(join(place, path), 'utf8');
  expect(text).toContain(from);
  write(path, text.replace(from, to));
}

function writeFleet(changes: Readonly<Record<string, Target>>, defaults: object = {}): void {
  const list = Object.entries(targets).map(([name, settings]) =>
    Object.assign({ name, cluster: name, output: `rendered/${name}` }, settings, changes[name]),
  );
  const clusters = Object.fromEntries(Object.keys(targets).map((name) => [name, {}]));
  const spec = { defaults, clusters, targets: list };
  write('kurel.fleet.yaml', JSON.stringify({ apiVersion: 'launcher.gokure.dev/v1alpha1', kind: 'Fleet', spec }));
}

function gitIn(directory: string, ...words: readonly string[]): void {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...identity, ...words], { cwd: join(place, directory), stdio: 'pipe' });
}

function git(...words: readonly string[]): void {
  gitIn('.', ...words);
}

async function runFleet(...words: readonly string[]) {
  return runProgram(['fleet', ...words], {
    workingDirectory: place,
    variables: { PATH: `${process.env['PATH']}:${join(repository, '.tools', 'bin')}` },
  });
}

interface Report {
  readonly results: readonly { readonly name: string; readonly state: string }[];
}

interface Review {
  readonly targets: Readonly<Record<'changed' | 'moved' | 'added' | 'removed', readonly string[]>>;
}

/** Targets whose output is not up to date. */
async function listStale(): Promise<readonly string[]> {
  const words = ['build', '--check', '--no-cache', '--jobs=1', '--report=report.json', '--message-format=json'];
  const { stdout, stderr } = await runFleet(...words);
  const { results } = JSON.parse(readFileSync(join(place, 'report.json'), 'utf8')) as Report;
  rmSync(join(place, 'report.json'));
  const failed = results.filter(({ state }) => state === 'failed').map(({ name }) => name);
  if (failed.length > 0) expect(stdout + stderr).toMatch(/output-(?:owner-)?stale/);
  return failed.toSorted();
}

async function listReviewed(): Promise<readonly string[]> {
  const { stdout, stderr } = await runFleet('diff', '--since=HEAD', '--format=json');
  expect(stdout, stderr).not.toBe('');
  const { changed, moved, added } = (JSON.parse(stdout) as Review).targets;
  return [...new Set([...changed, ...moved, ...added])].toSorted();
}

/** The paths that can change each target, as `kurel fleet paths` lists them. */
let listed: readonly { readonly name: string; readonly paths: readonly string[] }[] = [];

/** Targets with one of the changed files among their paths. */
function listTriggered(): readonly string[] {
  const status = execFileSync('git', ['status', '--porcelain', '--untracked-files=all'], { cwd: place });
  const files = status
    .toString()
    .split('\n')
    .map((line) => line.slice(3));
  const isAmong = (paths: readonly string[], file: string): boolean =>
    paths.some((path) => (path.endsWith('/') ? file.startsWith(path) : file === path));
  return listed.filter(({ paths }) => files.some((file) => isAmong(paths, file))).map(({ name }) => name);
}

interface Row {
  readonly what: string;
  readonly change: () => void;
  readonly targets: readonly string[];
}

const ofPackage = ['linked-values', 'below-link', 'linked-twice', 'local', 'optional', 'set'];
const ofSize = ['below-link', 'linked-twice', 'linked-values'];

const rows: readonly Row[] = [
  { what: 'nothing', change: () => undefined, targets: [] },
  {
    what: 'files of a linked directory',
    change: () => replace('shared/web/config.yaml', 'one', 'two'),
    targets: ['linked'],
  },
  { what: 'linked values', change: () => write('shared/values/size.yaml', 'size: huge\n'), targets: ofSize },
  { what: 'where a link leads', change: () => link('linked', 'other/web'), targets: ['linked'] },
  {
    what: 'a link instead of a directory',
    change: () => {
      write('shared/more/size.yaml', 'size: more\n');
      link('directory', 'shared/more');
    },
    targets: ['below-link'],
  },
  {
    what: 'a file instead of a link',
    change: () => {
      rmSync(join(place, 'size.yaml'));
      write('size.yaml', 'size: own\n');
    },
    targets: ['linked-twice', 'linked-values'],
  },
  {
    what: 'a linked patch',
    change: () => replace('shared/patch.kpatch', '"one"', '"two"'),
    targets: ['linked-patch'],
  },
  {
    what: 'definitions that a link and a pattern name',
    change: () => replace('shared/crds/widget.yaml', 'x-kubernetes-list-type: map', 'x-kubernetes-list-type: atomic'),
    targets: ['crds', 'linked-crds'],
  },
  {
    what: 'another file that a pattern matches',
    change: () => write('shared/more/widget.yaml', definition.replace('-type: map', '-type: atomic')),
    targets: ['crds'],
  },
  {
    what: 'a linked profile',
    change: () => write('shared/profile.yaml', profile('two')),
    targets: ['linked-profile'],
  },
  { what: 'a policy that nobody uses', change: () => rmSync(join(place, 'shared/policy.yaml')), targets: [] },
  {
    what: 'what a kustomization refers to',
    change: () => replace('plain/config.yaml', 'one', 'two'),
    targets: ['argocd', 'flux', 'kustomize', 'linked-patch', 'namespaced'],
  },
  { what: 'values of a chart', change: () => write('chart/values.yaml', 'value: two\n'), targets: ['chart'] },
  {
    what: 'a local extension',
    change: () => write('package.local.kurel/parameters.yaml', 'size: other\n'),
    targets: ['local', 'optional'],
  },
  {
    what: 'no local extension',
    change: () => rmSync(join(place, 'package.local.kurel'), { recursive: true }),
    targets: ['local', 'optional'],
  },
  { what: 'optional values', change: () => write('none.yaml', 'size: now\n'), targets: ['optional'] },
  {
    what: 'a patch of a package',
    change: () => replace('package.kurel/patches/10.kpatch', 'data.size', 'data.other'),
    targets: ofPackage,
  },
  { what: 'a file that is an input', change: () => replace('file/web.yaml', 'one', 'two'), targets: ['dots', 'file'] },
  {
    what: 'a file of an absolute path',
    change: () => replace('absolute/config.yaml', 'one', 'two'),
    targets: ['absolute'],
  },
  { what: 'a setting', change: () => writeFleet({ set: { set: { size: 'other' } } }), targets: ['set'] },
  { what: 'a namespace', change: () => writeFleet({ namespaced: { namespace: 'two' } }), targets: ['namespaced'] },
  {
    what: 'no crds',
    change: () => writeFleet({ crds: { crds: [] }, 'linked-crds': { kubernetesVersion: '1.34' } }),
    targets: ['crds'],
  },
  {
    what: 'an instance of Flux',
    change: () => writeFleet({ flux: { instance: 'other' } }),
    targets: ['flux'],
  },
  {
    what: 'an interval and a source of Flux',
    change: () => writeFleet({ flux: { flux: { source: 'GitRepository/b', interval: '5m' } } }),
    targets: ['flux'],
  },
  {
    what: 'a path and keys of Flux',
    change: () => writeFleet({ flux: { flux: { source: 'GitRepository/a', path: './x', decryption: 'sops/keys' } } }),
    targets: ['flux'],
  },
  { what: 'an instance of Argo CD', change: () => writeFleet({ argocd: { instance: 'b' } }), targets: ['argocd'] },
  {
    what: 'no controller',
    change: () => writeFleet({ argocd: { layout: 'phases' }, flux: { layout: 'phases', flux: {} } }),
    targets: ['argocd', 'flux'],
  },
  { what: 'an output', change: () => writeFleet({ local: { output: 'rendered/other' } }), targets: ['local'] },
  { what: 'an instance', change: () => writeFleet({ file: { instance: 'other' } }), targets: ['file'] },
  { what: 'a layout', change: () => writeFleet({ namespaced: { layout: 'by-kind' } }), targets: ['namespaced'] },
  { what: 'content hashes', change: () => writeFleet({ file: { contentHash: true } }), targets: ['file'] },
  {
    what: 'a namespace of Flux that all inherit',
    change: () => writeFleet({}, { flux: { namespace: 'inherited' } }),
    targets: ['flux', 'linked-profile'],
  },
];

beforeAll(async () => {
  git('init', '--quiet', '--initial-branch=main');
  write('module/package/config.yaml', config('module'));
  gitIn('module', 'init', '--quiet', '--initial-branch=main');
  gitIn('module', 'add', '--all');
  gitIn('module', 'commit', '--quiet', '--message', 'module');
  for (const [path, text] of Object.entries(files)) write(path, text);
  for (const [path, to] of Object.entries(links)) link(path, to);
  writeFleet({});
  const { exitCode, stderr } = await runFleet('build', '--no-cache', '--jobs=1');
  expect(exitCode, stderr).toBe(0);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'before');
  const { stdout } = await runFleet('paths', '--format=json', '--no-cache', '--jobs=1');
  listed = (JSON.parse(stdout) as { readonly targets: typeof listed }).targets;
}, 60_000);

const hasPrograms = ['helm', 'kustomize'].every((name) => existsSync(join(repository, '.tools', 'bin', name)));

describe.skipIf(!hasPrograms)('a review', { tags: 'slow' }, () => {
  it.each(rows)('sees of $what what a build would change', async ({ change, targets: expected }) => {
    try {
      change();
      const [stale, reviewed] = [await listStale(), await listReviewed()];
      expect(listTriggered()).toEqual(expect.arrayContaining([...stale]));
      expect({ stale, reviewed }).toEqual({ stale: expected.toSorted(), reviewed: expected.toSorted() });
    } finally {
      git('reset', '--quiet', '--hard');
      git('clean', '--quiet', '-d', '--force', '--force');
    }
  });

  it.each(['in its working tree', 'that is committed there'])(
    'does not ignore a change of a submodule %s',
    async (which) => {
      replace('module/package/config.yaml', 'one', 'two');
      if (which === 'that is committed there') gitIn('module', 'commit', '--quiet', '--all', '--message', 'next');
      expect(await listStale()).toEqual(['in-module']);
      const { exitCode, stderr } = await runFleet('diff', '--since=HEAD');
      // Its objects are in another repository.
      expect(stderr).toContain('at HEAD: package "module/package" of target "in-module" does not exist');
      expect(exitCode).toBe(1);
      gitIn('module', 'checkout', '--quiet', '.');
    },
  );
});

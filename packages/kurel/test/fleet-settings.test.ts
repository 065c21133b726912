import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fleetSettingNames } from '../src/documents/index.ts';
import { runProgram } from './run-program.ts';

// A setting that one action of kurel fleet accepts and another refuses would let a review approve what a build does not do.

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-settings-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: b}\n';

/** A small input of each form. */
const inputs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  manifests: { 'web.yaml': config },
  kustomization: { 'kustomization.yaml': 'resources: [web.yaml]\n', 'web.yaml': config },
  chart: { 'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n', 'templates/web.yaml': config },
  'patch-package': {
    'parameters.yaml': 'kurel: {name: web, version: 1.0.0, appVersion: "1"}\nsize: small\n',
    'resources/web.yaml': config,
    'patches/10-more.kpatch': '[configmap.web]\ndata.size: ${size}\n',
    'patches/10-more.yaml': 'enabled: ${more}\n',
  },
  application: {
    'app.yaml':
      'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Application\nmetadata: {name: web, namespace: web}\nspec:\n  components:\n' +
      '  - {name: web, type: webservice, properties: {image: "ghcr.io/a/web:1.0.0", port: 8080}}\n',
    'kurel.yaml':
      'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Package\nmetadata: {name: web, version: 1.0.0}\nspec: {parameters: [{name: size, type: string, default: small}]}\n',
  },
};

const shared = {
  'profile.yaml':
    'apiVersion: launcher.gokure.dev/v1alpha1\nkind: ClusterProfile\nmetadata: {name: c}\nspec: {gitopsEngine: fluxcd}\n',
  'policy.yaml':
    'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Policy\nmetadata: {name: p}\nspec: {enforced: {maxReplicas: 3}}\n',
  'values.yaml': 'size: large\n',
  'p.kpatch': '[configmap.web]\ndata.b: c\n',
  'crd.yaml': config,
};

interface Row {
  readonly settings: object | ((form: string) => object);
  /** Forms whose programs take long are asked about what they treat in a way of their own. */
  readonly ofPrograms?: true;
}

const flux = { layout: 'flux' };

/** Each setting of a fleet file, in a target of its own. */
const rows: Readonly<Record<string, Row>> = {
  package: { settings: {}, ofPrograms: true },
  profile: { settings: { profile: 'profile.yaml' }, ofPrograms: true },
  noProfile: { settings: { noProfile: true }, ofPrograms: true },
  policy: { settings: { policy: 'policy.yaml' } },
  values: { settings: { values: ['values.yaml'] }, ofPrograms: true },
  optionalValues: { settings: { optionalValues: ['values.yaml', 'none.yaml'] } },
  set: { settings: { set: { size: 'large' } } },
  patches: { settings: { patches: ['p.kpatch'] } },
  enable: { settings: { enable: ['10-more'] }, ofPrograms: true },
  namespace: { settings: { namespace: 'shop' } },
  'namespace, not valid': { settings: { namespace: 'Shop' } },
  instance: { settings: { instance: 'web-two' } },
  contentHash: { settings: { contentHash: true } },
  layout: { settings: { layout: 'by-kind' } },
  'layout, flux': { settings: { ...flux, flux: { source: 'GitRepository/web' } } },
  flux: { settings: { flux: { namespace: 'flux' } }, ofPrograms: true },
  'flux, with its layout': {
    settings: { ...flux, flux: { namespace: 'flux', source: 'GitRepository/web' } },
    ofPrograms: true,
  },
  'flux, interval': { settings: { ...flux, flux: { interval: '5m', source: 'GitRepository/web' } } },
  'flux, interval without its layout': { settings: { flux: { interval: '5m' } } },
  'flux, path': { settings: { ...flux, flux: { path: './x', source: 'GitRepository/web' } } },
  output: { settings: {} },
  'output, in the input': { settings: (form) => ({ output: `${form}/web/out` }) },
  artifact: { settings: { artifact: 'oci://registry.example.com/{target}' } },
  kubernetesVersion: { settings: { kubernetesVersion: '1.34' } },
  'kubernetesVersion, unknown': { settings: { kubernetesVersion: '1.9' } },
  crds: { settings: { crds: ['crd.yaml'] } },
  strict: { settings: { strict: true } },
  accept: { settings: { accept: [{ code: 'reference-missing', reason: 'It is there.' }] } },
  'accept, unknown': { settings: { accept: [{ code: 'no-such-code', reason: 'It is there.' }] } },
};

const programs = new Set(['kustomization', 'chart']);
const targets = Object.keys(inputs).flatMap((form) =>
  Object.entries(rows)
    .filter(([, { ofPrograms }]) => ofPrograms === true || !programs.has(form))
    .map(([row, { settings }], index) => ({
      name: `${form}-${index}`,
      row,
      form,
      settings: {
        cluster: `${form}-${index}`,
        package: `${form}/web`,
        output: `rendered/${form}-${index}`,
        ...(typeof settings === 'function' ? settings(form) : settings),
      },
    })),
);

function write(path: string, text: string): void {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), text);
}

function git(...words: readonly string[]): void {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...identity, ...words], { cwd: place, stdio: 'pipe' });
}

interface PrintedFinding {
  readonly code: string;
  readonly severity: string;
  readonly accepted?: object;
  readonly targets?: readonly string[];
}

type Findings = ReadonlyMap<string, readonly string[]>;

/** `error usage` and the like, of each target. */
async function run(...words: readonly string[]): Promise<Findings> {
  const { stdout, stderr } = await runProgram(['fleet', ...words, '--message-format=json'], {
    workingDirectory: place,
  });
  const text = [stderr, stdout].find((printed) => printed.startsWith('[')) ?? '[]';
  const lists = new Map<string, string[]>(targets.map(({ name }) => [name, []]));
  for (const { code, severity, accepted, targets: names = [] } of JSON.parse(text) as readonly PrintedFinding[]) {
    if (accepted === undefined) for (const name of names) lists.get(name)?.push(`${severity} ${code}`);
  }
  return lists;
}

let built: Findings;

beforeAll(async () => {
  git('init', '--quiet', '--initial-branch=main');
  git('commit', '--quiet', '--allow-empty', '--message', 'nothing');
  for (const [form, files] of Object.entries(inputs)) {
    for (const [path, text] of Object.entries(files)) write(`${form}/web/${path}`, text);
  }
  for (const [path, text] of Object.entries(shared)) write(path, text);
  const clusters = Object.fromEntries(targets.map(({ name }) => [name, {}]));
  const spec = { clusters, targets: targets.map(({ name, settings }) => ({ name, ...settings })) };
  write('kurel.fleet.yaml', JSON.stringify({ apiVersion: 'launcher.gokure.dev/v1alpha1', kind: 'Fleet', spec }));
  const list = await runProgram(['fleet', 'list'], { workingDirectory: place });
  expect(list.stderr).not.toContain('error');
  built = await run('build', '--no-cache', '--jobs=1');
}, 120_000);

/** With the names of the rows, so that a failure says which setting it is. */
function describeEach(findings: Findings, isKept: (finding: string) => boolean = () => true): readonly string[] {
  return targets.map(({ name, row, form }) => {
    const kept = findings.get(name)!.filter(isKept).toSorted();
    return `${row} of ${form}: ${kept.join(', ')}`;
  });
}

const isError = (finding: string): boolean => finding.startsWith('error ');

describe('each setting', { tags: 'slow' }, () => {
  it('is in the table', () => {
    // The version of a package that is a path is a mistake of the file, which all actions read first.
    expect(fleetSettingNames.filter((name) => !Object.hasOwn(rows, name))).toEqual(['version']);
  });

  it('is accepted or refused by validate and paths as by build', async () => {
    expect(describeEach(await run('validate', '--no-cache', '--jobs=1'))).toEqual(describeEach(built));
    expect(describeEach(await run('paths', '--no-cache', '--jobs=1'))).toEqual(describeEach(built));
  });

  it('is accepted or refused by diff and images as by build', async () => {
    expect(describeEach(await run('diff', '--since=HEAD'))).toEqual(describeEach(built, isError));
    expect(describeEach(await run('images'), isError)).toEqual(describeEach(built, isError));
  });

  it('is accepted or refused by explain as by build', async () => {
    const findings = new Map<string, readonly string[]>();
    for (const { name, row } of targets) {
      // A question about fields is not about where they are written.
      if (row === 'output, in the input') {
        findings.set(name, ['error']);
        continue;
      }
      const words = ['fleet', 'explain', name, '--message-format=json'];
      const { exitCode } = await runProgram(words, { workingDirectory: place });
      findings.set(name, exitCode === 0 ? [] : ['error']);
    }
    const refused = new Map(Array.from(built, ([name, list]) => [name, list.some(isError) ? ['error'] : []]));
    expect(describeEach(findings)).toEqual(describeEach(refused));
  });

  it('leaves an output that is up to date', async () => {
    expect(describeEach(await run('build', '--check', '--jobs=1'), isError)).toEqual(describeEach(built, isError));
  });
});

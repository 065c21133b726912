import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-moves-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

function git(...args: readonly string[]): void {
  const settings = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...settings, ...args], { cwd: place, stdio: 'pipe' });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), text);
}

const config = (name: string, phase = 'main'): string =>
  [
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n',
    `  name: ${name}\n  annotations: {kurel.gokure.dev/install-phase: ${phase}}\ndata: {a: b}\n`,
  ].join('');

interface Settings {
  readonly applications?: readonly string[];
  readonly clusters?: readonly string[];
  readonly defaults?: string;
}

const usual = 'layout: flux, flux: {source: GitRepository/fleet, path: "./out"}';
const outputs = 'output: "rendered/{cluster}/{app}", instance: "{app}-{cluster}"';

function fleet({ applications = ['shop'], clusters = ['berlin', 'paris', 'rome'], defaults }: Settings): string {
  const list = (names: readonly string[], value: string): string => names.map((name) => `${name}: ${value}`).join(', ');
  return `apiVersion: launcher.gokure.dev/v1alpha1
kind: Fleet
spec:
  defaults: {${defaults ?? `${usual}, ${outputs}`}}
  clusters: {${list(clusters, '{}')}}
  applications: {${list(applications, '{package: apps/shop}')}}
  matrix: [{}]
`;
}

async function diff(settings: Settings, ...words: readonly string[]): Promise<ProgramOutcome> {
  write('kurel.fleet.yaml', fleet(settings));
  return runProgram(['fleet', 'diff', '--since', 'HEAD', ...words], { workingDirectory: place });
}

beforeAll(() => {
  git('init', '--quiet', '--initial-branch=main');
  write('apps/shop/shop.yaml', config('shop'));
  write('kurel.fleet.yaml', fleet({}));
  git('add', '--all');
  git('commit', '--quiet', '--message', 'before');
});
beforeEach(() => {
  git('checkout', '--quiet', '--', '.');
});

const prunes = '  ! a controller that prunes may delete what it has applied';

describe('kurel fleet diff of what is delivered', () => {
  it.each<[string, string, readonly string[], string]>([
    [
      'flux.interval',
      `${usual.replace('source:', 'interval: 5m, source:')}, ${outputs}`,
      ['~ Kustomization {app}-{cluster}-main: spec.interval 10m → 5m  (3 targets)'],
      '3 targets changed, 0 unchanged',
    ],
    [
      'flux.source',
      `${usual.replace('/fleet', '/other')}, ${outputs}`,
      [`~ Kustomization {app}-{cluster}-main: spec.sourceRef.name fleet → other  (3 targets)${prunes}`],
      '3 targets changed, 0 unchanged',
    ],
    [
      'flux.path',
      `${usual.replace('./out', './{cluster}')}, ${outputs}`,
      [`~ Kustomization {app}-{cluster}-main: spec.path ./out/main → ./{cluster}/main  (3 targets)${prunes}`],
      '3 targets changed, 0 unchanged',
    ],
    [
      'flux.namespace',
      `${usual.replace('source:', 'namespace: flux, source:')}, ${outputs}`,
      [`~ Kustomization {app}-{cluster}-main: metadata.namespace flux-system → flux  (3 targets)${prunes}`],
      '3 targets changed, 0 unchanged',
    ],
    [
      'instance',
      `${usual}, ${outputs.replace('{app}-{cluster}', '{cluster}')}`,
      [
        `~ instance {app}-{cluster} → {cluster}  (3 targets)${prunes}`,
        `- Kustomization {app}-{cluster}-main removed  (3 targets)${prunes}`,
        '+ Kustomization {cluster}-main added  (3 targets)',
        "~ Kustomization kustomizations/kustomization.yaml: resources[0] '{app}-{cluster}-main/kustomization.yaml' → '{cluster}-main/kustomization.yaml'  (3 targets)",
      ],
      '3 targets changed, 3 moved, 0 unchanged',
    ],
    [
      'output',
      `${usual}, ${outputs.replace('rendered/', 'out/')}`,
      [`~ output rendered/{cluster}/{app} → out/{cluster}/{app}  (3 targets)${prunes}`],
      '3 targets moved, 0 unchanged',
    ],
    [
      'layout',
      `layout: argocd, ${outputs}`,
      [
        `~ layout flux → argocd  (3 targets)${prunes}`,
        `- Kustomization {app}-{cluster}-main removed  (3 targets)${prunes}`,
      ],
      '3 targets changed, 3 moved, 0 unchanged',
    ],
    [
      'artifact',
      `${usual}, ${outputs}, artifact: "oci://registry.example.com/{cluster}/{app}"`,
      ['~ artifact none → oci://registry.example.com/{cluster}/{app}  (3 targets)'],
      '3 targets moved, 0 unchanged',
    ],
  ])('sees %s', async (_, defaults, lines, summary) => {
    const { stdout, stderr, exitCode } = await diff({ defaults });
    expect(stderr).toBe('');
    expect(stdout).toBe(`${lines.join('\n')}\n\n${summary}\n`);
    expect(exitCode).toBe(1);
  });

  it('names what it has for a single target', async () => {
    const { stdout } = await diff({ defaults: `${usual}, ${outputs.replace('rendered/', 'out/')}` }, 'berlin/shop');
    expect(stdout).toContain('~ output rendered/berlin/shop → out/berlin/shop  (berlin/shop)');
  });

  it('sees an application that is renamed at a fixed output as a move', async () => {
    const fixed = `${usual}, output: "rendered/{cluster}", instance: "{cluster}"`;
    write('kurel.fleet.yaml', fleet({ defaults: fixed }));
    git('add', '--all');
    git('commit', '--quiet', '--message', 'fixed');
    const { stdout, exitCode } = await diff({ defaults: fixed, applications: ['store'] });
    expect(stdout).toBe('~ name {cluster}/shop → {cluster}/store  (3 targets)\n\n3 targets moved, 0 unchanged\n');
    expect(exitCode).toBe(1);
    git('reset', '--quiet', '--hard', 'HEAD~1');
  });

  it('sees targets that change places', async () => {
    const targets = (first: string, second: string): string =>
      `apiVersion: launcher.gokure.dev/v1alpha1
kind: Fleet
spec:
  defaults: {package: apps/shop}
  targets:
  - {name: one, output: ${first}}
  - {name: two, output: ${second}}
`;
    write('kurel.fleet.yaml', targets('out/1', 'out/2'));
    git('add', '--all');
    git('commit', '--quiet', '--message', 'targets');
    write('kurel.fleet.yaml', targets('out/2', 'out/1'));
    const { stdout } = await runProgram(['fleet', 'diff', '--since', 'HEAD'], { workingDirectory: place });
    expect(stdout).toBe(
      `~ output out/1 → out/2  (one)${prunes}\n~ output out/2 → out/1  (two)${prunes}\n\n2 targets moved, 0 unchanged\n`,
    );
    git('reset', '--quiet', '--hard', 'HEAD~1');
  });

  it('shows a phase that goes, and those that no longer depend on it', async () => {
    write('apps/shop/first.yaml', config('first', 'pre-install'));
    git('add', '--all');
    git('commit', '--quiet', '--message', 'phases');
    rmSync(join(place, 'apps/shop/first.yaml'));
    const { stdout } = await diff({});
    expect(stdout).toBe(
      [
        `- Kustomization {app}-{cluster}-pre-install removed  (3 targets)${prunes}`,
        '- ConfigMap first removed  (3 targets)',
        "- Kustomization kustomizations/kustomization.yaml: resources[0] removed, was '{app}-{cluster}-pre-install/kustomization.yaml'  (3 targets)",
        '- Kustomization {app}-{cluster}-main: spec.dependsOn removed, was [ { "name": "{app}-{cluster}-pre-install" } ]  (3 targets)',
        '',
        '3 targets changed, 0 unchanged',
        '',
      ].join('\n'),
    );
    git('reset', '--quiet', '--hard', 'HEAD~1');
  });

  it('is data for programs, and rows of a comment', async () => {
    const defaults = `${usual}, ${outputs.replace('rendered/', 'out/').replace('{app}-{cluster}', '{cluster}')}`;
    const { stdout } = await diff({ defaults }, '--format', 'json');
    const review = JSON.parse(stdout) as {
      readonly moves: readonly object[];
      readonly targets: object;
      readonly changes: readonly { readonly delivery?: boolean }[];
    };
    const targets = ['berlin/shop', 'paris/shop', 'rome/shop'];
    expect(review.targets).toEqual({ added: [], removed: [], changed: targets, moved: targets, unchanged: 0 });
    expect(review.moves[0]).toEqual({
      setting: 'output',
      before: 'rendered/{cluster}/{app}',
      after: 'out/{cluster}/{app}',
      risk: 'pruning',
      targets,
    });
    expect(review.changes.map(({ delivery }) => delivery)).toEqual([true, true, true]);
    const { stdout: comment } = await diff({ defaults }, '--format', 'markdown');
    expect(comment).toContain(
      '#### ⚠️ Risky changes\n\n| change | targets |\n|---|---|\n| `output rendered/{cluster}/{app} → out/{cluster}/{app}`<br>⚠️',
    );
    expect(comment).toContain('| `Kustomization {app}-{cluster}-main removed`<br>⚠️');
  });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-diff-'));

interface Web {
  readonly image: string;
  readonly password: string;
  readonly replicas?: number;
  readonly note?: string;
}

function web({ image, password, replicas = 2, note = 'plain' }: Web): string {
  return [
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: ${replicas}\n`,
    `  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n`,
    `    spec: {containers: [{name: web, image: "registry.example.com/web:${image}"}]}\n`,
    `---\napiVersion: v1\nkind: Secret\nmetadata: {name: web}\nstringData: {password: ${password}}\n`,
    `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata:\n  note: ${JSON.stringify(note)}\n`,
  ].join('');
}

const claim =
  'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n';
const config = (value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: api}\ndata: {value: "${value}"}\n`;

function fleet(applications: readonly string[], clusters: readonly string[]): string {
  const list = (names: readonly string[]): string => names.map((name) => `${name}: {}`).join(', ');
  return `apiVersion: launcher.gokure.dev/v1alpha1
kind: Fleet
spec:
  defaults: {package: "apps/{app}", output: "rendered/{cluster}/{app}", namespace: "{cluster}"}
  clusters: {${list(clusters)}}
  applications: {${list(applications)}}
  matrix: [{}]
`;
}

function git(...args: readonly string[]): void {
  const settings = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...settings, ...args], { cwd: place, stdio: 'pipe' });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), text);
}

async function run(...words: readonly string[]): Promise<ProgramOutcome> {
  return runProgram(['fleet', ...words], { workingDirectory: join(place, 'sub') });
}

// Everything that Markdown, HTML or a forge could act on.
const hostile = '@team <img src=x> `code` | [link](http://x) #1 ::error::';

beforeAll(() => {
  git('init', '--quiet', '--initial-branch=main');
  mkdirSync(join(place, 'sub'));
  write('apps/web/app.yaml', web({ image: '1.3.0', password: 'hunter-one' }));
  write('apps/api/app.yaml', config('1'));
  write('apps/data/claim.yaml', claim);
  write('apps/old/app.yaml', config('old'));
  write('kurel.fleet.yaml', fleet(['web', 'api', 'data', 'old'], ['berlin', 'paris', 'rome']));
  git('add', '--all');
  git('commit', '--quiet', '--message', 'before');
  write('apps/web/app.yaml', web({ image: '1.4.0', password: 'hunter-two', replicas: 0, note: hostile }));
  // Not yet known to git.
  write('apps/new/app.yaml', config('new'));
  rmSync(join(place, 'apps', 'data', 'claim.yaml'));
  write('apps/data/config.yaml', config('instead'));
  write('kurel.fleet.yaml', fleet(['web', 'api', 'data', 'new'], ['berlin', 'paris', 'rome']));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe('kurel fleet diff', () => {
  it('groups identical changes and marks risky ones', async () => {
    const { stdout, stderr, exitCode } = await run('diff', '--since', 'main');
    expect(stderr).toBe('');
    expect(stdout).toBe(
      [
        '~ Deployment web: spec.replicas 2 → 0  (3 targets)  ! stops all pods',
        '- PersistentVolumeClaim data removed  (3 targets)  ! may delete data',
        '- ConfigMap api removed  (3 targets)',
        '+ ConfigMap api added  (6 targets)',
        `~ ConfigMap web: data.note plain → '${hostile}'  (3 targets)`,
        '~ Deployment web: spec.template.spec.containers[name=web].image registry.example.com/web:1.3.0 → registry.example.com/web:1.4.0  (3 targets)',
        '~ Secret web: stringData.password changed (hidden)  (3 targets)',
        '',
        '6 targets changed, 3 added, 3 removed, 3 unchanged',
        '',
      ].join('\n'),
    );
    expect(exitCode).toBe(1);
  });

  it('is a comment in which nothing acts', async () => {
    const { stdout } = await run('diff', '--since', 'main', '--format', 'markdown');
    expect(stdout).toMatch(/^### 6 targets changed, 3 added, 3 removed, 3 unchanged\n\nCompared with `main`\.\n/);
    expect(stdout).toContain('#### ⚠️ Risky changes');
    expect(stdout).toContain('`berlin/web`, `paris/web`, `rome/web`');
    expect(stdout).not.toContain('hunter');
    // Without code spans, only our own words are left.
    const outside = stdout.replaceAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '').replaceAll(/<\/?(?:details|summary|br)>/g, '');
    expect(outside).not.toMatch(/@|<|\[|::|http/);
    for (const row of stdout.split('\n').filter((line) => line.startsWith('| '))) {
      expect(row.replaceAll(String.raw`\|`, '').split('|'), row).toHaveLength(4);
    }
  });

  it('is data for programs', async () => {
    const { stdout } = await run('diff', '--since', 'main', '--format', 'json');
    expect(stdout).not.toContain('hunter');
    const review = JSON.parse(stdout) as { readonly targets: unknown; readonly changes: readonly object[] };
    expect(review.targets).toEqual({
      added: ['berlin/new', 'paris/new', 'rome/new'],
      moved: [],
      removed: ['berlin/old', 'paris/old', 'rome/old'],
      changed: ['berlin/web', 'berlin/data', 'paris/web', 'paris/data', 'rome/web', 'rome/data'],
      unchanged: 3,
    });
    expect(review.changes[1]).toEqual({
      operation: 'remove',
      kind: 'PersistentVolumeClaim',
      name: 'data',
      risk: 'data-loss',
      targets: ['berlin/data', 'paris/data', 'rome/data'],
    });
  });

  it('compares selected targets, of which none was removed', async () => {
    const { stdout } = await run('diff', 'berlin/*', '--since', 'main', '--format', 'json');
    const { targets } = JSON.parse(stdout) as { readonly targets: object };
    expect(targets).toEqual({
      added: ['berlin/new'],
      moved: [],
      removed: [],
      changed: ['berlin/web', 'berlin/data'],
      unchanged: 1,
    });
  });

  it('says that nothing has changed', async () => {
    const outcome = await run('diff', '**/api', '--since', 'main');
    expect(outcome).toEqual({ exitCode: 0, stdout: 'no changes in 3 targets\n', stderr: '' });
  });

  it('keeps a comment short enough', async () => {
    const many = Array.from({ length: 900 }, (_, index) =>
      config(`${index} ${'x'.repeat(100)}`).replace('{name: api}', `{name: c${index}}`),
    );
    write('apps/many/app.yaml', many.join('---\n'));
    git('add', '--all');
    git('commit', '--quiet', '--message', 'many');
    write('apps/many/app.yaml', many.join('---\n').replaceAll('xxx', 'yyy'));
    write('kurel.fleet.yaml', fleet(['many'], ['berlin']));
    git('commit', '--quiet', '--message', 'fleet', 'kurel.fleet.yaml');
    const { stdout } = await run('diff', '--since', 'main', '--format', 'markdown');
    expect(stdout.length).toBeLessThan(65_536);
    expect(stdout).toMatch(/\n\d+ more changes are too long for a comment\.\n$/);
    git('checkout', '--quiet', 'main~2', '--', 'kurel.fleet.yaml', 'apps/web');
  });
});

describe('--since', () => {
  it.each<[string, string, string, readonly string[]]>([
    ['a package', 'apps/web/app.yaml', '# edited\n', ['berlin/web', 'paris/web', 'rome/web']],
    ['nothing of a target', 'other.yaml', 'a: 1\n', []],
    ['an output', 'rendered/paris/api/edited.yaml', 'a: 1\n', ['paris/api']],
  ])('selects targets that %s can affect', async (_, path, text, expected) => {
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', 'base');
    write(path, text);
    const { stdout } = await run('list', '--since', 'HEAD');
    const names = stdout
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(' ')[0]);
    expect(names).toEqual(expected);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'next');
  });

  it('cannot read a revision that does not exist', async () => {
    const { exitCode, stdout, stderr } = await run('build', '--since', 'nope');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(
      /^error\[revision-unreadable\]: cannot read revision "nope": it does not exist in this repository\n/,
    );
  });

  it('does not take a flag for a revision', async () => {
    const { stderr } = await run('list', '--since=--output=x');
    expect(stderr).toContain('cannot read revision "--output=x"');
  });
});

describe('a review', () => {
  const definition = (keys: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              parts: {type: array, ${keys}, items: {type: object, properties: {id: {type: string}, size: {type: integer}}}}
`;
  const widgets = (settings: string): string => `apiVersion: launcher.gokure.dev/v1alpha1
kind: Fleet
spec:
  targets:
  - {name: widget, package: widget/w.yaml, output: rendered/widget, patches: [widget/p.yaml]${settings}}
`;

  it.each([
    ['adds crds', widgets(''), widgets(', crds: [widget/crd.yaml]'), undefined],
    [
      'changes a CustomResourceDefinition',
      widgets(', crds: [widget/crd.yaml]'),
      widgets(', crds: [widget/crd.yaml]'),
      definition('x-kubernetes-list-type: atomic'),
    ],
  ])('builds each side with its own schemas: the change %s', async (_, before, after, changed) => {
    write(
      'widget/w.yaml',
      'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {parts: [{id: left, size: 1}, {id: right, size: 2}]}\n',
    );
    write('widget/p.yaml', '- {target: widget.w, type: strategic, patch: {spec: {parts: [{id: right, size: 3}]}}}\n');
    write('widget/crd.yaml', definition('x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id]'));
    write('kurel.fleet.yaml', before);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'widgets');
    await run('build');
    write('kurel.fleet.yaml', after);
    if (changed !== undefined) write('widget/crd.yaml', changed);
    const check = await run('build', '--check');
    const { exitCode, stdout } = await run('diff', '--since', 'HEAD');
    expect([check.exitCode, exitCode]).toEqual([1, 1]);
    expect(stdout).toMatch(/Widget w: spec\.parts.*\n[^]*1 target changed/);
  });
});

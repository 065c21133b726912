import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandTable } from '../src/cli/command-table.ts';
import { bundleProgram, startProcess } from './hostile-process.ts';
import type { HostileProcess } from './hostile-process.ts';
import { repository } from './source-tree.ts';

/** Passed where a command expects a path. */
const inputs: Readonly<Record<string, (path: string) => void>> = {
  missing: () => undefined,
  'empty-file.yaml': (path) => writeFileSync(path, ''),
  'empty-directory': (path) => mkdirSync(path),
  'blank.yaml': (path) => writeFileSync(path, ' \n\t\n---\n---\n...\n'),
  'binary.yaml': (path) =>
    writeFileSync(
      path,
      Uint8Array.from({ length: 4096 }, (_, index) => (index * 197) & 255),
    ),
  'nul.yaml': (path) => writeFileSync(path, Buffer.alloc(100_000)),
  'latin.yaml': (path) => writeFileSync(path, Buffer.from('kind: \xe9\n', 'latin1')),
  'utf-16.yaml': (path) => writeFileSync(path, Buffer.from('\ufeffkind: A\n', 'utf16le')),
  'scalar.yaml': (path) => writeFileSync(path, '42\n'),
  'list.yaml': (path) => writeFileSync(path, '[1, [2, {a: null}]]\n'),
  'deep.json': (path) => writeFileSync(path, '['.repeat(100_000)),
  'deep.yaml': (path) => writeFileSync(path, `a: ${'{a: '.repeat(50_000)}`),
  'long.yaml': (path) => writeFileSync(path, `a: ${'x'.repeat(2_000_000)}`),
  'wrong-types.yaml': (path) => writeFileSync(path, 'apiVersion: [1]\nkind: {a: 1}\nmetadata: 1\nspec: x\n'),
  'null-parts.yaml': (path) => writeFileSync(path, 'apiVersion: v1\nkind: Pod\nmetadata: null\nspec: null\n'),
  'own.yaml': (path) =>
    writeFileSync(path, 'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Application\nmetadata: []\nspec: 1\n'),
  pipe: (path) => execFileSync('mkfifo', [path]),
  nowhere: (path) => symlinkSync('not-there', path),
  circle: (path) => symlinkSync('circle', path),
  'device.yaml': (path) => symlinkSync('/dev/zero', path),
  'closed.yaml': (path) => writeFileSync(path, 'a: 1\n', { mode: 0 }),
  'closed-directory': (path) => mkdirSync(path, { mode: 0 }),
  'no-chart.tgz': (path) => writeFileSync(path, gzipSync('hello')),
  'bad.kpatch': (path) => writeFileSync(path, '[[[\n${\n"\n'),
  'control\n\u001b[31m.yaml': (path) => writeFileSync(path, ': : :\n'),
  'package.kurel': (path) => put(path, { 'parameters.yaml': '[]', 'resources/a.yaml': '*x', 'patches/a.kpatch': '[' }),
  application: (path) => put(path, { 'kurel.yaml': 'kind: 1', 'app.yaml': '!!binary x', 'kurel.lock': '{' }),
  chart: (path) => put(path, { 'Chart.yaml': '[]', 'values.yaml': '- 1', 'values.schema.json': '1' }),
  kustomization: (path) => put(path, { 'kustomization.yaml': 'resources: {a: 1}\npatches: 3\n' }),
  'marked-by-directories': (path) => put(path, { 'Chart.yaml/a': '', 'app.yaml/a': '', 'kustomization.yaml/a': '' }),
};

function put(path: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), text);
  }
}

/** Nothing is contacted there: its address is refused without `--allow-private`. */
const local = 'oci://127.0.0.1:9/shop';

/** Every way to name a path; `@` is the input. */
const calls: Readonly<Record<string, readonly string[]>> = {
  argocd: ['argocd @', 'argocd discover', 'argocd parameters', 'argocd generate'],
  attest: ['attest @ good.yaml --key @', `attest ${local}:1 @ --key @`],
  build: [
    'build @',
    'build @ --no-profile -o out',
    'build @ --no-profile --set a=b --set-json c=[1]',
    'build good.yaml --patch @',
    'build @/*.yaml',
    ...['manifests', 'kustomization', 'chart', 'patch-package', 'application'].map(
      (form) => `build @ --as ${form} --no-profile`,
    ),
    ...['profile', 'policy', 'values', 'capability-def'].map((flag) => `build app --${flag} @`),
    'build good.yaml --output-dir @',
    'build good.yaml -o @',
    'build good.yaml --check -o @',
    'build package-good.kurel --local @ --max-depth 9999',
  ],
  completion: ['completion @'],
  diff: ['diff @ good.yaml', 'diff good.yaml @ --format json', 'diff HEAD:@ @'],
  explain: ['explain @ configmap.web', 'explain good.yaml @ --format json', 'explain good.yaml configmap.web @'],
  fleet: ['fleet list --fleet @', 'fleet build --fleet @', 'fleet explain @', 'fleet list @ --since @'],
  fmt: ['fmt @ --check', 'fmt @'],
  help: ['help @'],
  images: ['images @ --format json'],
  info: ['info @', 'info @ --format json --all'],
  init: ['init @'],
  krm: ['krm', 'krm @'],
  login: ['login @', 'login 127.0.0.1:9 --username ann --registry-config @'],
  logout: ['logout @', 'logout 127.0.0.1:9 --registry-config @'],
  patch: ['patch @ --patch good.kpatch', 'patch good.yaml --patch @', 'patch good.yaml @ --patch good.kpatch --diff'],
  patches: ['patches list @', 'patches @'],
  pull: ['pull @', `pull ${local}:1 -o @`, `pull ${local}:1 --registry-config @`],
  push: [`push @ ${local}:1 --dry-run`, `push --rendered @ ${local}:1 --dry-run --no-profile`, 'push app @'],
  schema: ['schema show @', 'schema values @', 'schema generate @', 'schema @', 'schema show Pod --crds @'],
  sign: ['sign @ --key @', `sign ${local}:1 --key @`],
  update: ['update @', 'update --fleet @', 'update --fleet @ --check'],
  validate: [
    'validate @',
    'validate @ --format sarif',
    'validate good.yaml --crds @',
    'validate @ --no-profile --strict',
  ],
  vendor: ['vendor @', 'vendor @ --check --no-profile'],
  verify: [
    'verify @ --key @',
    `verify ${local}:1 --key @`,
    `verify ${local}:1 --identity ann --issuer https://example.com --trusted-root @`,
    `verify ${local}:1 --key good.yaml --rebuild --source @`,
  ],
  version: ['version @'],
};
/** A pipe that the user names is read until somebody writes to it, which nobody does here. */
const readsPipes = /--(?:values|patch|key|registry-config) @/;

describe('every command with everything that is not an input', () => {
  let place = '';
  let driver: Awaited<ReturnType<typeof bundleProgram>> | undefined;
  let program: HostileProcess | undefined;
  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'kurel-crash-'));
    chmodSync(place, 0o777);
    for (const [name, make] of Object.entries(inputs)) make(join(place, name));
    put(place, {
      'good.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n',
      'good.kpatch': '[configmap.web]\ndata.a: b\n',
      'app/app.yaml':
        'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Application\nmetadata: {name: shop}\nspec: {components: []}\n',
      'package-good.kurel/parameters.yaml': 'kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}\n',
      'package-good.kurel/resources/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n',
    });
    driver = await bundleProgram();
    program = startProcess(driver.file, { isNobody: process.getuid?.() === 0 });
  });
  afterAll(() => {
    program?.end();
    driver?.remove();
    for (const name of readdirSync(place)) if (name === 'closed-directory') chmodSync(join(place, name), 0o755);
    rmSync(place, { recursive: true, force: true });
  });

  it('has all commands', () => {
    expect(Object.keys(calls).toSorted()).toEqual(commandTable.map(({ name }) => name).toSorted());
  });

  it.each(Object.values(calls).flat())(
    'kurel %s',
    async (call) => {
      const paths = [
        ...Object.keys(inputs),
        '-',
        '',
        '.git',
        '/dev/null',
        '/dev/full',
        'x'.repeat(5000),
        '--',
        '--help=1',
      ];
      for (const path of paths) {
        if (path === 'pipe' && readsPipes.test(call)) continue;
        const words = call.split(' ').map((word) => word.replace('@', () => path));
        const { exitCode, stdout, stderr } = await program!.call({
          words,
          workingDirectory: place,
          variables: { PATH: process.env['PATH'], XDG_CACHE_HOME: join(place, 'caches') },
          toolsDirectory: join(repository, '.tools', 'bin'),
          stdin: join(place, 'binary.yaml'),
        });
        const what = JSON.stringify(words.map((word) => word.slice(0, 100)));
        expect([0, 1, 2], what).toContain(exitCode);
        const shown = `${stdout.slice(0, 5000)}${stderr}`;
        expect(shown, what).not.toMatch(/internal-error|^ {4}at |\b(?:Range|Type|Reference|Syntax)Error\b|call stack/m);
        // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
        expect(stderr, what).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/);
        if (exitCode === 0) continue;
        expect(shown, `${what}: a failure without a message`).not.toBe('');
        const isReport = /^(?!build|patch |fmt|init|vendor|schema|completion|version)|--(?:check|diff)/.test(call);
        if (!isReport) expect(stdout, what).toBe('');
      }
    },
    300_000,
  );
});

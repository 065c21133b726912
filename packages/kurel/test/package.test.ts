import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { repository } from './source-tree.ts';

const require = createRequire(import.meta.url);

// What a stranger gets: the packed package, installed into an empty project.
describe('the packed package', () => {
  let directory = '';
  let tarball = '';
  const project = (): string => join(directory, 'project');
  const inProject = (command: string, args: readonly string[]): string =>
    execFileSync(command, args, { cwd: project(), encoding: 'utf8' });

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'kurel-package-'));
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', directory, '-w', 'packages/kurel'], {
      cwd: repository,
      stdio: 'ignore',
    });
    tarball = join(directory, readdirSync(directory)[0]!);
    mkdirSync(project());
    writeFileSync(join(project(), 'package.json'), '{"name":"empty","private":true,"type":"module"}');
    inProject('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', tarball]);
  }, 300_000);

  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('runs as a program', () => {
    writeFileSync(join(project(), 'a.yaml'), '# kept\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n');
    expect(inProject('npx', ['--no-install', 'kurel', 'build', 'a.yaml', '--label', 'a=b'])).toBe(
      '# kept\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n  labels:\n    a: b\n',
    );
  });

  it('runs as a library', () => {
    writeFileSync(
      join(project(), 'use.js'),
      `import { build, Engine, filters, renderers, transformers } from 'kurel';
import { diskFileSystem } from 'kurel/host';
const engine = new Engine({
  renderers: [renderers.memory({ objects: [{ apiVersion: 'v1', kind: 'Service' }, { apiVersion: 'v1', kind: 'Secret' }] })],
  filters: [filters.gvk('v1/Service')],
  transformers: [transformers.labels.set({ a: 'b' })],
});
const built = await build({ path: 'a.yaml', fileSystem: diskFileSystem() });
console.log(JSON.stringify([await engine.render(), built.objects.length]));
`,
    );
    expect(JSON.parse(inProject('node', ['use.js']))).toEqual([
      [{ apiVersion: 'v1', kind: 'Service', metadata: { labels: { a: 'b' } } }],
      1,
    ]);
  });

  it('has types that a strict project can use', () => {
    writeFileSync(
      join(project(), 'typed.ts'),
      `import { build, Engine, filters, renderers, type BuildResult, type Filter, type KubeObject } from 'kurel';
import { diskFileSystem } from 'kurel/host';
const keep: Filter = filters.and(filters.namespace.is('a'), (object) => object.kind === 'Service');
const engine = new Engine({ renderers: [renderers.memory({ objects: [] })], filters: [keep] });
export const objects: Promise<KubeObject[]> = engine.render();
export const result: Promise<BuildResult> = build({ path: '.', fileSystem: diskFileSystem() });
// @ts-expect-error a kind is a text
filters.kind(1);
`,
    );
    const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
    const flags = [
      '--noEmit',
      '--strict',
      '--target',
      'es2023',
      '--lib',
      'es2023,dom',
      '--module',
      'nodenext',
      '--types',
      '',
    ];
    expect(inProject('node', [tsc, ...flags, 'typed.ts'])).toBe('');
  });

  it('is packed as registries and bundlers expect', async () => {
    const { messages } = await publint({ pkgDir: join(project(), 'node_modules', 'kurel'), pack: false, strict: true });
    expect(messages).toEqual([]);
  });

  it('resolves to the right types in every way of importing it', () => {
    const attw = join(dirname(require.resolve('@arethetypeswrong/cli/package.json')), 'dist', 'index.js');
    const report = JSON.parse(inProject('node', [attw, tarball, '--format', 'json', '--profile', 'esm-only'])) as {
      readonly analysis: { readonly problems: readonly { readonly resolutionKind: string }[] };
    };
    // The package is ESM: what Node 10 and `require` before Node 20.19 cannot do is left out.
    const left = ['node10', 'node16-cjs'];
    expect(report.analysis.problems.filter(({ resolutionKind }) => !left.includes(resolutionKind))).toEqual([]);
  });
});

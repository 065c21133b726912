import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { packPackage } from './pack-package.ts';
import { repository } from './source-tree.ts';

const require = createRequire(import.meta.url);

// What a stranger gets: the packed packages, installed into an empty project, from these files alone.
describe('the packed package', () => {
  let directory = '';
  let tarballs: readonly string[] = [];
  const project = (): string => join(directory, 'project');
  const inProject = (command: string, args: readonly string[]): string =>
    execFileSync(command, args, { cwd: project(), encoding: 'utf8' });

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'kurel-package-'));
    tarballs = ['kurel', 'jq'].map((name) => packPackage(name, directory).tarball);
    mkdirSync(project());
    writeFileSync(join(project(), 'package.json'), '{"name":"empty","private":true,"type":"module"}');
    inProject('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs]);
  }, 300_000);

  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('runs as a program', () => {
    writeFileSync(join(project(), 'a.yaml'), '# kept\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n');
    expect(inProject('npx', ['--no-install', 'kurel', 'build', 'a.yaml', '--label', 'a=b'])).toBe(
      '# kept\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n  labels:\n    a: b\n',
    );
  });

  it('keeps the names of errors', () => {
    const program =
      "import { filters } from 'kurel'; try { filters.jq('.a |') } catch (error) { console.log(String(error)) }";
    expect(inProject('node', ['--input-type=module', '--eval', program])).toMatch(/^JqError: /);
  });

  it('says its version', () => {
    const { version } = JSON.parse(readFileSync(join(repository, 'packages', 'kurel', 'package.json'), 'utf8'));
    expect(inProject('npx', ['--no-install', 'kurel', 'version'])).toMatch(`kurel ${version} (node `);
  });

  it.each([
    ['manifests', 'plain', [], 'kind: Deployment'],
    ['a patch package', 'packages/hello.kurel', [], 'kind: Deployment'],
    [
      'an application package',
      'applications/web/package',
      ['--profile', 'applications/web/gateway.yaml', '--values', 'applications/shop/staging.yaml'],
      'kind: HTTPRoute',
    ],
  ])('builds and validates %s', (_form, path, flags, made) => {
    const inExamples = (word: string): string => (word.startsWith('--') ? word : join(repository, 'examples', word));
    const words = [path, ...flags].map(inExamples);
    expect(inProject('npx', ['--no-install', 'kurel', 'build', ...words])).toContain(made);
    // It exits with 1, which throws, when there are errors.
    inProject('npx', ['--no-install', 'kurel', 'validate', ...words]);
  });

  it('does what its README says', () => {
    const readme = readFileSync(join(project(), 'node_modules', 'kurel', 'README.md'), 'utf8');
    const [manifest, session, code, printed] = ['yaml', 'console', 'ts', 'text'].map(
      (language) => new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(readme)![1]!,
    );
    const file = /^# (\S+)\n/.exec(manifest!)!;
    writeFileSync(join(project(), file[1]!), manifest!.slice(file[0].length));
    const commands = session!.split(/^\$ /m).slice(1);
    for (const command of commands) {
      const [line = '', ...output] = command.split('\n');
      const [program = '', ...words] = line.split(' ');
      expect(inProject(program, words)).toBe(output.join('\n'));
    }
    expect(commands).toHaveLength(2);
    writeFileSync(join(project(), 'readme.js'), code!);
    expect(inProject('node', ['readme.js'])).toBe(printed);
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

  it('has jq as a package of its own', () => {
    writeFileSync(
      join(project(), 'jq.js'),
      `import { compile } from '@kurel/jq';\nconsole.log(compile('.a + 1').first({ a: 1 }));\n`,
    );
    expect(inProject('node', ['jq.js'])).toBe('2\n');
  });

  it('has types that a strict project can use', () => {
    writeFileSync(
      join(project(), 'typed.ts'),
      `import { build, Engine, filters, renderers, type BuildResult, type Filter, type KubeObject } from 'kurel';
import { diskFileSystem } from 'kurel/host';
import { compile, type JqError } from '@kurel/jq';
const keep: Filter = filters.and(filters.namespace.is('a'), (object) => object.kind === 'Service');
const engine = new Engine({ renderers: [renderers.memory({ objects: [] })], filters: [keep] });
export const objects: Promise<KubeObject[]> = engine.render();
export const result: Promise<BuildResult> = build({ path: '.', fileSystem: diskFileSystem() });
export const reasonOf = ({ reason }: JqError): string => reason;
// @ts-expect-error a kind is a text
filters.kind(1);
// @ts-expect-error a program is a text
compile(1);
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

  it.each(['kurel', '@kurel/jq'])('is packed as registries and bundlers expect: %s', async (name) => {
    const { messages } = await publint({ pkgDir: join(project(), 'node_modules', name), pack: false, strict: true });
    expect(messages).toEqual([]);
  });

  it.each([0, 1])('resolves to the right types in every way of importing it: tarball %i', (index) => {
    const attw = join(dirname(require.resolve('@arethetypeswrong/cli/package.json')), 'dist', 'index.js');
    const args = [attw, tarballs[index]!, '--format', 'json', '--profile', 'esm-only'];
    const report = JSON.parse(inProject('node', args)) as {
      readonly analysis: { readonly problems: readonly { readonly resolutionKind: string }[] };
    };
    // The packages are ESM: what Node 10 and `require` before Node 20.19 cannot do is left out.
    const left = ['node10', 'node16-cjs'];
    expect(report.analysis.problems.filter(({ resolutionKind }) => !left.includes(resolutionKind))).toEqual([]);
  });
});

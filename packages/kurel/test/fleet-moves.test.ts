import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';

import { readFiles } from './fleet-project.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-moves-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

interface Target {
  readonly name: string;
  readonly output: string;
  readonly layout: string;
  /** Empty for the default of the package. */
  readonly instance: string;
  readonly package: string;
}

function fleetFile(targets: readonly Target[]): string {
  // Each is for a cluster of its own, so that they may have the same objects.
  const lines = targets.map(({ instance, ...target }, index) => {
    const flux = target.layout === 'flux' ? { flux: { source: 'GitRepository/fleet' } } : {};
    const settings = instance === '' ? target : { ...target, instance };
    return `  - ${JSON.stringify({ noProfile: true, cluster: `c${index}`, ...flux, ...settings })}\n`;
  });
  const clusters = targets.map((_, index) => `c${index}: {}`).join(', ');
  return `apiVersion: launcher.gokure.dev/v1alpha1\nkind: Fleet\nspec:\n  clusters: {${clusters}}\n  targets:\n${lines.join('')}`;
}

function write(directory: string, path: string, text: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), text);
}

const names = ['shop', 'store'] as const;

/** Two application packages that differ only in their name, which is the default of the instance. */
function createProject(name: string): string {
  const directory = join(place, name);
  for (const application of names) {
    const metadata = (more: string): string => `metadata: {name: ${application}, ${more}}\n`;
    const api = 'apiVersion: launcher.gokure.dev/v1alpha1\n';
    write(directory, `packages/${application}/kurel.yaml`, `${api}kind: Package\n${metadata('version: 1.0.0')}`);
    const properties = '{image: "registry.example.com/shop:1", port: 80}';
    const components = `spec:\n  components:\n  - {name: web, type: webservice, properties: ${properties}}\n`;
    write(
      directory,
      `packages/${application}/app.yaml`,
      `${api}kind: Application\n${metadata('namespace: shop')}${components}`,
    );
  }
  return directory;
}

async function fleet(directory: string, ...words: readonly string[]): Promise<ProgramOutcome> {
  const variables = { PATH: process.env['PATH'], XDG_CACHE_HOME: join(directory, 'cache') };
  return runProgram(['fleet', ...words], { workingDirectory: directory, variables });
}

async function build(directory: string, targets: readonly Target[], ...words: readonly string[]): Promise<string> {
  write(directory, 'kurel.fleet.yaml', fleetFile(targets));
  const { exitCode, stderr } = await fleet(directory, 'build', ...words);
  const codes = Array.from(stderr.matchAll(/^(?:error|warning|note)\[([\w-]+)\]/gm), ([, code]) => code);
  return [exitCode, ...codes].join(' ');
}

function outputsOf(directory: string): Readonly<Record<string, string>> {
  const files = Object.entries(readFiles(directory));
  return Object.fromEntries(
    files.filter(
      ([path]) => !path.startsWith('cache/') && !path.startsWith('packages/') && path !== 'kurel.fleet.yaml',
    ),
  );
}

const target: Target = { name: 'berlin', output: 'out/1', layout: 'flux', instance: 'one', package: 'packages/shop' };

let count = 0;

/** A project that has built the targets before a move. */
async function createBuilt(...targets: readonly Target[]): Promise<string> {
  const directory = createProject(`case-${count++}`);
  expect(await build(directory, targets)).toBe('0');
  return directory;
}

async function buildFresh(targets: readonly Target[]): Promise<Readonly<Record<string, string>>> {
  return outputsOf(await createBuilt(...targets));
}

const moves: readonly (readonly [string, Target, Target])[] = [
  ['instance of flux', target, { ...target, instance: 'two' }],
  ['instance of argocd', { ...target, layout: 'argocd' }, { ...target, layout: 'argocd', instance: 'two' }],
  ['instance of phases', { ...target, layout: 'phases' }, { ...target, layout: 'phases', instance: 'two' }],
  ['instance of flat', { ...target, layout: 'flat' }, { ...target, layout: 'flat', instance: 'two' }],
  ['default instance', { ...target, instance: '' }, { ...target, instance: '', package: 'packages/store' }],
  ['instance to the default', target, { ...target, instance: '' }],
  ['instance from the default', { ...target, instance: '' }, target],
  ['layout', target, { ...target, layout: 'argocd' }],
  ['layout and instance', target, { ...target, layout: 'by-kind', instance: 'two' }],
  ['output', target, { ...target, output: 'out/2' }],
  ['output into the old one', target, { ...target, output: 'out/1/deeper' }],
  ['output above the old one', { ...target, output: 'out/1/deeper' }, target],
  ['output and instance', target, { ...target, output: 'out/2', instance: 'two' }],
  ['name', target, { ...target, name: 'paris' }],
  [
    'name and default instance',
    { ...target, instance: '' },
    { ...target, name: 'paris', instance: '', package: 'packages/store' },
  ],
];

describe('a target that moves', () => {
  it.each(moves)('%s: a check fails, and a build leaves what a clean build writes', async (_, before, after) => {
    const directory = await createBuilt(before);
    write(directory, 'kurel.fleet.yaml', fleetFile([after]));
    expect((await fleet(directory, 'build', '--check')).exitCode).toBe(1);
    expect(await build(directory, [after])).toBe('0');
    expect(outputsOf(directory)).toEqual(await buildFresh([after]));
    expect((await fleet(directory, 'build', '--check')).stderr).toBe('1 target: 1 up to date\n');
    expect((await fleet(directory, 'build', '--check', '--no-cache')).exitCode).toBe(0);
  });

  it('is found by a run of this target alone, by its shard and by --since', { tags: 'slow' }, async () => {
    const other = { ...target, name: 'paris', output: 'out/paris' };
    const after = { ...target, output: 'out/2' };
    for (const words of [['berlin'], ['--shard', '1/1'], ['--since', 'HEAD']]) {
      const directory = await createBuilt(target, other);
      write(directory, 'kurel.fleet.yaml', fleetFile([after, other]));
      execFileSync('git', ['init', '--quiet'], { cwd: directory });
      execFileSync('git', ['add', '--all'], { cwd: directory });
      const settings = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
      execFileSync('git', [...settings, 'commit', '--quiet', '--message', 'moved'], { cwd: directory });
      expect(await build(directory, [after, other], '--check', ...words)).toMatch(/^1 .*output-stale/);
      expect(await build(directory, [after, other], ...words)).toBe('0');
      expect(existsSync(join(directory, 'out/1'))).toBe(false);
      expect(existsSync(join(directory, 'out/paris'))).toBe(true);
    }
  });

  it('is delivered from a shared cache like any other', async () => {
    const directory = createProject(`case-${count++}`);
    const [after, renamed] = [
      { ...target, instance: 'two' },
      { ...target, name: 'paris' },
    ];
    const cache = ['--cache', 'cache/shared'];
    expect(await build(directory, [target], ...cache)).toBe('0');
    expect(await build(directory, [after], ...cache)).toBe('0');
    for (const back of [target, after, renamed]) {
      expect(await build(directory, [back], ...cache)).toBe('0');
      expect(outputsOf(directory)).toEqual(await buildFresh([back]));
    }
    write(directory, 'kurel.fleet.yaml', fleetFile([after]));
    expect((await fleet(directory, 'build', ...cache)).stderr).toBe('1 target: 1 built; 1 from the cache\n');
  });

  it('stays until the new output was written', async () => {
    const directory = await createBuilt(target);
    const { '.kurel.fleet.outputs': _, ...files } = outputsOf(directory);
    const failing = { ...target, output: 'out/2', package: 'packages/gone' };
    expect(await build(directory, [failing])).toBe('1 fleet-path-missing');
    expect(outputsOf(directory)).toMatchObject(files);
    expect(await build(directory, [{ ...failing, package: 'packages/shop' }])).toBe('0');
    expect(existsSync(join(directory, 'out/1'))).toBe(false);
  });

  it('is finished by the next run, even if the target is up to date', async () => {
    const directory = await createBuilt(target);
    const [old, record] = [join(directory, 'out/1'), join(directory, '.kurel.fleet.outputs')];
    cpSync(old, join(directory, 'copy'), { recursive: true });
    cpSync(record, join(directory, 'record'));
    const after = { ...target, output: 'out/2' };
    expect(await build(directory, [after])).toBe('0');
    // As if the run had been killed between the two outputs.
    cpSync(join(directory, 'copy'), old, { recursive: true });
    cpSync(join(directory, 'record'), record);
    expect(await build(directory, [after], '--check')).toBe('1 fleet-output-moved');
    expect((await fleet(directory, 'build')).stderr).toBe('1 target: 1 up to date\n');
    expect(existsSync(old)).toBe(false);
  });

  it('keeps files that were edited or added, and files of others', async () => {
    const directory = await createBuilt(target);
    const words = ['build', 'packages/store', '--no-profile', '--layout', 'flat', '-o', 'out/1/'];
    expect((await runProgram(words, { workingDirectory: directory })).exitCode).toBe(0);
    appendFileSync(join(directory, 'out/1/main/deployments.yaml'), '# mine\n');
    write(directory, 'out/1/notes.txt', 'mine\n');
    expect(await build(directory, [{ ...target, output: 'out/2' }])).toBe('0 output-edited-file');
    const files = Object.keys(readFiles(join(directory, 'out/1')));
    expect(files.filter((path) => !/^(?:deployment|service|serviceaccount)-/.test(path)).toSorted()).toEqual([
      '.kurel-inventory',
      'main/deployments.yaml',
      'notes.txt',
    ]);
    expect(files).toContain('deployment-web-shop.yaml');
  });

  it('with another spelling of its output has not moved, but its instance has', async () => {
    const directory = await createBuilt(target);
    const before = outputsOf(directory);
    expect(await build(directory, [{ ...target, output: './out//1/' }])).toBe('0');
    expect(outputsOf(directory)).toEqual(before);
    expect(await build(directory, [{ ...target, output: 'out/./1', instance: 'two' }])).toBe('0');
    expect(outputsOf(directory)).toEqual(await buildFresh([{ ...target, instance: 'two' }]));
  });

  it('and targets that change places', async () => {
    const other = { ...target, name: 'paris', output: 'out/2', instance: 'two' };
    const directory = await createBuilt(target, other);
    const after = [
      { ...target, output: 'out/2' },
      { ...other, output: 'out/1' },
    ];
    expect(await build(directory, after)).toBe('0');
    expect(outputsOf(directory)).toEqual(await buildFresh(after));
  });

  it('from a record of the last version is adopted once', async () => {
    const directory = await createBuilt(target);
    const path = '.kurel.fleet.outputs';
    const record = outputsOf(directory)[path]!;
    write(directory, path, '{\n  "version": 1,\n  "outputs": {\n    "out/1": "berlin"\n  }\n}\n');
    expect(await build(directory, [target])).toBe('0');
    expect(outputsOf(directory)[path]).toBe(record);
    write(directory, path, '{\n  "version": 1,\n  "outputs": {\n    "out/1": "berlin"\n  }\n}\n');
    const after = { ...target, instance: 'two' };
    expect(await build(directory, [after])).toBe('0');
    expect(outputsOf(directory)).toEqual(await buildFresh([after]));
  });
});

describe('random moves', () => {
  const arbitraryTarget = (name: string) =>
    fc.record({
      name: fc.constantFrom(name, `${name}-renamed`),
      output: fc.constantFrom('a', 'b', 'c', 'c/d'),
      layout: fc.constantFrom('flux', 'argocd', 'phases', 'flat', 'by-kind', 'by-resource'),
      instance: fc.constantFrom('', 'one', 'two'),
      package: fc.constantFrom(...names.map((application) => `packages/${application}`)),
    });

  /** The next state: a target changes either its name or its output. */
  function apply(before: Target, { name, ...change }: Target, isRename: boolean): Target {
    return isRename ? { ...before, ...change, name, output: before.output } : { ...before, ...change };
  }

  function overlap({ output: a }: Target, { output: b }: Target): boolean {
    return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
  }

  it('leave what a clean build writes', { tags: 'slow', timeout: 120_000 }, async () => {
    const step = fc.record({ first: arbitraryTarget('x'), second: arbitraryTarget('y'), isRename: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
        const directory = createProject(`random-${count++}`);
        let state: readonly Target[] = [];
        for (const { first, second, isRename } of steps) {
          const [x, y] =
            state.length === 0 ? [first, second] : [first, second].map((next, i) => apply(state[i]!, next, isRename));
          if (overlap(x!, y!)) continue;
          state = [x!, y!];
          expect(await build(directory, state)).toBe('0');
          expect(await build(directory, state, '--check')).toBe('0');
        }
        if (state.length > 0) expect(outputsOf(directory)).toEqual(await buildFresh(state));
      }),
      { numRuns: 25 },
    );
  });
});

describeWithProgram('kustomize', 'a removed target', (kustomize) => {
  it.each([
    ['flux', 'kustomizations'],
    ['argocd', '.'],
  ])(
    'leaves an empty root with the layout %s, which kustomize takes and a new target replaces',
    async (layout, root) => {
      const [first, other] = [
        { ...target, layout },
        { ...target, layout, name: 'paris', output: 'out/2' },
      ];
      const directory = await createBuilt(first, other);
      expect(await build(directory, [other], '--check')).toBe('1 fleet-output-removed');
      expect(await build(directory, [other], '--prune')).toBe('0 output-root-kept');
      const left = Object.keys(readFiles(join(directory, 'out/1'))).toSorted();
      expect(left).toEqual(['.kurel-inventory', join(root, 'kustomization.yaml')]);
      expect(execFileSync(kustomize, ['build', join(directory, 'out/1', root)], { encoding: 'utf8' })).toBe('');
      expect(await build(directory, [other], '--check')).toBe('0');
      const again = { ...first, name: 'rome', instance: 'rome' };
      expect(await build(directory, [again, other])).toBe('0');
      expect(outputsOf(directory)).toEqual(await buildFresh([again, other]));
    },
  );

  it('leaves nothing with other layouts, and files of others', async () => {
    const first = { ...target, layout: 'phases' };
    const other = { ...target, name: 'paris', output: 'out/2' };
    const directory = await createBuilt(first, other);
    expect(await build(directory, [other], '--prune')).toBe('0');
    expect(existsSync(join(directory, 'out/1'))).toBe(false);
  });

  it('of which the instance is not known is reported, and stays', async () => {
    const other = { ...target, name: 'paris', output: 'out/2' };
    const directory = await createBuilt({ ...target, layout: 'flat', instance: '' }, other);
    const words = ['build', 'packages/store', '--no-profile', '--layout', 'by-kind', '-o', 'out/1/'];
    expect((await runProgram(words, { workingDirectory: directory })).exitCode).toBe(0);
    const before = readFiles(join(directory, 'out/1'));
    expect(await build(directory, [other], '--prune')).toBe('0 output-earlier-unknown');
    expect(await build(directory, [other], '--prune')).toBe('0 output-earlier-unknown');
    expect(readFiles(join(directory, 'out/1'))).toEqual(before);
  });
});

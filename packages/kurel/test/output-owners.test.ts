import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bundledSchemas } from '../src/host/index.ts';
import { isJsonObject, type Diagnostic, type KubeObject } from '../src/model/index.ts';
import { createSchemaStore } from '../src/schema/index.ts';
import { loadRulesFor, validateObjects } from '../src/validate/index.ts';
import { decodeOutput, describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import { listFiles, repository } from './source-tree.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-owners-'));
afterAll(() => rmSync(place, { recursive: true }));

let count = 0;

/** A working directory with two packages: one with three phases, and one with one. */
function makePlace(): string {
  const directory = join(place, `case-${count++}`);
  for (const name of ['gitea.kurel', 'gitea.local.kurel', 'hello.kurel']) {
    cpSync(join(repository, 'examples', 'packages', name), join(directory, name), { recursive: true });
  }
  return directory;
}

async function build(workingDirectory: string, words: string): Promise<string> {
  const { exitCode, stderr } = await runProgram(['build', ...words.split(' ')], { workingDirectory });
  const codes = Array.from(stderr.matchAll(/^error\[([\w-]+)\]/gm), ([, code]) => code);
  return exitCode === 0 ? '' : codes.join(' ');
}

function readTree(directory: string): Readonly<Record<string, string>> {
  const files = listFiles(directory, '').filter((path) => statSync(join(directory, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(directory, path), 'utf8')]));
}

const instances = {
  gitea: 'gitea.kurel --layout LAYOUT -o out',
  hello: 'hello.kurel --layout LAYOUT -o out',
  staging: 'gitea.kurel --layout LAYOUT -o out --set replicas=2 --instance gitea-staging',
} as const;

type Instance = keyof typeof instances;

const orders: readonly (readonly Instance[])[] = [
  ['gitea', 'hello', 'staging'],
  ['staging', 'gitea', 'hello'],
  ['hello', 'staging', 'gitea'],
];

/** All directories that kustomize is to build. */
function kustomizationsIn(directory: string): readonly string[] {
  const files = listFiles(directory, 'kustomization.yaml').filter((path) =>
    readFileSync(join(directory, path), 'utf8').includes('kustomize.config.k8s.io/'),
  );
  return files.map((path) => dirname(join(directory, path)));
}

function fluxObjectsIn(directory: string): readonly KubeObject[] {
  return listFiles(directory, 'kustomization.yaml')
    .map((path) => readFileSync(join(directory, path), 'utf8'))
    .filter((text) => text.includes('kustomize.toolkit.fluxcd.io/'))
    .flatMap(decodeOutput);
}

describeWithProgram('kustomize', 'instances in one directory', (kustomize) => {
  const accept = (directory: string): void => {
    for (const one of kustomizationsIn(directory)) execFileSync(kustomize, ['build', one], { stdio: 'pipe' });
  };

  for (const layout of ['flux', 'argocd']) {
    it.each(orders.map((order) => [order]))(`${layout}: %j`, async (order) => {
      const workingDirectory = makePlace();
      const out = join(workingDirectory, 'out');
      const command = (name: Instance): string => instances[name].replace('LAYOUT', layout);
      const after: Record<string, string>[] = [];
      for (const name of order) {
        expect(await build(workingDirectory, command(name))).toBe('');
        after.push({ ...readTree(out) });
      }
      // Each build only added files, but for the inventory.
      for (const [index, tree] of after.entries()) {
        const { '.kurel-inventory': _, ...files } = tree;
        expect(after[index + 1] ?? files).toMatchObject(files);
      }
      for (const name of [...order, ...order.toReversed()]) {
        expect(await build(workingDirectory, command(name))).toBe('');
        expect(await build(workingDirectory, `${command(name)} --check`)).toBe('');
      }
      expect(readTree(out)).toEqual(after.at(-1));
      accept(out);
      // The first has the tree of the design; the others have the same below their names.
      expect(existsSync(join(out, 'main', 'kustomization.yaml'))).toBe(true);
      expect(kustomizationsIn(out).length).toBeGreaterThan(6);
    });
  }

  it('flux: a build with filters leaves a tree that kustomize takes, with everything in it', async () => {
    const workingDirectory = makePlace();
    const out = join(workingDirectory, 'out');
    const command = instances.gitea.replace('LAYOUT', 'flux');
    expect(await build(workingDirectory, command)).toBe('');
    const before = readTree(out);
    expect(await build(workingDirectory, `${command} --kind Deployment --label team=shop`)).toBe('');
    const { 'main/deployments.yaml': deployments, '.kurel-inventory': inventory, ...rest } = readTree(out);
    expect(before).toMatchObject(rest);
    expect(deployments).toContain('team: shop');
    expect(Object.keys(before)).toHaveLength(Object.keys(rest).length + 2);
    expect(inventory).not.toBe(before['.kurel-inventory']);
    accept(out);
  });
});

describe('the Flux objects of instances in one directory', () => {
  it('have names of their own, lead to their trees, and are what Flux takes', async () => {
    const workingDirectory = makePlace();
    const out = join(workingDirectory, 'out');
    for (const name of orders[0]!) await build(workingDirectory, instances[name].replace('LAYOUT', 'flux'));
    const objects = fluxObjectsIn(out);
    const names = objects.map(({ metadata }) => (isJsonObject(metadata) ? metadata['name'] : undefined));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('gitea-staging-main');
    for (const { spec } of objects) {
      const path = isJsonObject(spec) && typeof spec['path'] === 'string' ? spec['path'] : expect.fail('no path');
      expect(existsSync(join(out, path, 'kustomization.yaml'))).toBe(true);
    }
    const found: Diagnostic[] = [];
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'flux-system' } };
    validateObjects([...objects, namespace], {
      store: createSchemaStore({ files: bundledSchemas() }),
      report: (diagnostic) => void found.push(diagnostic),
      rules: await loadRulesFor(objects),
    });
    expect(found).toEqual([]);
  });
});

describe('what the first release did', () => {
  it('a second package no longer deletes the first', async () => {
    const workingDirectory = makePlace();
    const out = join(workingDirectory, 'out');
    expect(await build(workingDirectory, 'gitea.kurel -o out')).toBe('');
    const before = readTree(out);
    expect(await build(workingDirectory, 'hello.kurel -o out')).toBe('output-not-shared');
    expect(readTree(out)).toEqual(before);
    expect(await build(workingDirectory, 'hello.kurel -o out --layout flat')).toBe('output-not-shared');
    expect(readTree(out)).toEqual(before);
  });

  it('a filter no longer deletes the rest, and what was left goes with the next build', async () => {
    const workingDirectory = makePlace();
    const out = join(workingDirectory, 'out');
    expect(await build(workingDirectory, 'gitea.kurel -o out --layout flat')).toBe('');
    const before = readTree(out);
    expect(await build(workingDirectory, 'gitea.kurel -o out --layout flat --kind Deployment')).toBe('');
    expect(readTree(out)).toEqual(before);
    const words = [
      'build',
      'gitea.kurel',
      '-o',
      'out',
      '--layout',
      'flat',
      '--set',
      'replicas=3',
      '--name-prefix',
      'x-',
    ];
    expect((await runProgram(words, { workingDirectory })).exitCode).toBe(0);
    // Namespaces keep their names.
    const names = Object.keys(readTree(out)).filter((name) => !/^(?:\.|.*namespace-)/.test(name));
    expect(names.filter((name) => !name.includes('-x-'))).toEqual([]);
  });

  it('an output in a package no longer breaks later builds', async () => {
    const workingDirectory = makePlace();
    for (const output of [
      'hello.kurel/resources/out',
      'hello.kurel',
      'hello.kurel/.out',
      './hello.kurel/../hello.kurel/a',
    ]) {
      expect(await build(workingDirectory, `hello.kurel -o ${output}`)).toBe('output-below-input');
    }
    expect(await build(workingDirectory, 'hello.kurel -o hello.kurel-out')).toBe('');
    writeFileSync(join(workingDirectory, 'values.yaml'), '{}\n');
    expect(await build(workingDirectory, 'hello.kurel --values values.yaml -o values.yaml')).toBe('output-is-input');
    expect(readFileSync(join(workingDirectory, 'values.yaml'), 'utf8')).toBe('{}\n');
  });
});

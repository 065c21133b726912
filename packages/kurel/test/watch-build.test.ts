import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runProgram } from './run-program.ts';
import { repository } from './source-tree.ts';
import { startWatch } from './start-watch.ts';
import type { StartedWatch } from './start-watch.ts';

let place = '';
let watch: StartedWatch | undefined;
beforeEach(() => (place = mkdtempSync(join(tmpdir(), 'kurel-watch-'))));
afterEach(async () => {
  await watch?.end();
  watch = undefined;
  rmSync(place, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), text);
}

/** As editors do that never leave half a file. */
function save(path: string, text: string): void {
  write(`${path}.tmp`, text);
  renameSync(join(place, `${path}.tmp`), join(place, path));
}

function configMap(name: string, value: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: shop\ndata:\n  value: "${value}"\n`;
}

function readTree(directory: string): Readonly<Record<string, string>> {
  const root = join(place, directory);
  if (!existsSync(root)) return {};
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]),
  );
}

let fresh = 0;

/** Waits until the output is what a new process would write. */
async function untilFresh(words: readonly string[], directory = 'out'): Promise<void> {
  fresh += 1;
  const target = `fresh-${fresh}`;
  const { exitCode, stderr } = await runProgram([...words, '-o', target], { workingDirectory: place });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const expected = readTree(target);
  await watch!.until(() => isDeepStrictEqual(readTree(directory), expected));
}

function start(words: readonly string[], directory = 'out'): StartedWatch {
  watch = startWatch([...words, '-o', directory], { workingDirectory: place });
  return watch;
}

describe('build --watch', () => {
  it('writes what a new build would write, whatever happens to the files', async () => {
    write('deploy/one.yaml', configMap('one', '1'));
    write('deploy/sub/two.yaml', configMap('two', '1'));
    const words = ['build', 'deploy', '--layout', 'by-resource'];
    const { until, stderr, end } = start(words);
    await untilFresh(words);
    write('deploy/one.yaml', configMap('one', '2'));
    await untilFresh(words);
    save('deploy/one.yaml', configMap('one', '3'));
    await untilFresh(words);
    write('deploy/sub/three.yaml', configMap('three', '1'));
    await untilFresh(words);
    write('deploy/new/deep/four.yaml', configMap('four', '1'));
    await untilFresh(words);
    write('deploy/new/deep/four.yaml', configMap('four', '2'));
    await untilFresh(words);
    rmSync(join(place, 'deploy/one.yaml'));
    await untilFresh(words);
    rmSync(join(place, 'deploy/new'), { recursive: true });
    await untilFresh(words);
    renameSync(join(place, 'deploy/sub'), join(place, 'elsewhere'));
    write('deploy/sub/two.yaml', configMap('two', '2'));
    await untilFresh(words);
    write('deploy/sub/two.yaml', configMap('two', '3'));
    await untilFresh(words);
    renameSync(join(place, 'deploy'), join(place, 'before'));
    await until(() => stderr().includes('input-not-found'));
    cpSync(join(place, 'before'), join(place, 'deploy'), { recursive: true });
    write('deploy/sub/two.yaml', configMap('two', '4'));
    await untilFresh(words);
    expect(await end()).toBe(0);
  }, 120_000);

  it('shows errors, leaves the output as it is, and goes on', async () => {
    write('a.yaml', configMap('a', '1'));
    const { until, stderr } = start(['build', 'a.yaml']);
    await untilFresh(['build', 'a.yaml']);
    const before = readTree('out');
    write('a.yaml', 'kind: [\n');
    await until(() => /yaml-unclosed-bracket[^]*failed in \d+ ms; nothing written\n$/.test(stderr()));
    expect(readTree('out')).toEqual(before);
    write('a.yaml', configMap('a', '2'));
    await untilFresh(['build', 'a.yaml']);
    await until(() => /a\.yaml changed\n1 object, 0 errors in \d+ ms; 1 file changed\n$/.test(stderr()));
  }, 60_000);

  it('starts before its input exists', async () => {
    const words = ['build', 'later/app', '--patch', 'more.kpatch'];
    const { until, stderr } = start(words);
    await until(() => stderr().includes('cannot read more.kpatch'));
    write('more.kpatch', '[configmap.a]\ndata.added: "yes"\n');
    await until(() => stderr().includes('input-not-found'));
    mkdirSync(join(place, 'later'));
    write('later/app/a.yaml', configMap('a', '1'));
    await untilFresh(words);
    write('more.kpatch', '[configmap.a]\ndata.added: "no"\n');
    await untilFresh(words);
  }, 60_000);

  it('watches the files of packages and those that flags name', async () => {
    cpSync(join(repository, 'examples', 'packages', 'hello.kurel'), join(place, 'hello.kurel'), { recursive: true });
    write('values.yaml', 'replicas: 4\n');
    const words = ['build', 'hello.kurel', '--values', 'values.yaml'];
    start(words);
    await untilFresh(words);
    write('values.yaml', 'replicas: 5\n');
    await untilFresh(words);
    write('hello.local.kurel/parameters.yaml', 'image:\n  tag: v9\n');
    await untilFresh(words);
    write('hello.local.kurel/parameters.yaml', 'image:\n  tag: v10\n');
    await untilFresh(words);
  }, 60_000);

  it('sees the extension appear beside a package that is named by a dot', async () => {
    cpSync(join(repository, 'examples', 'packages', 'hello.kurel'), join(place, 'hello.kurel'), { recursive: true });
    const workingDirectory = join(place, 'hello.kurel');
    watch = startWatch(['build', '.', '-o', '../out'], { workingDirectory });
    await watch.until(() => watch!.runs() > 0);
    write('hello.local.kurel/parameters.yaml', 'image:\n  tag: v9\n');
    await watch.until(() => JSON.stringify(readTree('out')).includes(':v9'));
  }, 60_000);

  it('watches what helm and kustomize read', async () => {
    cpSync(join(repository, 'examples', 'chart'), join(place, 'chart'), { recursive: true });
    const { end } = start(['build', 'chart']);
    await untilFresh(['build', 'chart']);
    const template = readdirSync(join(place, 'chart', 'templates')).find((name) => name.endsWith('.yaml'))!;
    const text = readFileSync(join(place, 'chart', 'templates', template), 'utf8');
    write(`chart/templates/${template}`, `${text}\n---\n${configMap('added', '1')}`);
    await untilFresh(['build', 'chart']);
    expect(JSON.stringify(readTree('out'))).toContain('name: added');
    await end();

    write('base/kustomization.yaml', 'resources: [a.yaml]\n');
    write('base/a.yaml', configMap('a', '1'));
    write('overlay/kustomization.yaml', 'resources: [../base]\nnamePrefix: x-\n');
    start(['build', 'overlay'], 'out-k');
    await untilFresh(['build', 'overlay'], 'out-k');
    write('base/a.yaml', configMap('a', '2'));
    await untilFresh(['build', 'overlay'], 'out-k');
  }, 120_000);

  it('follows links to where they lead', async () => {
    write('releases/1/a.yaml', configMap('a', '1'));
    write('releases/2/a.yaml', configMap('a', '2'));
    symlinkSync('releases/1', join(place, 'current'));
    start(['build', 'current']);
    await untilFresh(['build', 'current']);
    symlinkSync('releases/2', join(place, 'next'));
    renameSync(join(place, 'next'), join(place, 'current'));
    await untilFresh(['build', 'current']);
    write('releases/2/a.yaml', configMap('a', '3'));
    await untilFresh(['build', 'current']);
  }, 60_000);

  it('is not woken by its own output', async () => {
    write('site/a.yaml', configMap('a', '1'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { until, runs, stderr } = start(['build', 'site'], 'site/.out');
    await until(() => runs() > 0);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(runs()).toBe(1);
    write('site/b.yaml', configMap('b', '1'));
    await until(() => runs() === 2);
    expect(stderr()).toMatch(/site\/b\.yaml is new\n[^]*; 1 file added\n$/);
  }, 60_000);

  it('is not woken by editors, or by what is installed', async () => {
    cpSync(join(repository, 'examples', 'chart'), join(place, 'chart'), { recursive: true });
    // Files that were written just before they are read are read once more.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { until, runs, stderr } = start(['build', 'chart'], 'chart-out');
    await until(() => runs() > 0);
    write('chart/node_modules/x/a.yaml', configMap('a', '1'));
    write('chart/.values.yaml.swp', 'x');
    write('chart/values.yaml~', 'x');
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(runs()).toBe(1);
    write('chart/templates/b.yaml', configMap('b', '1'));
    await until(() => runs() === 2);
    expect(stderr()).toMatch(/chart\/templates\/b\.yaml is new\n[^]*; 1 file added\n$/);
    // oxlint-disable-next-line no-control-regex -- a pipe gets none of them
    expect(stderr()).not.toMatch(/[\0-\x09\x0b-\x1f\x7f]/);
  }, 60_000);

  it('ends at once when the command line is wrong', async () => {
    write('a.yaml', configMap('a', '1'));
    watch = startWatch(['build', 'a.yaml', '-o', 'out', '--set', '=x'], { workingDirectory: place });
    await expect(watch.until(() => false)).rejects.toThrow('set-syntax');
    expect(await watch.end()).toBe(2);
  });
});

import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from './loopback-server.ts';
import type { Answers, LoopbackServer } from './loopback-server.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import { writeTar } from './write-tar.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-vendor-'));
const served = new Map<string, string | Uint8Array>();
let server: LoopbackServer;

beforeAll(async () => {
  const answer = (path: string): [string, Answers[string]] => [
    path,
    (_, response) => {
      const content = served.get(path);
      if (content === undefined) response.writeHead(404).end();
      else response.end(content);
    },
  ];
  const paths = ['/a.yaml', '/b.yaml', '/..%2f..%2fetc%2fcron.yaml', '/charts/index.yaml', '/charts/echo-1.2.0.tgz'];
  server = await startServer({
    ...Object.fromEntries(paths.map(answer)),
    '/moved.yaml': (_, response) => response.writeHead(302, { location: '/a.yaml?signature=secret' }).end(),
  });
});
afterAll(async () => {
  await server.stop();
  rmSync(place, { recursive: true });
});

const settings = (name: string, value = 'x'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  key: ${value}\n`;

const head = 'apiVersion: launcher.gokure.dev/v1alpha1\n';

/** A component for each path on the server. */
function application(...components: readonly string[]): string {
  const lists = components.map((text, index) => `  - name: c${index}\n    ${text}\n`);
  return `${head}kind: Application\nmetadata: {name: shop}\nspec:\n  components:\n${lists.join('')}`;
}

const manifests = (path: string): string => `type: manifests\n    properties: {url: "${server.url}${path}"}`;

function makePackage(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(place, 'case-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, 'shop', path)), { recursive: true });
    writeFileSync(join(directory, 'shop', path), text);
  }
  return directory;
}

function readPackage(directory: string): Readonly<Record<string, string>> {
  const root = join(directory, 'shop');
  const entries = readdirSync(root, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return Object.fromEntries(paths.map((path) => [path.slice(root.length + 1), readFileSync(path, 'latin1')]));
}

const run = (workingDirectory: string, ...words: readonly string[]) =>
  runProgram([words[0]!, 'shop', '--no-profile', ...words.slice(1)], { workingDirectory });
const vendor = (directory: string, ...words: readonly string[]) =>
  run(directory, 'vendor', '--allow-private', ...words);

describe('kurel vendor', () => {
  it('fetches and locks, and then a build needs no network', async () => {
    served.set('/a.yaml', settings('a')).set('/b.yaml', settings('b'));
    const directory = makePackage({ 'app.yaml': application(manifests('/a.yaml'), manifests('/b.yaml')) });
    const online = await run(directory, 'build', '--allow-private');
    expect(online.stderr).toContain('source-not-pinned');
    expect((await run(directory, 'build', '--offline')).stderr).toContain('error[source-offline]');
    const { exitCode, stdout, stderr } = await vendor(directory);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.replaceAll(/[0-9a-f]{12}/g, '…')).toBe(
      `added    vendor/a-….yaml  ${server.url}/a.yaml\nadded    vendor/b-….yaml  ${server.url}/b.yaml\nadded    kurel.lock\n`,
    );
    const asked = server.requests.length;
    const offline = await run(directory, 'build', '--offline');
    expect(offline).toEqual({ exitCode: 0, stdout: online.stdout, stderr: '' });
    // A lock is enough: what is in the package is not asked for again.
    expect((await run(directory, 'build', '--allow-private')).stdout).toBe(online.stdout);
    expect((await run(directory, 'validate')).exitCode).toBe(0);
    expect(server.requests).toHaveLength(asked);
  });

  it('writes nothing when nothing changed', async () => {
    served.set('/a.yaml', settings('a'));
    const directory = makePackage({ 'app.yaml': application(manifests('/a.yaml')) });
    await vendor(directory);
    const before = readPackage(directory);
    const files = readdirSync(join(directory, 'shop', 'vendor'));
    expect(await vendor(directory)).toEqual({
      exitCode: 0,
      stdout: 'kurel.lock is up to date: 1 source\n',
      stderr: '',
    });
    expect(readPackage(directory)).toEqual(before);
    expect(readdirSync(join(directory, 'shop', 'vendor'))).toEqual(files);
  });

  it('takes what changed elsewhere, and not before it is called', async () => {
    served.set('/a.yaml', settings('a', 'old'));
    const directory = makePackage({ 'app.yaml': application(manifests('/a.yaml')) });
    await vendor(directory);
    served.set('/a.yaml', settings('a', 'new'));
    expect((await run(directory, 'build', '--allow-private')).stdout).toContain('key: old');
    const { stdout } = await vendor(directory);
    expect(stdout).toMatch(/^changed {2}vendor\/a-[0-9a-f]{12}\.yaml {2}http.*\nchanged {2}kurel\.lock\n$/);
    expect((await run(directory, 'build', '--offline')).stdout).toContain('key: new');
  });

  it('refuses a build with other bytes than those of the lock', async () => {
    served.set('/a.yaml', settings('a', 'old'));
    const directory = makePackage({ 'app.yaml': application(manifests('/a.yaml')) });
    await vendor(directory);
    rmSync(join(directory, 'shop', 'vendor'), { recursive: true });
    expect((await run(directory, 'build', '--allow-private')).exitCode).toBe(0);
    served.set('/a.yaml', settings('a', 'new'));
    const { exitCode, stdout, stderr } = await run(directory, 'build', '--allow-private');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('error[source-changed]');
  });

  it('removes what is no longer named, and at last the lock', async () => {
    served.set('/a.yaml', settings('a')).set('/b.yaml', settings('b'));
    const directory = makePackage({ 'app.yaml': application(manifests('/a.yaml'), manifests('/b.yaml')) });
    await vendor(directory);
    writeFileSync(join(directory, 'shop', 'vendor', 'README.md'), 'mine');
    writeFileSync(join(directory, 'shop', 'app.yaml'), application(manifests('/b.yaml')));
    expect((await vendor(directory)).stdout).toMatch(
      /^changed {2}kurel\.lock\nremoved {2}vendor\/a-[0-9a-f]{12}\.yaml {2}http.*\n$/m,
    );
    writeFileSync(
      join(directory, 'shop', 'app.yaml'),
      application('type: passthrough\n    properties: {object: {apiVersion: v1, kind: ConfigMap}}'),
    );
    const { stdout } = await vendor(directory);
    expect(stdout).toMatch(/^removed {2}vendor\/b-[0-9a-f]{12}\.yaml.*\nremoved {2}kurel\.lock\n$/);
    expect(Object.keys(readPackage(directory))).toEqual(['app.yaml', 'vendor/README.md']);
    expect((await vendor(directory)).stdout).toBe('the package has no remote sources\n');
  });

  it('keeps what other values need, if asked to', async () => {
    served.set('/a.yaml', settings('a')).set('/b.yaml', settings('b'));
    const declaration = `${head}kind: Package\nmetadata: {name: shop}\nspec: {parameters: [{name: which, type: string, default: a}]}\n`;
    const directory = makePackage({ 'app.yaml': application(manifests('/${which}.yaml')), 'kurel.yaml': declaration });
    await vendor(directory);
    expect((await vendor(directory, '--set', 'which=b', '--keep')).stdout).toMatch(
      /^added {4}vendor\/b-.*\nchanged {2}kurel\.lock\n$/,
    );
    for (const which of ['a', 'b']) {
      expect((await run(directory, 'build', '--offline', '--set', `which=${which}`)).exitCode).toBe(0);
      expect((await run(directory, 'vendor', '--check', '--keep', '--set', `which=${which}`)).exitCode).toBe(0);
    }
    expect((await run(directory, 'vendor', '--check')).stderr).toContain('error[output-stale]');
  });

  it('writes nothing when one of the sources cannot be had', async () => {
    served.set('/a.yaml', settings('a')).delete('/b.yaml');
    const directory = makePackage({ 'app.yaml': application(manifests('/a.yaml'), manifests('/b.yaml')) });
    const { exitCode, stderr } = await vendor(directory);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('error[source-unreachable]');
    expect(Object.keys(readPackage(directory))).toEqual(['app.yaml']);
  });

  it('contacts no private address without the flag', async () => {
    served.set('/a.yaml', settings('a'));
    const directory = makePackage({ 'app.yaml': application(manifests('/a.yaml')) });
    const asked = server.requests.length;
    const { exitCode, stderr } = await run(directory, 'vendor');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('--allow-private');
    expect(server.requests).toHaveLength(asked);
  });

  it('says where a redirect led, without what was signed', async () => {
    served.set('/a.yaml', settings('a'));
    const directory = makePackage({ 'app.yaml': application(manifests('/moved.yaml')) });
    await vendor(directory);
    const lock = readPackage(directory)['kurel.lock']!;
    expect(lock).toContain(`from: ${server.url}/a.yaml\n`);
    expect(lock).not.toContain('secret');
  });

  it('keeps names that others chose inside of the package', async () => {
    served.set('/..%2f..%2fetc%2fcron.yaml', settings('a'));
    const directory = makePackage({ 'app.yaml': application(manifests('/..%2f..%2fetc%2fcron.yaml')) });
    expect((await vendor(directory)).exitCode).toBe(0);
    expect(Object.keys(readPackage(directory)).toSorted()[2]).toMatch(/^vendor\/2f-2fetc-2fcron-[0-9a-f]{12}\.yaml$/);
  });

  it('follows no link out of the package', async () => {
    served.set('/a.yaml', settings('a'));
    const directory = makePackage({ 'app.yaml': application(manifests('/a.yaml')) });
    mkdirSync(join(directory, 'elsewhere'));
    symlinkSync(join(directory, 'elsewhere'), join(directory, 'shop', 'vendor'));
    const { exitCode, stderr } = await vendor(directory);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('error[output-blocked]');
    expect(readdirSync(join(directory, 'elsewhere'))).toEqual([]);
  });

  it('leaves a lock alone that it cannot read', async () => {
    const files = { 'app.yaml': application(manifests('/a.yaml')), 'kurel.lock': 'kind: Lock\nspec: []\n' };
    const directory = makePackage(files);
    expect((await vendor(directory)).exitCode).toBe(1);
    expect(readPackage(directory)).toEqual(files);
  });
});

describe('kurel vendor --check', () => {
  it.each<{ name: string; change: (root: string) => void; code: string }>([
    {
      name: 'a file is gone',
      code: 'source-offline',
      change: (root) => rmSync(join(root, 'vendor'), { recursive: true }),
    },
    { name: 'the lock is gone', code: 'source-offline', change: (root) => rmSync(join(root, 'kurel.lock')) },
    {
      name: 'a file was changed',
      code: 'source-changed',
      change: (root) =>
        writeFileSync(join(root, 'vendor', readdirSync(join(root, 'vendor'))[0]!), settings('a', 'mine')),
    },
    {
      name: 'something is named that the lock does not have',
      code: 'source-not-locked',
      change: (root) => writeFileSync(join(root, 'app.yaml'), application(manifests('/b.yaml'))),
    },
    {
      name: 'the lock has something that nothing names',
      code: 'output-stale',
      change: (root) =>
        writeFileSync(
          join(root, 'app.yaml'),
          application('type: passthrough\n    properties: {object: {apiVersion: v1, kind: ConfigMap}}'),
        ),
    },
    {
      name: 'the lock was edited',
      code: 'output-stale',
      change: (root) =>
        writeFileSync(join(root, 'kurel.lock'), `${readFileSync(join(root, 'kurel.lock'), 'utf8')}# mine\n`),
    },
  ])('fails when $name, and asks nobody', async ({ change, code }) => {
    served.set('/a.yaml', settings('a'));
    const directory = makePackage({ 'app.yaml': application(manifests('/a.yaml')) });
    await vendor(directory);
    expect(await vendor(directory, '--check')).toEqual({
      exitCode: 0,
      stdout: 'kurel.lock is up to date: 1 source\n',
      stderr: '',
    });
    change(join(directory, 'shop'));
    const before = readPackage(directory);
    const asked = server.requests.length;
    const { exitCode, stdout, stderr } = await vendor(directory, '--check');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(`error[${code}]`);
    expect(readPackage(directory)).toEqual(before);
    expect(server.requests).toHaveLength(asked);
  });
});

describe('a chart that is in a package', () => {
  const chartFile = { name: 'echo/Chart.yaml', content: 'apiVersion: v2\nname: echo\nversion: 1.0.0\n' };

  it.each<{ name: string; archive: () => Uint8Array; reason: string }>([
    {
      name: 'a link',
      archive: () => gzipSync(writeTar([chartFile, { name: 'echo/templates/x.yaml', type: '2' }])),
      reason: 'link',
    },
    {
      name: 'a name that escapes it',
      archive: () => gzipSync(writeTar([chartFile, { name: 'echo/../../x.yaml', content: 'x' }])),
      reason: '..',
    },
    { name: 'more than is taken', archive: () => gzipSync(new Uint8Array(101 * 1024 * 1024)), reason: '100 MiB' },
    {
      name: 'something other than an archive',
      archive: () => new TextEncoder().encode('hello'),
      reason: 'not a gzip file',
    },
  ])('is refused with $name in it, without a network too', async ({ archive, reason }) => {
    const bytes = archive();
    const component = `type: helmchart
    properties:
      delivery: template
      source: {url: "https://charts.example.com"}
      chart: echo
      version: 1.0.0`;
    const digest = createHash('sha256').update(bytes).digest('hex');
    const entry = `{url: "https://charts.example.com", chart: echo, version: 1.0.0, sha256: "${digest}", file: vendor/echo.tgz}`;
    const directory = makePackage({
      'app.yaml': application(component),
      'kurel.lock': `${head}kind: Lock\nspec:\n  sources:\n  - ${entry}\n`,
      'vendor/echo.tgz': '',
    });
    writeFileSync(join(directory, 'shop', 'vendor', 'echo.tgz'), bytes);
    const { exitCode, stdout, stderr } = await run(directory, 'build', '--offline');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^error\[source-unreachable\]: cannot (?:use|unpack) "vendor\/echo\.tgz": /);
    expect(stderr).toContain(reason);
  });
});

describeWithProgram('helm', 'kurel vendor of a chart', () => {
  it('gives the same bytes without a network', async () => {
    const chart = join(import.meta.dirname, '../../../examples/chart');
    const copy = mkdtempSync(join(place, 'chart-'));
    cpSync(chart, copy, { recursive: true });
    const parts = readdirSync(copy, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => ({ name: `echo${path.slice(copy.length)}`, content: readFileSync(path) }));
    const version = /^version: (.+)$/m.exec(readFileSync(join(copy, 'Chart.yaml'), 'utf8'))![1]!;
    const name = /^name: (.+)$/m.exec(readFileSync(join(copy, 'Chart.yaml'), 'utf8'))![1]!;
    served.set('/charts/echo-1.2.0.tgz', gzipSync(writeTar(parts)));
    served.set(
      '/charts/index.yaml',
      `apiVersion: v1\nentries:\n  ${name}:\n  - name: ${name}\n    version: ${version}\n    urls: [echo-1.2.0.tgz]\n`,
    );
    const component = `type: helmchart
    properties:
      delivery: template
      source: {url: "${server.url}/charts"}
      chart: ${name}
      version: ${version}`;
    const directory = makePackage({ 'app.yaml': application(component) });
    const online = await run(directory, 'build', '--allow-private');
    expect(online.exitCode, online.stderr).toBe(0);
    expect((await vendor(directory)).stdout).toMatch(
      new RegExp(
        `^added {4}vendor/${name}-.*\\.tgz {2}${server.url}/charts ${name} ${version}\\nadded {4}kurel\\.lock\\n$`,
      ),
    );
    const asked = server.requests.length;
    expect(await run(directory, 'build', '--offline')).toEqual({ exitCode: 0, stdout: online.stdout, stderr: '' });
    expect(await run(directory, 'vendor', '--check')).toMatchObject({ exitCode: 0 });
    expect(server.requests).toHaveLength(asked);
  });
});

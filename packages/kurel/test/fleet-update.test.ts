import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startServer } from './loopback-server.ts';
import { applicationFiles, publishPackage } from './publish-package.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';
import { startRegistry } from './start-registry.ts';
import type { Registry } from './start-registry.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-update-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

describeWithProgram('registry', 'kurel update', () => {
  let registry: Registry;
  const digests: Record<string, string> = {};

  async function publish(name: string, tag: string, version?: string, content = tag): Promise<string> {
    const reference = `oci://${registry.host}/${name}:${tag}`;
    const digest = await publishPackage({ reference, files: applicationFiles(content.replace('_', '-')), version });
    digests[`${name}:${tag}`] = digest;
    return digest;
  }

  beforeAll(async () => {
    registry = await startRegistry(place);
    for (const tag of ['1.2.0', '1.2.9', '1.2.10', '1.3.0-rc.1', '2.0.0']) await publish('packages/shop', tag);
    await publish('packages/search', 'stable', '3.1.0', '3.1.0');
    await publish('packages/shop', '1', undefined, '1.2.10');
  }, 60_000);
  afterAll(() => registry.stop());

  function createFleet(targets: string, lock?: string): string {
    const directory = mkdtempSync(join(place, 'fleet-'));
    writeFleet(directory, targets);
    if (lock !== undefined) writeFileSync(join(directory, 'kurel.fleet.lock'), lock);
    return directory;
  }

  function writeFleet(directory: string, targets: string): void {
    const head = 'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Fleet\nspec:\n';
    const text = `${head}  defaults: {output: "out/{target}"}\n  targets:\n${targets}`;
    writeFileSync(join(directory, 'kurel.fleet.yaml'), text.replaceAll('REGISTRY', `oci://${registry.host}/packages`));
  }

  const lockOf = (directory: string): string =>
    readFileSync(join(directory, 'kurel.fleet.lock'), 'utf8').replaceAll(registry.host, 'HOST');

  async function update(workingDirectory: string, ...words: readonly string[]): Promise<ProgramOutcome> {
    const outcome = await runProgram(['update', '--allow-private', ...words], { workingDirectory });
    const hide = (text: string): string => text.replaceAll(registry.host, 'HOST');
    return { ...outcome, stdout: hide(outcome.stdout), stderr: hide(outcome.stderr) };
  }

  const shop = '    - {name: a, package: REGISTRY/shop, version: ^1.2.0}\n';
  const short = (name: string): string => digests[name]!.slice(0, 19);

  it('locks the newest version of each range, and what each tag is now', async () => {
    const directory = createFleet(
      `${shop}    - {name: b, package: REGISTRY/shop, version: ^1.2.0}\n` +
        '    - {name: c, package: REGISTRY/shop, version: ">=1.3.0-0"}\n' +
        '    - {name: d, package: "REGISTRY/search:stable"}\n' +
        `    - {name: e, package: "REGISTRY/search@${digests['packages/search:stable']}"}\n`,
    );
    const { exitCode, stdout, stderr } = await update(directory);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.replaceAll(/ +/g, ' ')).toBe(
      `PACKAGE VERSION OLD NEW DIGEST TARGETS
oci://HOST/packages/shop ^1.2.0 - 1.2.10 ${short('packages/shop:1.2.10')} 2
oci://HOST/packages/shop >=1.3.0-0 - 2.0.0 ${short('packages/shop:2.0.0')} 1
oci://HOST/packages/search :stable - 3.1.0 ${short('packages/search:stable')} 1
kurel.fleet.lock: 3 added
`,
    );
    expect(lockOf(directory))
      .toBe(`# Written by kurel update: the packages of the fleet in registries, and which versions it uses.
apiVersion: launcher.gokure.dev/v1alpha1
kind: Lock
spec:
  packages:
  - url: oci://HOST/packages/search
    tag: stable
    version: 3.1.0
    digest: ${digests['packages/search:stable']}
  - url: oci://HOST/packages/shop
    range: '>=1.3.0-0'
    tag: 2.0.0
    version: 2.0.0
    digest: ${digests['packages/shop:2.0.0']}
  - url: oci://HOST/packages/shop
    range: ^1.2.0
    tag: 1.2.10
    version: 1.2.10
    digest: ${digests['packages/shop:1.2.10']}
`);
    expect((await update(directory)).stdout).toBe('kurel.fleet.lock is up to date: 3 packages\n');
  });

  it('updates the named packages, removes entries that nothing needs, and at last the file', async () => {
    const directory = createFleet(`${shop}    - {name: b, package: REGISTRY/search, version: "*"}\n`);
    await publish('packages/search', '0.9.0');
    await update(directory);
    await publish('packages/search', '0.9.1');
    await publish('packages/shop', '1.4.0');
    const before = lockOf(directory);
    const { stdout } = await update(directory, 'search');
    expect(stdout.replaceAll(/ +/g, ' ')).toContain(
      `oci://HOST/packages/search * 0.9.0 0.9.1 ${short('packages/search:0.9.0')} → ${short('packages/search:0.9.1')} 1\n` +
        'kurel.fleet.lock: 1 updated, 1 unchanged\n',
    );
    expect(lockOf(directory)).toBe(
      before.replaceAll('0.9.0', '0.9.1').replace(digests['packages/search:0.9.0']!, digests['packages/search:0.9.1']!),
    );
    writeFleet(directory, shop);
    expect((await update(directory, 'shop')).stdout).toMatch(/^kurel\.fleet\.lock: 1 updated, 1 removed$/m);
    writeFleet(directory, '    - {name: a, package: packages/web}\n');
    mkdirSync(join(directory, 'packages/web'), { recursive: true });
    expect((await update(directory)).stdout).toBe('the fleet has no packages with a version or tag in registries\n');
    expect(() => lockOf(directory)).toThrow('ENOENT');
  });

  it('writes nothing with --check, and fails if there is something to write', async () => {
    const directory = createFleet(shop);
    const { exitCode, stdout, stderr } = await update(directory, '--check');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr:
        'error[output-stale]: "kurel.fleet.lock" is missing\n   = hint: run the command without --check to update it\n\n1 error\n',
    });
    expect(stdout).toContain('kurel.fleet.lock would change: 1 added\n');
    expect(() => lockOf(directory)).toThrow('ENOENT');
    await update(directory);
    expect((await update(directory, '--check')).exitCode).toBe(0);
    await publish('packages/shop', '1.9.0');
    const before = lockOf(directory);
    const stale = await update(directory, '--check');
    expect(stale.exitCode).toBe(1);
    expect(stale.stderr).toContain('"kurel.fleet.lock" is not up to date');
    expect(lockOf(directory)).toBe(before);
  });

  it('refuses names that no package has', async () => {
    const { exitCode, stderr } = await update(createFleet(shop), 'shpo');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'error[usage]: package "shpo" does not exist\n   = hint: did you mean "shop"?\n',
    });
  });
});

describe('a registry that lies', () => {
  it('cannot make the lock name something that is not a package', async () => {
    const manifest = JSON.stringify({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: {
        mediaType: 'application/vnd.oci.image.config.v1+json',
        digest: `sha256:${'0'.repeat(64)}`,
        size: 1,
      },
      layers: [],
    });
    const server = await startServer({
      '/v2/web/tags/list': (_, response) => response.end('{"tags": ["1.0.0", 7, {"a": 1}, "1.0.1-x\\u001b[2J"]}'),
      '/v2/web/manifests/1.0.0': (_, response) => response.end(manifest),
      '/v2/bad/tags/list': (_, response) => response.end('{"tags": "1.0.0"}'),
    });
    const directory = mkdtempSync(join(place, 'lying-'));
    const head = 'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Fleet\nspec:\n  targets:\n';
    const targets = ['web', 'bad'].map(
      (name) => `    - {name: ${name}, package: oci://${server.host}/${name}, version: "*", output: ${name}}\n`,
    );
    writeFileSync(join(directory, 'kurel.fleet.yaml'), `${head}${targets.join('')}`);
    const { exitCode, stderr } = await runProgram(['update', '--allow-private'], { workingDirectory: directory });
    await server.stop();
    expect(exitCode).toBe(1);
    expect(stderr).toContain('it is a container image, not a package of kurel');
    expect(stderr).toContain('its answer is not a list of tags');
    expect(() => readFileSync(join(directory, 'kurel.fleet.lock'))).toThrow('ENOENT');
  });
});

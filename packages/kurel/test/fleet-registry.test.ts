import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { startFakeWorker } from './fake-worker.ts';
import { readFiles } from './fleet-project.ts';
import { applicationFiles } from './publish-package.ts';
import { profile, search, shop, startPackageRegistry } from './registry-project.ts';
import type { PackageRegistry } from './registry-project.ts';
import { describeWithProgram } from './render-case.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-registry-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

describeWithProgram('registry', 'targets with packages in a registry', () => {
  let registry: PackageRegistry;
  beforeAll(async () => {
    registry = await startPackageRegistry(place);
  }, 60_000);
  afterAll(() => registry.stop());

  it('are built from the digest in the lock, with one download for each', { tags: 'slow' }, async () => {
    const project = registry.createProject(`${shop}\n${search}`);
    expect((await project.run(['update'])).exitCode).toBe(0);
    const asked = await registry.requestsIn(async () => {
      expect(await project.summary()).toBe('20 targets: 20 built');
    });
    // Manifest, config and content of two packages.
    expect(asked).toHaveLength(6);
    expect(new Set(asked).size).toBe(6);
    expect(asked.every((one) => /^GET .*sha256:/.test(one))).toBe(true);
    expect(readFileSync(join(project.directory, 'rendered/c3/shop/deployment-shop-shop.yaml'), 'utf8')).toContain(
      'registry.example.com/shop:1.1.0',
    );
    // Nothing is fetched again, not even for targets that are built again.
    const again = await registry.requestsIn(async () => {
      expect(await project.summary()).toBe('20 targets: 20 up to date');
      project.write('profile.yaml', `${profile}# changed\n`);
      expect(await project.summary()).toBe('20 targets: 20 built without changes');
      expect((await project.run(['fleet', 'validate'])).stdout).toBe('20 targets: 20 valid\n');
      expect((await project.run(['fleet', 'build', '--check'])).exitCode).toBe(0);
    });
    expect(again).toEqual([]);
  });

  it('give the same bytes as the single commands', { tags: 'slow' }, async () => {
    const project = registry.createProject(`${shop}\n${search}`);
    await project.run(['update']);
    await project.run(['fleet', 'build']);
    const built = readFiles(join(project.directory, 'rendered'));
    const { stdout } = await project.run(['fleet', 'list', 'c1/*', '--format', 'json']);
    const { targets } = JSON.parse(stdout) as { targets: readonly { name: string; command: string }[] };
    for (const { name, command } of targets) {
      expect(command).toMatch(/^kurel build oci:\/\/[^ ]+@sha256:[0-9a-f]{64} --profile profile.yaml /);
      const words = command.split(' ').slice(1);
      rmSync(join(project.directory, 'rendered', name), { recursive: true });
      expect(await project.run(words)).toMatchObject({ exitCode: 0 });
    }
    expect(readFiles(join(project.directory, 'rendered'))).toEqual(built);
  });

  it('are fetched once for all processes, also without a writable home', { tags: 'slow' }, async () => {
    const project = registry.createProject(`${shop}\n${search}`);
    await project.run(['update']);
    const variables = { PATH: process.env['PATH'] };
    const startWorker = () => startFakeWorker(project.directory, { variables });
    const asked = await registry.requestsIn(() =>
      project.run(['fleet', 'build', '--jobs', '2'], { startWorker, variables }),
    );
    expect(new Set(asked).size).toBe(6);
    expect(asked).toHaveLength(6);
    const several = readFiles(join(project.directory, 'rendered'));
    rmSync(join(project.directory, 'rendered'), { recursive: true });
    await project.run(['fleet', 'build', '--jobs', '1'], { variables });
    expect(readFiles(join(project.directory, 'rendered'))).toEqual(several);
  });

  it('are built again when the lock changes, and only those that it concerns', { tags: 'slow' }, async () => {
    const project = registry.createProject(`    shop: {package: REGISTRY/shop, version: 1.0.0}\n${search}`);
    await project.run(['update']);
    await project.summary();
    project.write(
      'kurel.fleet.yaml',
      readFileSync(join(project.directory, 'kurel.fleet.yaml'), 'utf8').replace('version: 1.0.0', 'version: ^1.0.0'),
    );
    const { exitCode, stderr } = await project.run(['fleet', 'build']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^error\[fleet-package-not-locked\]: version "\^1\.0\.0" of package ".*" is not in kurel\.fleet\.lock/,
    );
    expect(stderr).toContain('= hint: run kurel update');
    expect(stderr).toMatch(/\n20 targets: 10 failed, 10 up to date\n$/);
    await project.run(['update']);
    expect(await project.summary()).toBe('20 targets: 10 built, 10 up to date');
  });

  it('are resolved once and never kept if they have a tag that is not locked', { tags: 'slow' }, async () => {
    const project = registry.createProject('    search: {package: "REGISTRY/search:stable"}');
    const asked = await registry.requestsIn(async () => {
      const { exitCode, stderr } = await project.run(['fleet', 'build']);
      expect(exitCode).toBe(0);
      expect(stderr).toMatch(/^warning\[source-unpinned\]: /);
      expect(stderr).toContain('= hint: run kurel update to lock it\n   = in: 10 targets');
      expect(stderr).toContain('--> kurel.fleet.yaml:7:');
    });
    expect(asked.filter((one) => one.endsWith('/manifests/stable'))).toHaveLength(1);
    expect(await project.summary()).toBe('10 targets: 10 built without changes');
    const strict = await project.run(['fleet', 'build', '--strict']);
    expect(strict.stderr).toMatch(/^error\[source-unpinned\]: /);
    await project.run(['update']);
    expect((await project.run(['fleet', 'build'])).stderr).toBe('10 targets: 10 built without changes\n');
    expect(await project.summary()).toBe('10 targets: 10 up to date');
  });

  it('take no inherited profile if they are patch packages', { tags: 'slow' }, async () => {
    const files = {
      'parameters.yaml': 'kurel: {name: settings, version: 1.0.0, appVersion: "1.0"}\nlevel: info\n',
      'resources/settings.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: app\ndata:\n  level: info\n',
    };
    await registry.publish('settings:1.0.0', files);
    const project = registry.createProject('    settings: {package: "REGISTRY/settings:1.0.0"}');
    await project.run(['update']);
    const { exitCode, stderr } = await project.run(['fleet', 'build']);
    expect({ exitCode, about: /profile/.exec(stderr) }).toEqual({ exitCode: 0, about: null });
  });

  it('repeat their findings with the same excerpts', { tags: 'slow' }, async () => {
    const files = applicationFiles('1.0.0', 'loose');
    await registry.publish('loose:1.0.0', {
      ...files,
      'app.yaml': files['app.yaml']!.replace('loose:1.0.0', 'loose:latest'),
    });
    const project = registry.createProject('    loose: {package: "REGISTRY/loose:1.0.0"}');
    await project.run(['update']);
    const first = await project.run(['fleet', 'build']);
    expect(first.stderr).toMatch(/--> oci:\/\/.*@sha256:[0-9a-f]{64}\/app\.yaml:9:16\n/);
    const asked = await registry.requestsIn(async () => {
      const second = await project.run(['fleet', 'build']);
      expect(second.stderr).toBe(first.stderr.replace('10 built', '10 up to date'));
    });
    expect(asked).toEqual([]);
  });

  it('are not taken from a cache that somebody has changed', { tags: 'slow' }, async () => {
    const project = registry.createProject(search);
    await project.run(['update']);
    await project.summary();
    const cache = join(project.directory, '.cache', 'kurel');
    const kept = readdirSync(cache).filter((name) => name.startsWith('package-'));
    expect(kept).toHaveLength(3);
    for (const name of kept) writeFileSync(join(cache, name), 'something else');
    const asked = await registry.requestsIn(async () => {
      expect(await project.summary('--no-cache')).toBe('10 targets: 10 built without changes');
    });
    expect(asked).toHaveLength(3);
  });

  it('show up in list, images, explain and paths', { tags: 'slow' }, async () => {
    const project = registry.createProject(`${shop}\n${search}`);
    await project.run(['update']);
    const images = await project.run(['fleet', 'images', 'c0/*']);
    expect(images.stdout).toBe(
      'registry.example.com/search:1.0.0\n  c0/search\nregistry.example.com/shop:1.1.0\n  c0/shop\n',
    );
    const explained = await project.run(['fleet', 'explain', 'c0/shop', 'deployment.shop', 'image']);
    expect(explained.stdout).toMatch(/author +oci:\/\/.*@sha256:[0-9a-f]{64}\/app\.yaml:9 +"registry/);
    const paths = await project.run(['fleet', 'paths', 'c0/shop']);
    expect(paths.stdout).toBe('c0/shop\n  kurel.fleet.lock\n  kurel.fleet.yaml\n  profile.yaml\n');
  });

  it('fail with a finding at their line, and do not stop others', { tags: 'slow' }, async () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    const project = registry.createProject(`    gone: {package: "REGISTRY/shop@${digest}"}\n${search}`);
    await project.run(['update']);
    const { exitCode, stderr } = await project.run(['fleet', 'build']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error\[registry-access\]: .*\n +--> kurel\.fleet\.yaml:7:/);
    expect(stderr).toMatch(/\n20 targets: 10 failed, 10 built\n$/);
    expect(existsSync(join(project.directory, 'rendered/c0/gone'))).toBe(false);
  });

  it('are shared between machines by their digest', { tags: 'slow' }, async () => {
    const project = registry.createProject('    shop: {package: REGISTRY/shop, version: 1.0.0}');
    await project.run(['update']);
    const words = ['--cache', join(place, 'shared'), '--cache-trust'];
    const build = async (machine: string): Promise<string> => {
      rmSync(join(project.directory, 'rendered'), { recursive: true, force: true });
      const variables = { PATH: process.env['PATH'], XDG_CACHE_HOME: join(place, machine) };
      const { stderr } = await project.run(['fleet', 'build', ...words], { variables });
      return stderr.trimEnd();
    };
    expect(await build('one')).toBe('10 targets: 10 built');
    expect(await build('two')).toBe('10 targets: 10 built; 10 from the cache');
    const fleet = join(project.directory, 'kurel.fleet.yaml');
    writeFileSync(fleet, readFileSync(fleet, 'utf8').replace('version: 1.0.0', 'version: 1.1.0'));
    await project.run(['update']);
    expect(await build('two')).toBe('10 targets: 10 built');
  });
});

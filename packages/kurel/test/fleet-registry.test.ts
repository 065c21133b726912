import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Environment } from '../src/cli/environment.ts';
import { startFakeWorker } from './fake-worker.ts';
import { readFiles } from './fleet-project.ts';
import { applicationFiles, publishPackage } from './publish-package.ts';
import { startProxy } from './recording-proxy.ts';
import type { RecordingProxy } from './recording-proxy.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';
import { startRegistry } from './start-registry.ts';
import type { Registry } from './start-registry.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-registry-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const profile = `apiVersion: launcher.gokure.dev/v1alpha1
kind: ClusterProfile
metadata: {name: p}
spec:
  gitopsEngine: fluxcd
  capabilities: {}
`;

const clusters = Array.from({ length: 10 }, (_, index) => `c${index}`);

describeWithProgram('registry', 'targets with packages in a registry', () => {
  let registry: Registry;
  let proxy: RecordingProxy;

  beforeAll(async () => {
    registry = await startRegistry(place);
    proxy = await startProxy(registry.host);
    for (const version of ['1.0.0', '1.1.0']) await publish(`shop:${version}`, applicationFiles(version));
    await publish('search:1.0.0', applicationFiles('1.0.0', 'search'));
    await publish('search:stable', applicationFiles('1.0.0', 'search'));
  }, 60_000);
  afterAll(async () => {
    await proxy.stop();
    await registry.stop();
  });

  function publish(name: string, files: Readonly<Record<string, string>>): Promise<string> {
    return publishPackage({ reference: `oci://${registry.host}/${name}`, files });
  }

  interface Project {
    readonly directory: string;
    readonly write: (path: string, text: string) => void;
    readonly run: (words: readonly string[], options?: Partial<Environment>) => Promise<ProgramOutcome>;
    /** The last line of a build. */
    readonly summary: (...words: readonly string[]) => Promise<string>;
  }

  function createProject(applications: string): Project {
    const directory = mkdtempSync(join(place, 'project-'));
    const write = (path: string, text: string): void =>
      writeFileSync(join(directory, path), text.replaceAll('REGISTRY', `oci://${proxy.host}`));
    write('profile.yaml', profile);
    write(
      'kurel.fleet.yaml',
      `apiVersion: launcher.gokure.dev/v1alpha1
kind: Fleet
spec:
  defaults: {output: "rendered/{cluster}/{app}", profile: profile.yaml}
  clusters: {${clusters.map((name) => `${name}: {}`).join(', ')}}
  applications:
${applications}
  matrix: [{}]
`,
    );
    const variables = { PATH: process.env['PATH'], XDG_CACHE_HOME: join(directory, '.cache') };
    const run: Project['run'] = (words, options = {}) =>
      runProgram([...words, '--allow-private'], { workingDirectory: directory, variables, ...options });
    return {
      directory,
      write,
      run,
      async summary(...words) {
        const { stderr } = await run(['fleet', 'build', ...words]);
        return stderr.trimEnd().split('\n').at(-1)!;
      },
    };
  }

  const shop = '    shop: {package: REGISTRY/shop, version: ^1.0.0}';
  const search = '    search: {package: "REGISTRY/search:1.0.0"}';
  const requestsIn = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
    const before = proxy.requests.length;
    await work();
    return proxy.requests.slice(before);
  };

  it('are built from the digest in the lock, with one download for each', { tags: 'slow' }, async () => {
    const project = createProject(`${shop}\n${search}`);
    expect((await project.run(['update'])).exitCode).toBe(0);
    const asked = await requestsIn(async () => {
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
    const again = await requestsIn(async () => {
      expect(await project.summary()).toBe('20 targets: 20 up to date');
      project.write('profile.yaml', `${profile}# changed\n`);
      expect(await project.summary()).toBe('20 targets: 20 built without changes');
      expect((await project.run(['fleet', 'validate'])).stdout).toBe('20 targets: 20 valid\n');
      expect((await project.run(['fleet', 'build', '--check'])).exitCode).toBe(0);
    });
    expect(again).toEqual([]);
  });

  it('give the same bytes as the single commands', { tags: 'slow' }, async () => {
    const project = createProject(`${shop}\n${search}`);
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
    const project = createProject(`${shop}\n${search}`);
    await project.run(['update']);
    const variables = { PATH: process.env['PATH'] };
    const startWorker = () => startFakeWorker(project.directory, { variables });
    const asked = await requestsIn(() => project.run(['fleet', 'build', '--jobs', '2'], { startWorker, variables }));
    expect(new Set(asked).size).toBe(6);
    expect(asked).toHaveLength(6);
    const several = readFiles(join(project.directory, 'rendered'));
    rmSync(join(project.directory, 'rendered'), { recursive: true });
    await project.run(['fleet', 'build', '--jobs', '1'], { variables });
    expect(readFiles(join(project.directory, 'rendered'))).toEqual(several);
  });

  it('are built again when the lock changes, and only those that it concerns', { tags: 'slow' }, async () => {
    const project = createProject(`    shop: {package: REGISTRY/shop, version: 1.0.0}\n${search}`);
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
    const project = createProject('    search: {package: "REGISTRY/search:stable"}');
    const asked = await requestsIn(async () => {
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
    await publish('settings:1.0.0', files);
    const project = createProject('    settings: {package: "REGISTRY/settings:1.0.0"}');
    await project.run(['update']);
    const { exitCode, stderr } = await project.run(['fleet', 'build']);
    expect({ exitCode, about: /profile/.exec(stderr) }).toEqual({ exitCode: 0, about: null });
  });

  it('repeat their findings with the same excerpts', { tags: 'slow' }, async () => {
    const files = applicationFiles('1.0.0', 'loose');
    await publish('loose:1.0.0', { ...files, 'app.yaml': files['app.yaml']!.replace('loose:1.0.0', 'loose:latest') });
    const project = createProject('    loose: {package: "REGISTRY/loose:1.0.0"}');
    await project.run(['update']);
    const first = await project.run(['fleet', 'build']);
    expect(first.stderr).toMatch(/--> oci:\/\/.*@sha256:[0-9a-f]{64}\/app\.yaml:9:16\n/);
    const asked = await requestsIn(async () => {
      const second = await project.run(['fleet', 'build']);
      expect(second.stderr).toBe(first.stderr.replace('10 built', '10 up to date'));
    });
    expect(asked).toEqual([]);
  });

  it('are not taken from a cache that somebody has changed', { tags: 'slow' }, async () => {
    const project = createProject(search);
    await project.run(['update']);
    await project.summary();
    const cache = join(project.directory, '.cache', 'kurel');
    const kept = readdirSync(cache).filter((name) => name.startsWith('package-'));
    expect(kept).toHaveLength(3);
    for (const name of kept) writeFileSync(join(cache, name), 'something else');
    const asked = await requestsIn(async () => {
      expect(await project.summary('--no-cache')).toBe('10 targets: 10 built without changes');
    });
    expect(asked).toHaveLength(3);
  });

  it('show up in list, images, explain and paths', { tags: 'slow' }, async () => {
    const project = createProject(`${shop}\n${search}`);
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
    const project = createProject(`    gone: {package: "REGISTRY/shop@${digest}"}\n${search}`);
    await project.run(['update']);
    const { exitCode, stderr } = await project.run(['fleet', 'build']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error\[registry-access\]: .*\n +--> kurel\.fleet\.yaml:7:/);
    expect(stderr).toMatch(/\n20 targets: 10 failed, 10 built\n$/);
    expect(existsSync(join(project.directory, 'rendered/c0/gone'))).toBe(false);
  });

  describe('that are vendored', () => {
    const vendor = (project: Project, ...words: readonly string[]): Promise<ProgramOutcome> =>
      project.run(['vendor', 'kurel.fleet.yaml', ...words]);
    const filesOf = ({ directory }: Project): readonly string[] =>
      readdirSync(join(directory, 'vendor', 'packages')).toSorted();

    it('need no network', { tags: 'slow' }, async () => {
      const project = createProject(`${shop}\n${search}`);
      const early = await vendor(project);
      expect(early.exitCode).toBe(1);
      expect(early.stderr).toContain('version "^1.0.0" of package');
      expect(early.stderr).toContain('tag "1.0.0" of package');
      await project.run(['update']);
      const missing = await runProgram(['fleet', 'build', '--offline'], { workingDirectory: project.directory });
      expect(missing.exitCode).toBe(1);
      expect(missing.stderr).toMatch(/^error\[fleet-package-offline\]: .*\n +--> kurel\.fleet\.yaml:7:/);
      expect(missing.stderr).toContain('= hint: run kurel vendor with the fleet file');
      const { exitCode, stdout, stderr } = await vendor(project);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(
        stdout
          .replaceAll(/ +/g, ' ')
          .replaceAll(/[0-9a-f]{12}/g, '…')
          .replaceAll(proxy.host, 'HOST'),
      ).toBe(
        'added vendor/packages/shop-….tgz oci://HOST/shop 1.1.0\nadded vendor/packages/search-….tgz oci://HOST/search 1.0.0\n',
      );
      expect(filesOf(project)).toHaveLength(6);
      expect((await vendor(project)).stdout).toBe('vendor/packages is up to date: 2 packages\n');
      const asked = await requestsIn(async () => {
        expect(
          (await runProgram(['fleet', 'build', '--offline'], { workingDirectory: project.directory })).stderr,
        ).toBe('20 targets: 20 built\n');
        expect((await vendor(project, '--check')).stdout).toBe('vendor/packages is up to date: 2 packages\n');
      });
      expect(asked).toEqual([]);
    });

    it('are replaced after an update, and removed when nothing uses them', { tags: 'slow' }, async () => {
      const project = createProject(`    shop: {package: REGISTRY/shop, version: 1.0.0}\n${search}`);
      await project.run(['update']);
      await vendor(project);
      const before = filesOf(project);
      writeFileSync(join(project.directory, 'vendor/packages/README.md'), 'mine');
      const fleet = join(project.directory, 'kurel.fleet.yaml');
      writeFileSync(fleet, readFileSync(fleet, 'utf8').replace('version: 1.0.0', 'version: ^1.0.0'));
      await project.run(['update']);
      const stale = await vendor(project, '--check');
      expect(stale.exitCode).toBe(1);
      expect(stale.stderr).toMatch(/error\[output-stale\]: "vendor\/packages\/shop-[0-9a-f]{12}\.tgz" is missing/);
      expect(filesOf(project).filter((name) => name !== 'README.md')).toEqual(before);
      const { stdout } = await vendor(project);
      expect(stdout).toMatch(/^added {4}vendor\/packages\/shop-.*\nremoved {2}vendor\/packages\/shop-.*\n$/);
      expect(filesOf(project)).toHaveLength(7);
      writeFileSync(fleet, readFileSync(fleet, 'utf8').replace(/^ {4}search.*\n/m, ''));
      const left = await vendor(project, '--check');
      expect(left.stderr).toMatch(/"vendor\/packages\/search-[0-9a-f]{12}\.tgz" is no longer produced/);
      await vendor(project);
      expect(filesOf(project)).toHaveLength(4);
    });

    it('are not used if somebody has changed them', { tags: 'slow' }, async () => {
      const project = createProject(search);
      await project.run(['update']);
      await vendor(project);
      for (const name of filesOf(project)) {
        const file = join(project.directory, 'vendor/packages', name);
        const bytes = readFileSync(file);
        writeFileSync(file, Buffer.concat([bytes, Buffer.from(' ')]));
        const offline = await runProgram(['fleet', 'validate', '--offline'], { workingDirectory: project.directory });
        expect({ name, exitCode: offline.exitCode }).toEqual({ name, exitCode: 1 });
        expect(offline.stdout).toContain('error[fleet-package-offline]');
        expect((await vendor(project, '--check')).stderr).toContain('.tgz" is not up to date');
        // With the network, they are fetched instead.
        expect(await project.summary()).toMatch(/^10 targets: 10 (?:built|up to date)/);
        expect((await vendor(project)).exitCode).toBe(0);
        expect(readFileSync(file).equals(bytes)).toBe(true);
      }
    });

    it('have no flags for builds', async () => {
      const project = createProject(search);
      const { exitCode, stderr } = await vendor(project, '--no-profile');
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr:
          'error[usage]: --no-profile is only for packages\n   = hint: remove it: "kurel.fleet.yaml" is a fleet file\n',
      });
    });
  });

  describe('that change', () => {
    const git = (directory: string, ...args: readonly string[]): void => {
      const settings = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
      execFileSync('git', [...settings, ...args], { cwd: directory, stdio: 'pipe' });
    };

    /** The lock has version 1.0.0 in the first commit, and 1.1.0 after it. */
    async function createHistory(): Promise<Project> {
      const project = createProject(`    shop: {package: REGISTRY/shop, version: 1.0.0}\n${search}`);
      await project.run(['update']);
      await project.run(['vendor', 'kurel.fleet.yaml']);
      git(project.directory, 'init', '--quiet', '--initial-branch=main');
      writeFileSync(join(project.directory, '.gitignore'), '.cache\nrendered\n');
      git(project.directory, 'add', '--all');
      git(project.directory, 'commit', '--quiet', '--message', 'before');
      const fleet = join(project.directory, 'kurel.fleet.yaml');
      writeFileSync(fleet, readFileSync(fleet, 'utf8').replace('version: 1.0.0', 'version: ^1.0.0'));
      await project.run(['update']);
      await project.run(['vendor', 'kurel.fleet.yaml']);
      return project;
    }

    it('show as changes of objects, with the versions first', { tags: 'slow' }, async () => {
      const project = await createHistory();
      const image = 'spec.template.spec.containers[name=shop].image registry.example.com/shop';
      const { stdout, exitCode } = await project.run(['fleet', 'diff', '--since', 'main']);
      expect(exitCode).toBe(1);
      expect(stdout).toBe(`shop 1.0.0 → 1.1.0 in 10 targets

~ Deployment shop: ${image}:1.0.0 → registry.example.com/shop:1.1.0  (10 targets)

10 targets changed, 10 unchanged
`);
      const one = await project.run(['fleet', 'diff', 'c0/*', '--since', 'main', '--format', 'markdown']);
      expect(one.stdout).toMatch(
        /^### 1 target changed, 1 unchanged\n\nCompared with `main`\.\n\n- `shop 1\.0\.0 → 1\.1\.0` in `c0\/shop`\n\n#### Changed fields\n/,
      );
      const json = await project.run(['fleet', 'diff', 'c0/*', '--since', 'main', '--format', 'json']);
      const { packages } = JSON.parse(json.stdout) as { readonly packages: readonly object[] };
      const side = (version: string): object => ({
        name: 'shop',
        url: `oci://${proxy.host}/shop`,
        version,
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      });
      expect(packages).toEqual([{ before: side('1.0.0'), after: side('1.1.0'), targets: ['c0/shop'] }]);
    });

    it('are compared without the network if both revisions have vendored them', { tags: 'slow' }, async () => {
      const { directory } = await createHistory();
      const words = ['fleet', 'diff', '--since', 'main', '--offline'];
      const { stdout, stderr } = await runProgram(words, { workingDirectory: directory });
      expect({ stderr, head: stdout.split('\n')[0] }).toEqual({ stderr: '', head: 'shop 1.0.0 → 1.1.0 in 10 targets' });
    });

    it('are affected by a change of the lock alone', { tags: 'slow' }, async () => {
      const project = await createHistory();
      git(project.directory, 'add', '--all');
      git(project.directory, 'commit', '--quiet', '--message', 'after');
      const names = async (): Promise<readonly string[]> => {
        const { stdout } = await project.run(['fleet', 'list', '--since', 'HEAD', '--format', 'json']);
        return (JSON.parse(stdout) as { targets: readonly { name: string }[] }).targets.map(({ name }) => name);
      };
      expect(await names()).toEqual([]);
      const lock = join(project.directory, 'kurel.fleet.lock');
      const text = readFileSync(lock, 'utf8');
      const [first = ''] = /sha256:[0-9a-f]{64}/.exec(text) ?? [];
      writeFileSync(lock, text.replace(first, `sha256:${'0'.repeat(64)}`));
      expect(await names()).toEqual(clusters.map((name) => `${name}/search`));
    });
  });
});

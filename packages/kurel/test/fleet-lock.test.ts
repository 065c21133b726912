import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { clusters, search, startPackageRegistry } from './registry-project.ts';
import type { PackageRegistry, RegistryProject } from './registry-project.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-lock-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

describeWithProgram('registry', 'packages of a fleet that change', () => {
  let registry: PackageRegistry;
  beforeAll(async () => {
    registry = await startPackageRegistry(place);
  }, 60_000);
  afterAll(() => registry.stop());

  const git = (directory: string, ...args: readonly string[]): void => {
    const settings = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
    execFileSync('git', [...settings, ...args], { cwd: directory, stdio: 'pipe' });
  };

  /** The lock has version 1.0.0 in the first commit, and 1.1.0 after it. */
  async function createHistory(): Promise<RegistryProject> {
    const project = registry.createProject(`    shop: {package: REGISTRY/shop, version: 1.0.0}\n${search}`);
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
      url: `oci://${registry.host}/shop`,
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

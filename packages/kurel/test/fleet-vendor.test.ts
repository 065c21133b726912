import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { search, shop, startPackageRegistry } from './registry-project.ts';
import type { PackageRegistry, RegistryProject } from './registry-project.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-vendor-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

describeWithProgram('registry', 'packages of a fleet that are vendored', () => {
  let registry: PackageRegistry;
  beforeAll(async () => {
    registry = await startPackageRegistry(place);
  }, 60_000);
  afterAll(() => registry.stop());

  const vendor = (project: RegistryProject, ...words: readonly string[]): Promise<ProgramOutcome> =>
    project.run(['vendor', 'kurel.fleet.yaml', ...words]);
  const filesOf = ({ directory }: RegistryProject): readonly string[] =>
    readdirSync(join(directory, 'vendor', 'packages')).toSorted();

  it('need no network', { tags: 'slow' }, async () => {
    const project = registry.createProject(`${shop}\n${search}`);
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
        .replaceAll(registry.host, 'HOST'),
    ).toBe(
      'added vendor/packages/shop-….tgz oci://HOST/shop 1.1.0\nadded vendor/packages/search-….tgz oci://HOST/search 1.0.0\n',
    );
    expect(filesOf(project)).toHaveLength(6);
    expect((await vendor(project)).stdout).toBe('vendor/packages is up to date: 2 packages\n');
    const asked = await registry.requestsIn(async () => {
      expect((await runProgram(['fleet', 'build', '--offline'], { workingDirectory: project.directory })).stderr).toBe(
        '20 targets: 20 built\n',
      );
      expect((await vendor(project, '--check')).stdout).toBe('vendor/packages is up to date: 2 packages\n');
    });
    expect(asked).toEqual([]);
  });

  it('are replaced after an update, and removed when nothing uses them', { tags: 'slow' }, async () => {
    const project = registry.createProject(`    shop: {package: REGISTRY/shop, version: 1.0.0}\n${search}`);
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
    const project = registry.createProject(search);
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
    const project = registry.createProject(search);
    const { exitCode, stderr } = await vendor(project, '--no-profile');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr:
        'error[usage]: --no-profile is only for packages\n   = hint: remove it: "kurel.fleet.yaml" is a fleet file\n',
    });
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { readArchive } from '../src/archive/index.ts';
import { networkFetcher } from '../src/host/index.ts';
import type { JsonObject } from '../src/model/index.ts';
import { openRepository, parseOciReference, readDescriptor } from '../src/registry/index.ts';
import { readFiles } from './fleet-project.ts';
import { search, startPackageRegistry } from './registry-project.ts';
import type { PackageRegistry } from './registry-project.ts';
import { describeWithProgram } from './render-case.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-push-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

describeWithProgram('registry', 'targets with an artifact', () => {
  let registry: PackageRegistry;
  beforeAll(async () => {
    registry = await startPackageRegistry(place);
  }, 60_000);
  afterAll(() => registry.stop());

  const artifact = 'artifact: "REGISTRY/rendered/{cluster}/{app}"';

  it('are published as kurel fleet build writes them', { tags: 'slow' }, async () => {
    const project = registry.createProject(
      `    shop: {package: REGISTRY/shop, version: 1.0.0, ${artifact}}\n${search}`,
    );
    await project.run(['update']);
    await project.run(['fleet', 'build']);
    const words = ['fleet', 'push', '--tag', 'v1', '--annotation', 'org.opencontainers.image.revision=main'];
    const dry = await project.run([...words, '--dry-run']);
    expect(dry.stderr).toBe('10 targets: 10 not pushed\n');
    const { exitCode, stdout, stderr } = await project.run(words);
    expect({ exitCode, stderr, stdout }).toEqual({
      exitCode: 0,
      stderr: '10 targets: 10 pushed\n',
      stdout: dry.stdout,
    });
    expect((await project.run(words)).stderr).toBe('10 targets: 10 unchanged\n');
    const [, digest] = /^c3\/shop {2}oci:\/\/[^ ]+\/rendered\/c3\/shop@(sha256:[0-9a-f]{64})$/m.exec(stdout)!;
    const { manifest, files } = await readRendered(`oci://${registry.direct}/rendered/c3/shop:v1`);
    expect(manifest.digest).toBe(digest);
    expect(manifest.data).toMatchObject({
      config: { mediaType: 'application/vnd.cncf.flux.config.v1+json' },
      annotations: { 'org.opencontainers.image.revision': 'main' },
    });
    const { '.kurel-inventory': _, ...built } = readFiles(join(project.directory, 'rendered/c3/shop'));
    expect(files).toEqual(built);
  });

  it('keep their tags, unless they are forced', { tags: 'slow' }, async () => {
    const project = registry.createProject(
      '    shop: {package: REGISTRY/shop, version: 1.0.0, artifact: "REGISTRY/kept/{cluster}"}',
    );
    await project.run(['update']);
    const push = ['fleet', 'push', 'c0/shop', 'c1/shop', '--tag', 'main'];
    await project.run(push);
    const fleet = join(project.directory, 'kurel.fleet.yaml');
    writeFileSync(fleet, readFileSync(fleet, 'utf8').replace('c1: {}', 'c1: {namespace: other}'));
    const refused = await project.run(push);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(/^error\[registry-tag-exists\]: .*\/kept\/c1.*\n +--> kurel\.fleet\.yaml:7:/);
    expect(refused.stderr).toMatch(/\n2 targets: 1 failed, 1 unchanged\n$/);
    expect((await project.run([...push, '--force'])).stderr).toBe('2 targets: 1 moved, 1 unchanged\n');
  });

  it('fail alone', { tags: 'slow' }, async () => {
    const project = registry.createProject(
      '    shop: {package: REGISTRY/shop, version: 1.0.0, artifact: "REGISTRY/alone/{cluster}"}',
    );
    await project.run(['update']);
    const fleet = join(project.directory, 'kurel.fleet.yaml');
    writeFileSync(fleet, readFileSync(fleet, 'utf8').replace('c1: {}', 'c1: {set: {replicas: two}}'));
    const { exitCode, stdout, stderr } = await project.run(['fleet', 'push', 'c0/*', 'c1/*', '--tag', 'main']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/\n2 targets: 1 failed, 1 pushed\n$/);
    expect(stdout).toMatch(/^c0\/shop {2}oci:.*\n$/);
  });
});

async function readRendered(reference: string) {
  const { host, path, tag } = parseOciReference(reference);
  const access = { fetcher: networkFetcher({ allowPrivate: true }), allowHost: () => true, plainHttp: true };
  const opened = openRepository({ host, path }, access);
  const manifest = await opened.fetchManifest(tag!);
  const [layer] = manifest.data['layers'] as readonly [JsonObject];
  const bytes = await opened.fetchBlob(readDescriptor(layer, reference), 1e6);
  const files = (await readArchive(bytes)).map((file) => [file.path, new TextDecoder().decode(file.bytes)]);
  return { manifest, files: Object.fromEntries(files) as Readonly<Record<string, string>> };
}

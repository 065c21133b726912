import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';
import { writeTar } from '../test/write-tar.ts';
import { sha256 } from './engine/index.ts';
import { build } from './build.ts';
import type { BuildRequest } from './build-request.ts';
import { listImages } from './images.ts';
import type { ImageUse } from './images.ts';
import type { FileSystem, ProgramRunner } from './model/index.ts';
import { formatField } from './provenance/index.ts';
import { memoryFileSystem } from './forms/index.ts';

const head = 'apiVersion: launcher.gokure.dev/v1alpha1\n';
const pod = (name: string, image: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {containers: [{name: main, image: "${image}"}]}\n`;

const helm: ProgramRunner = {
  run: async ({ stdin = '' }) => ({
    exitCode: 0,
    stdout: pod('cache', `registry.example.com/redis:${/tag: "?([\w.]+)"?/.exec(stdin)?.[1]}`),
    stderr: '',
  }),
};

const url = 'https://example.com/agents/v3/agent.yaml';
const charts = 'https://charts.example.com';
const agent = pod('agent', 'registry.example.com/agent:7');
const application = `${head}kind: Application
metadata: {name: shop, namespace: shops}
spec:
  components:
  - name: agent
    type: manifests
    properties: {url: "https://example.com/agents/v\${agentVersion}/agent.yaml"}
  - name: own
    type: manifests
    properties: {file: files/own.yaml}
  - name: cache
    type: helmchart
    properties:
      delivery: template
      source: {url: "${charts}"}
      chart: redis
      version: 20.1.0
      values: {image: {tag: "\${cacheTag}"}, replicas: 3, mirror: registry.example.com}
  - name: passed
    type: passthrough
    properties:
      object: {apiVersion: v1, kind: Pod, spec: {containers: [{name: main, image: "passed:1"}]}}
`;
const declaration = `${head}kind: Package
metadata: {name: shop}
spec:
  parameters:
  - {name: agentVersion, type: string, default: "3"}
  - {name: cacheTag, type: string, default: 8.2.1}
`;
const chart = new Uint8Array(
  gzipSync(writeTar([{ name: 'redis/Chart.yaml', content: 'apiVersion: v2\nname: redis\nversion: 20.1.0\n' }])),
);
const lock = `${head}kind: Lock
spec:
  sources:
  - {url: "${url}", sha256: ${sha256(agent)}, file: vendor/agent.yaml}
  - {url: "${charts}", chart: redis, version: 20.1.0, sha256: ${sha256(chart)}, file: vendor/redis.tgz}
`;

function openShop(others: Readonly<Record<string, string>> = {}): FileSystem {
  const fileSystem = memoryFileSystem({
    'shop/app.yaml': application,
    'shop/kurel.yaml': declaration,
    'shop/kurel.lock': lock,
    'shop/vendor/agent.yaml': agent,
    'shop/vendor/redis.tgz': '',
    'shop/files/own.yaml': pod('own', 'registry.example.com/own:7'),
    ...others,
  });
  const readBytes = async (path: string): Promise<Uint8Array> =>
    path.endsWith('redis.tgz') ? chart : new TextEncoder().encode(await fileSystem.readText(path));
  return { ...fileSystem, readBytes };
}

const request: BuildRequest = {
  path: 'shop',
  fileSystem: openShop(),
  programs: helm,
  application: { profile: false },
};

/** Locations and parameters in a short form. */
const describeUse = ({ object, path, trace, likely }: ImageUse): string => {
  const reported = [...(trace?.steps ?? []), ...likely].map(({ location, parameters }) =>
    [location?.file, ...parameters.map(({ name }) => name)].join(' '),
  );
  return `${formatField(path, object)}: ${reported.join(', ')}`;
};

describe('the images of an application', () => {
  it('are listed with the places to change', async () => {
    const { rendering, diagnostics } = await build(request);
    expect(diagnostics).toEqual([]);
    const { images, hidden } = listImages(rendering);
    expect(Object.fromEntries(images.map(({ image, uses }) => [image, uses.map(describeUse)]))).toEqual({
      'passed:1': ['spec.containers[name=main].image: shop/app.yaml'],
      'registry.example.com/agent:7': [
        // The text sets it, and its name decides which text is used.
        `spec.containers[name=main].image: ${url}, shop/app.yaml agentVersion`,
      ],
      'registry.example.com/own:7': ['spec.containers[name=main].image: shop/files/own.yaml, shop/app.yaml'],
      'registry.example.com/redis:8.2.1': [
        // The location of the chart, and those of its values that appear; "replicas" does not.
        'spec.containers[name=main].image: shop/app.yaml, shop/app.yaml cacheTag, shop/app.yaml',
      ],
    });
    expect(hidden).toEqual([]);
  });

  it('are traced to patches alone if a patch sets them last', async () => {
    const patched = openShop({
      'shop/patches/10-agent.kpatch': '[pod.agent.spec.containers.0]\nimage: registry.example.com/agent:9\n',
    });
    const { images } = listImages((await build({ ...request, fileSystem: patched })).rendering);
    const [use] = images.find(({ image }) => image.endsWith('agent:9'))!.uses;
    expect(use!.trace!.steps.at(-1)).toMatchObject({ kind: 'patch' });
  });
});

describe('an image', () => {
  it('is listed once, with everything that runs it, alphabetically', async () => {
    const text = [pod('a', 'b:1'), pod('b', 'a:1'), pod('c', 'b:1')].join('---\n');
    const { rendering } = await build({ path: 'pods.yaml', fileSystem: memoryFileSystem({ 'pods.yaml': text }) });
    expect(listImages(rendering).images.map(({ image, uses }) => [image, uses.length])).toEqual([
      ['a:1', 1],
      ['b:1', 2],
    ]);
  });
});

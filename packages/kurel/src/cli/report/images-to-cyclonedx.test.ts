import { describe, expect, it } from 'vitest';
import { build, listImages, memoryFileSystem } from '../../index.ts';
import { imagesToCycloneDx } from './images-to-cyclonedx.ts';

const digest = `sha256:${'a1'.repeat(32)}`;

function pod(name: string, image: string): string {
  return `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {containers: [{name: main, image: "${image}"}]}\n`;
}

async function billOf(...documents: readonly string[]): Promise<string> {
  const { rendering } = await build({
    path: 'pods.yaml',
    fileSystem: memoryFileSystem({ 'pods.yaml': documents.join('---\n') }),
  });
  return imagesToCycloneDx(listImages(rendering), 'shop', '1.2.3');
}

interface Bill {
  readonly serialNumber: string;
  readonly components: readonly Readonly<Record<string, unknown>>[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  readonly compositions?: readonly unknown[];
}

async function read(...documents: readonly string[]): Promise<Bill> {
  return JSON.parse(await billOf(...documents)) as Bill;
}

describe('a bill of materials', () => {
  it('is whole', async () => {
    expect(await billOf(pod('a', `registry.example.com:5000/team/web:1.2@${digest}`))).toMatchInlineSnapshot(`
      "{
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": "urn:uuid:37f47e84-fc38-8c94-a322-c74e87bb9f4f",
        "version": 1,
        "metadata": {
          "tools": {
            "components": [
              {
                "type": "application",
                "name": "kurel",
                "version": "1.2.3"
              }
            ]
          },
          "component": {
            "type": "application",
            "bom-ref": "built",
            "name": "shop"
          }
        },
        "components": [
          {
            "type": "container",
            "bom-ref": "pkg:oci/web@sha256:a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1?repository_url=registry.example.com:5000%2Fteam%2Fweb&tag=1.2",
            "name": "registry.example.com:5000/team/web",
            "version": "1.2",
            "purl": "pkg:oci/web@sha256:a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1?repository_url=registry.example.com:5000%2Fteam%2Fweb&tag=1.2",
            "properties": [
              {
                "name": "kurel:use:0:image",
                "value": "registry.example.com:5000/team/web:1.2@sha256:a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"
              },
              {
                "name": "kurel:use:0:object",
                "value": "pod.a"
              },
              {
                "name": "kurel:use:0:field",
                "value": "spec.containers[name=main].image"
              }
            ]
          }
        ],
        "dependencies": [
          {
            "ref": "built",
            "dependsOn": [
              "pkg:oci/web@sha256:a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1?repository_url=registry.example.com:5000%2Fteam%2Fweb&tag=1.2"
            ]
          }
        ]
      }
      "
    `);
  });

  it.each([
    ['nginx', 'pkg:oci/nginx?repository_url=docker.io%2Flibrary%2Fnginx&tag=latest', 'latest'],
    ['nginx:1.25', 'pkg:oci/nginx?repository_url=docker.io%2Flibrary%2Fnginx&tag=1.25', '1.25'],
    ['ghcr.io/a/b/c:v1', 'pkg:oci/c?repository_url=ghcr.io%2Fa%2Fb%2Fc&tag=v1', 'v1'],
    ['localhost:5000/web', 'pkg:oci/web?repository_url=localhost:5000%2Fweb&tag=latest', 'latest'],
    [`ghcr.io/web@${digest}`, `pkg:oci/web@${digest}?repository_url=ghcr.io%2Fweb`, digest],
    [`ghcr.io/web:1@${digest}`, `pkg:oci/web@${digest}?repository_url=ghcr.io%2Fweb&tag=1`, '1'],
  ])('names %s as package URLs have it', async (image, purl, version) => {
    const { components } = await read(pod('a', image));
    expect(components).toMatchObject([{ type: 'container', 'bom-ref': purl, purl, version }]);
  });

  it('has a component for each image, however it is written', async () => {
    const { components } = await read(pod('a', 'nginx:1'), pod('b', 'docker.io/library/nginx:1'), pod('c', 'nginx:2'));
    expect(components.map(({ version }) => version)).toEqual(['1', '2']);
    expect(components[0]!['properties']).toEqual([
      { name: 'kurel:use:0:image', value: 'docker.io/library/nginx:1' },
      { name: 'kurel:use:0:object', value: 'pod.b' },
      { name: 'kurel:use:0:field', value: 'spec.containers[name=main].image' },
      { name: 'kurel:use:1:image', value: 'nginx:1' },
      { name: 'kurel:use:1:object', value: 'pod.a' },
      { name: 'kurel:use:1:field', value: 'spec.containers[name=main].image' },
    ]);
  });

  it('names what no runtime would take by its text alone', async () => {
    const { components } = await read(pod('a', 'Web App'));
    expect(components).toMatchObject([{ 'bom-ref': 'image:Web App', name: 'Web App' }]);
    expect(components[0]).not.toHaveProperty('purl');
  });

  it('has a number that is made of what it says', async () => {
    const [one, again, other] = [await read(pod('a', 'a:1')), await read(pod('a', 'a:1')), await read(pod('a', 'a:2'))];
    expect(one.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(again.serialNumber).toBe(one.serialNumber);
    expect(other.serialNumber).not.toBe(one.serialNumber);
  });

  it('says that it is not complete when only the cluster knows some images', async () => {
    const release = 'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: redis}\n';
    expect((await read(pod('a', 'a:1'))).compositions).toBeUndefined();
    expect((await read(pod('a', 'a:1'), release)).compositions).toEqual([
      { aggregate: 'incomplete', dependencies: ['built'] },
    ]);
  });

  it('refers to nothing that it does not have', async () => {
    const { components, dependencies } = await read(pod('a', 'a:1'), pod('b', 'B'), pod('c', 'c'));
    const references = components.map((component) => component['bom-ref']);
    expect(new Set(references).size).toBe(3);
    expect(dependencies).toEqual([{ ref: 'built', dependsOn: references }]);
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, KubeObject } from '../model/index.ts';
import { explainHiddenImages, imageSitesOf } from './image-reference.ts';
import { explainImageReference, formatImageReference, normalizeImageReference, parseImageReference } from './index.ts';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

describe('parseImageReference', () => {
  it.each([
    ['nginx', { path: 'nginx' }, 'docker.io/library/nginx'],
    ['nginx:1.25', { path: 'nginx', tag: '1.25' }, 'docker.io/library/nginx:1.25'],
    ['org/app', { path: 'org/app' }, 'docker.io/org/app'],
    ['localhost:5000/app:1', { registry: 'localhost:5000', path: 'app', tag: '1' }, 'localhost:5000/app:1'],
    ['localhost:5000', { path: 'localhost', tag: '5000' }, 'docker.io/library/localhost:5000'],
    ['index.docker.io/nginx', { registry: 'index.docker.io', path: 'nginx' }, 'docker.io/library/nginx'],
    ['[::1]:5000/a/b', { registry: '[::1]:5000', path: 'a/b' }, '[::1]:5000/a/b'],
    [`ghcr.io/a/b:v1@${digest}`, { registry: 'ghcr.io', path: 'a/b', tag: 'v1', digest }, `ghcr.io/a/b:v1@${digest}`],
    [`a@${digest}`, { path: 'a', digest }, `docker.io/library/a@${digest}`],
  ])('reads %s', (text, parts, normal) => {
    const reference = parseImageReference(text)!;
    expect(reference).toEqual(parts);
    expect(formatImageReference(reference)).toBe(text);
    expect(formatImageReference(normalizeImageReference(reference))).toBe(normal);
  });

  it.each([
    ['', 'must not be empty'],
    ['Nginx', 'lower-case'],
    ['org/App', 'lower-case'],
    ['a:', 'must have a tag'],
    ['a:-x', 'must have a tag'],
    [`a:${'t'.repeat(129)}`, 'must have a tag'],
    ['a@', 'must have a digest that starts'],
    ['a@md5:00', 'must have a digest that starts'],
    ['a@sha256:00', 'must have a digest of 64'],
    ['ghcr.io/', 'must name a repository'],
    ['-x.io/a', 'registry host'],
    ['a//b', 'must have a path'],
    ['a/___/b', 'must have a path'],
    ['https://ghcr.io/a', 'registry host'],
    ['a'.repeat(300), 'at most 255'],
    ['a'.repeat(100_000), 'at most 4096'],
    ['f'.repeat(64), 'image ID'],
    ['${image}', 'must have a path'],
  ])('refuses %j: %s', (text, reason) => {
    expect(parseImageReference(text)).toBeUndefined();
    expect(explainImageReference(text)).toContain(reason);
  });

  it('reads its own output', () => {
    const part = fc.constantFrom('a', 'b1', 'c-d', 'e__f', 'g.h');
    const reference = fc.record(
      {
        registry: fc.constantFrom('ghcr.io', 'localhost', 'Host', 'a.b:443', '[::1]', '10.0.0.1:5000'),
        path: fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')),
        tag: fc.constantFrom('1', 'v1.2.3', 'A_b-c'),
        digest: fc.constant(digest),
      },
      { requiredKeys: ['registry', 'path'] },
    );
    fc.assert(
      fc.property(reference, (reference) => {
        expect(parseImageReference(formatImageReference(reference))).toEqual(reference);
      }),
    );
  });

  it('accepts any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'A', '/', ':', '@', '.', '-', '_', '[', ']', '1', 'é') }),
        (text) => {
          const reference = parseImageReference(text);
          expect(reference === undefined).toBe(explainImageReference(text) !== undefined);
          if (reference !== undefined) expect(formatImageReference(reference)).toBe(text);
        },
      ),
    );
  });
});

const object = (apiVersion: string, kind: string, fields: Readonly<Record<string, Json>>): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x' },
  ...fields,
});

const found = (one: KubeObject): readonly string[] =>
  imageSitesOf(one).map(({ path, image }) => `${path.join('.')} = ${image}`);

const pod = {
  initContainers: [{ name: 'a', image: 'a:1' }],
  containers: [{ name: 'b', image: 'b:1' }, { name: 'injected' }, { name: 'empty', image: '' }],
  ephemeralContainers: [{ name: 'c', image: 'c:1' }],
  volumes: [
    { name: 'd', emptyDir: {} },
    { name: 'e', image: { reference: 'e:1', pullPolicy: 'Always' } },
  ],
};
const images = (path: string): readonly string[] => [
  `${path}.initContainers.0.image = a:1`,
  `${path}.containers.0.image = b:1`,
  `${path}.ephemeralContainers.0.image = c:1`,
  `${path}.volumes.1.image.reference = e:1`,
];

describe('the images of', () => {
  it.each([
    ['a Pod', object('v1', 'Pod', { spec: pod }), images('spec')],
    [
      'a Deployment',
      object('apps/v1', 'Deployment', { spec: { template: { spec: pod } } }),
      images('spec.template.spec'),
    ],
    [
      'a CronJob',
      object('batch/v1', 'CronJob', { spec: { jobTemplate: { spec: { template: { spec: pod } } } } }),
      images('spec.jobTemplate.spec.template.spec'),
    ],
    [
      'a custom resource with pods in it',
      object('argoproj.io/v1alpha1', 'Rollout', { spec: { template: { spec: pod } } }),
      images('spec.template.spec'),
    ],
    [
      'a database',
      object('postgresql.cnpg.io/v1', 'Cluster', {
        spec: {
          imageName: 'postgres:17',
          postgresql: { extensions: [{ name: 'vector', image: { reference: 'vector:1' } }, { name: 'own' }] },
        },
      }),
      ['spec.imageName = postgres:17', 'spec.postgresql.extensions.0.image.reference = vector:1'],
    ],
    [
      'a catalogue of images',
      object('postgresql.cnpg.io/v1', 'ImageCatalog', {
        spec: {
          images: [{ major: 17, image: 'postgres:17', extensions: [{ name: 'a', image: { reference: 'vector:1' } }] }],
          componentImages: [{ key: 'pgbouncer', image: 'pgbouncer:1' }],
        },
      }),
      [
        'spec.images.0.image = postgres:17',
        'spec.images.0.extensions.0.image.reference = vector:1',
        'spec.componentImages.0.image = pgbouncer:1',
      ],
    ],
    [
      'a pooler of connections',
      object('postgresql.cnpg.io/v1', 'Pooler', { spec: { pgbouncer: { image: 'pgbouncer:1' } } }),
      ['spec.pgbouncer.image = pgbouncer:1'],
    ],
    [
      'a Prometheus',
      object('monitoring.coreos.com/v1', 'Prometheus', {
        spec: { image: 'prometheus:3', thanos: { image: 'thanos:1' }, containers: [{ name: 'a', image: 'a:1' }] },
      }),
      ['spec.image = prometheus:3', 'spec.thanos.image = thanos:1', 'spec.containers.0.image = a:1'],
    ],
    ...['Alertmanager', 'PrometheusAgent', 'ThanosRuler'].map((kind): [string, KubeObject, readonly string[]] => [
      kind,
      object('monitoring.coreos.com/v1', kind, { spec: { image: 'x:1' } }),
      ['spec.image = x:1'],
    ]),
    ['a ConfigMap', object('v1', 'ConfigMap', { data: { image: 'x:1', containers: '[{image: x}]' } }), []],
    [
      'a definition, which describes the fields of other objects',
      object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', { spec: { containers: [{ image: 'x:1' }] } }),
      [],
    ],
    [
      'an object of the wrong shape',
      object('v1', 'Pod', { spec: { containers: { image: 'x' }, volumes: ['x', null] } }),
      [],
    ],
    ['an object with an invalid apiVersion', object('a/b/c', 'Pod', { spec: pod }), images('spec')],
  ])('%s', (_, one, expected) => {
    expect(found(one)).toEqual(expected);
  });

  it('an object nested deeper than calls', () => {
    let value: Json = { containers: [{ image: 'deep:1' }] };
    for (let depth = 0; depth < 20_000; depth += 1) value = [value];
    expect(imageSitesOf(object('x/v1', 'X', { spec: { value } })).map(({ image }) => image)).toEqual(['deep:1']);
  });

  it('an object with a key that is not a field', () => {
    const spec = JSON.parse('{"__proto__": {"containers": [{"image": "x:1"}]}, "imageName": "y:1"}') as Json;
    expect(found(object('postgresql.cnpg.io/v1', 'Cluster', { spec }))).toEqual([
      'spec.imageName = y:1',
      'spec.__proto__.containers.0.image = x:1',
    ]);
  });
});

describe('images that only the cluster knows', () => {
  it.each([
    ['helm.toolkit.fluxcd.io/v2', 'HelmRelease', {}, 'its chart is rendered in the cluster'],
    ['argoproj.io/v1alpha1', 'Application', {}, 'its sources are rendered in the cluster'],
    ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization', {}, 'its sources are rendered in the cluster'],
    ['kustomize.config.k8s.io/v1beta1', 'Kustomization', {}, undefined],
    ['postgresql.cnpg.io/v1', 'Cluster', { instances: 1 }, 'its operator chooses the image'],
    ['postgresql.cnpg.io/v1', 'Cluster', { imageName: 'postgres:17' }, undefined],
    [
      'postgresql.cnpg.io/v1',
      'Cluster',
      { imageCatalogRef: { kind: 'ImageCatalog', name: 'x', major: 17 } },
      undefined,
    ],
    ['apps/v1', 'Deployment', {}, undefined],
  ])('%s %s %j: %s', (apiVersion, kind, spec, reason) => {
    expect(explainHiddenImages(object(apiVersion, kind, { spec }))).toBe(reason);
  });
});

import { describe, expect, it } from 'vitest';
import type { JsonObject, KubeObject, Path } from '../../../model/index.ts';
import { addToPods } from './change-pods.ts';
import type { PodAddition } from './change-pods.ts';

const volume = { source: { secret: { secretName: 'keys' } }, mount: { mountPath: '/etc/keys' } };
const envFrom = { secretRef: { name: 'keys' } };

interface Told {
  readonly code: string;
  readonly path: Path;
}

function add(
  objects: readonly KubeObject[],
  addition: Partial<PodAddition>,
): { readonly objects: readonly KubeObject[]; readonly reported: readonly Told[] } {
  const reported: Told[] = [];
  const changed = addToPods(objects, {
    name: 'keys',
    namePath: ['secretName'],
    report: ({ code }, path) => void reported.push({ code, path }),
    ...addition,
  });
  return { objects: changed, reported };
}

function deployment(spec: JsonObject): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { template: { spec } } };
}

const main = { name: 'web', image: 'web:1', env: [], resources: {}, livenessProbe: {}, securityContext: {} };
const service: KubeObject = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: {} };

describe('addToPods', () => {
  it('changes only the first container, with conventional field order', () => {
    const sidecar = { name: 'proxy', image: 'proxy:1' };
    const before = [deployment({ containers: [main, sidecar] }), service];
    const { objects, reported } = add(before, { volume, envFrom });
    const container = {
      name: 'web',
      image: 'web:1',
      env: [],
      envFrom: [envFrom],
      resources: {},
      volumeMounts: [{ name: 'keys', mountPath: '/etc/keys' }],
      livenessProbe: {},
      securityContext: {},
    };
    const volumes = [{ name: 'keys', secret: { secretName: 'keys' } }];
    expect(JSON.stringify(objects)).toBe(
      JSON.stringify([deployment({ containers: [container, sidecar], volumes }), service]),
    );
    expect(reported).toEqual([]);
    expect(before).toEqual([deployment({ containers: [main, sidecar] }), service]);
  });

  it('is added after existing entries', () => {
    const own = { configMapRef: { name: 'own' } };
    const there = { ...main, envFrom: [own], volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }] };
    const spec = { containers: [there], volumes: [{ name: 'tmp', emptyDir: {} }] };
    const { objects, reported } = add([deployment(spec)], { volume, envFrom });
    expect(reported).toEqual([]);
    expect(objects).toEqual([
      deployment({
        containers: [
          {
            ...there,
            envFrom: [own, envFrom],
            volumeMounts: [
              { name: 'tmp', mountPath: '/tmp' },
              { name: 'keys', mountPath: '/etc/keys' },
            ],
          },
        ],
        volumes: [
          { name: 'tmp', emptyDir: {} },
          { name: 'keys', secret: { secretName: 'keys' } },
        ],
      }),
    ]);
  });

  it.each([
    { kind: 'CronJob', apiVersion: 'batch/v1', wrap: (spec: JsonObject) => ({ jobTemplate: { spec: spec } }) },
    { kind: 'StatefulSet', apiVersion: 'apps/v1', wrap: (spec: JsonObject) => spec },
    { kind: 'DaemonSet', apiVersion: 'apps/v1', wrap: (spec: JsonObject) => spec },
  ])('finds the pods of a $kind', ({ kind, apiVersion, wrap }) => {
    const create = (container: JsonObject): KubeObject => ({
      apiVersion,
      kind,
      metadata: { name: 'web' },
      spec: wrap({ template: { spec: { containers: [container] } } }),
    });
    expect(add([create({ name: 'web' })], { envFrom }).objects).toEqual([create({ name: 'web', envFrom: [envFrom] })]);
  });

  const mounted = (name: string, mountPath: string): JsonObject => ({ ...main, volumeMounts: [{ name, mountPath }] });

  it.each<
    { readonly what: string; readonly addition: Partial<PodAddition>; readonly reported: readonly Told[] } & Place
  >([
    {
      what: 'a volume of the name',
      objects: [deployment({ containers: [main], volumes: [{ name: 'keys', emptyDir: {} }] })],
      addition: { volume },
      reported: [{ code: 'mount-volume-taken', path: ['secretName'] }],
    },
    {
      what: 'a claim of a StatefulSet of the name, visible only in its mount',
      objects: [deployment({ containers: [mounted('keys', '/keys')] })],
      addition: { volume },
      reported: [{ code: 'mount-volume-taken', path: ['secretName'] }],
    },
    {
      what: 'a mount at the path, which is found in the finished object',
      objects: [deployment({ containers: [mounted('tmp', '/etc//keys/')] })],
      addition: { volume },
      reported: [],
    },
    {
      what: 'a mount below the path, which is fine',
      objects: [deployment({ containers: [mounted('tmp', '/etc/keys/tmp')] })],
      addition: { volume },
      reported: [],
    },
    {
      what: 'a volume of the name, which is fine for variables alone',
      objects: [deployment({ containers: [main], volumes: [{ name: 'keys', emptyDir: {} }] })],
      addition: { envFrom },
      reported: [],
    },
    {
      what: 'no pods for a volume',
      objects: [service],
      addition: { volume, envFrom },
      reported: [{ code: 'mount-without-pods', path: ['mountPath'] }],
    },
    {
      what: 'no pods for variables',
      objects: [service],
      addition: { envFrom },
      reported: [{ code: 'mount-without-pods', path: ['envFrom'] }],
    },
    {
      what: 'an invalid volume name',
      objects: [deployment({ containers: [main] })],
      addition: { name: 'web.keys', volume },
      reported: [{ code: 'mount-volume-name', path: ['secretName'] }],
    },
    {
      what: 'an invalid volume name, which is fine for variables alone',
      objects: [deployment({ containers: [main] })],
      addition: { name: 'web.keys', envFrom },
      reported: [],
    },
  ])('meets $what', ({ objects, addition, reported }) => {
    expect(add(objects, addition).reported).toEqual(reported);
  });
});

interface Place {
  readonly objects: readonly KubeObject[];
}

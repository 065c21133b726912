import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../model/index.ts';
import { cleanPod, createTolerations } from './create-pod.ts';

interface Case {
  readonly name: string;
  readonly given: JsonObject;
  readonly cleaned: JsonObject;
}

/** A container. */
const ofContainers: readonly Case[] = [
  {
    name: 'empty lists',
    given: { name: 'x', command: [], args: [], env: [], envFrom: [], ports: [], volumeMounts: [] },
    cleaned: { name: 'x' },
  },
  { name: 'empty items of a list', given: { args: ['', '-v'] }, cleaned: { args: ['', '-v'] } },
  {
    name: 'variables',
    given: {
      env: [
        { name: 'A', value: '' },
        { name: 'B', value: '', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ],
      envFrom: [{ prefix: '', secretRef: { name: 's', optional: false } }],
    },
    cleaned: {
      env: [{ name: 'A' }, { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
      envFrom: [{ secretRef: { name: 's', optional: false } }],
    },
  },
  {
    name: 'mounts and ports',
    given: {
      ports: [{ name: '', containerPort: 80, hostPort: 0 }],
      volumeMounts: [{ name: 'v', mountPath: '/v', readOnly: false, subPath: '' }],
    },
    cleaned: { ports: [{ containerPort: 80 }], volumeMounts: [{ name: 'v', mountPath: '/v' }] },
  },
  {
    name: 'probes',
    given: {
      livenessProbe: {
        initialDelaySeconds: 0,
        httpGet: { port: 80, path: '', host: '', httpHeaders: [{ name: 'X', value: '' }] },
      },
      readinessProbe: { tcpSocket: { port: 80, host: '' } },
      lifecycle: {},
    },
    cleaned: {
      livenessProbe: { httpGet: { port: 80, httpHeaders: [{ name: 'X', value: '' }] } },
      readinessProbe: { tcpSocket: { port: 80 } },
    },
  },
  {
    name: 'security settings',
    given: {
      securityContext: { privileged: false, runAsUser: 0, readOnlyRootFilesystem: false, capabilities: { add: [''] } },
    },
    cleaned: { securityContext: { privileged: false, runAsUser: 0, readOnlyRootFilesystem: false } },
  },
  { name: 'empty security settings', given: { securityContext: { capabilities: { drop: [''] } } }, cleaned: {} },
];

describe('cleanPod', () => {
  it.each(ofContainers)('leaves out of a container: $name', ({ given, cleaned }) => {
    for (const list of ['containers', 'initContainers']) {
      expect(cleanPod({ [list]: [given] })).toEqual({ [list]: [cleaned] });
    }
  });

  it('leaves out empty toleration fields', () => {
    const tolerations = [{ key: '', operator: 'Exists', value: '', effect: '' }];
    expect(cleanPod({ tolerations })).toEqual({ tolerations: [{ operator: 'Exists' }] });
  });

  it('keeps empty values that have a meaning', () => {
    const spec = {
      containers: [{ name: 'x', env: [{ name: 'A', value: 'b' }] }],
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'b', hostPath: { path: '/', type: '' } },
        { name: 'c', csi: { driver: 'd', readOnly: false, volumeAttributes: { value: '' } } },
      ],
    };
    expect(cleanPod(spec)).toBe(spec);
  });
});

const ofTolerations: readonly (readonly [Json, Json])[] = [
  [
    { key: 'a', value: 'b' },
    { key: 'a', operator: 'Equal', value: 'b' },
  ],
  [
    { value: '', key: 'a', operator: null },
    { key: 'a', operator: 'Equal', value: '' },
  ],
  [{ effect: 'NoExecute' }, { operator: 'Exists', effect: 'NoExecute' }],
  [
    { key: '', effect: 'NoSchedule' },
    { operator: 'Exists', effect: 'NoSchedule' },
  ],
  [{}, { operator: 'Exists' }],
  [
    { key: 'a', operator: 'Exists' },
    { key: 'a', operator: 'Exists' },
  ],
];

describe('createTolerations', () => {
  it.each(ofTolerations)('%j becomes %j', (written, toleration) => {
    expect(JSON.stringify(createTolerations([written]))).toBe(JSON.stringify([toleration]));
  });

  it('does not change a complete toleration', () => {
    const written = { key: 'a', operator: 'Exists' };
    expect(createTolerations([written])[0]).toBe(written);
  });
});

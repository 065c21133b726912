import { describe, expect, it } from 'vitest';
import type { JsonObject, KubeObject } from '../../../model/index.ts';
import { cleanObject } from './check-manifest.ts';

const type = { apiVersion: 'example.com/v1', kind: 'Widget' };
const applied = { 'kubectl.kubernetes.io/last-applied-configuration': '{}' };

describe('an object exported from a cluster', () => {
  const cases: readonly [title: string, given: JsonObject, expected: JsonObject][] = [
    [
      'loses fields that only the cluster sets',
      { metadata: { name: 'a', uid: 'x', generation: 1, resourceVersion: '1', selfLink: '/', managedFields: [] } },
      { metadata: { name: 'a' } },
    ],
    ['loses a null timestamp', { metadata: { creationTimestamp: null } }, { metadata: {} }],
    [
      'keeps a timestamp',
      { metadata: { creationTimestamp: '2025-01-01T00:00:00Z' } },
      { metadata: { creationTimestamp: '2025-01-01T00:00:00Z' } },
    ],
    ['loses an empty namespace', { metadata: { name: 'a', namespace: '' } }, { metadata: { name: 'a' } }],
    ['loses annotations of kubectl', { metadata: { annotations: applied } }, { metadata: {} }],
    [
      'keeps other annotations',
      { metadata: { annotations: { b: '1', ...applied } } },
      { metadata: { annotations: { b: '1' } } },
    ],
    [
      'is cleaned in pod templates',
      { spec: { template: { metadata: { creationTimestamp: null, labels: { a: 'b' } }, spec: {} } } },
      { spec: { template: { metadata: { labels: { a: 'b' } }, spec: {} } } },
    ],
    [
      'is cleaned in job templates',
      { spec: { jobTemplate: { metadata: { uid: 'x' }, spec: { template: { metadata: { annotations: applied } } } } } },
      { spec: { jobTemplate: { metadata: {}, spec: { template: { metadata: {} } } } } },
    ],
    ['loses an empty status', { status: { a: [], b: { c: 0, d: '' }, e: false, f: null } }, {}],
    ['loses a status that is null', { status: null }, {}],
    ['keeps a status with content', { status: { ready: [true] } }, { status: { ready: [true] } }],
    [
      'keeps everything else that is empty',
      { metadata: { annotations: {}, labels: null }, spec: { status: {}, a: null, b: [], c: '' } },
      { metadata: { annotations: {}, labels: null }, spec: { status: {}, a: null, b: [], c: '' } },
    ],
    [
      'keeps a field of its spec that is named metadata',
      { spec: { metadata: { uid: 'x', namespace: '' } } },
      { spec: { metadata: { uid: 'x', namespace: '' } } },
    ],
    ['stays the same if it is malformed', { metadata: [null], spec: 'x' }, { metadata: [null], spec: 'x' }],
  ];

  it.each(cases)('%s', (_, given, expected) => {
    const object: KubeObject = { ...type, ...given };
    const before = structuredClone(object);
    const cleaned = cleanObject(object);
    expect(cleaned).toEqual({ ...type, ...expected });
    expect(object, 'input').toEqual(before);
    expect(cleanObject(cleaned), 'the same value if nothing changes').toBe(cleaned);
  });
});

import { describe, expect, it } from 'vitest';
import type { JsonObject, KubeObject } from '../../../model/index.ts';
import { cleanObject } from './clean-object.ts';

const type = { apiVersion: 'example.com/v1', kind: 'Widget' };
const applied = { 'kubectl.kubernetes.io/last-applied-configuration': '{}' };

describe('an object that was copied out of a cluster', () => {
  const cases: readonly [title: string, given: JsonObject, expected: JsonObject][] = [
    [
      'loses what only the cluster knows',
      { metadata: { name: 'a', uid: 'x', generation: 1, resourceVersion: '1', selfLink: '/', managedFields: [] } },
      { metadata: { name: 'a' } },
    ],
    ['loses a time that is none', { metadata: { creationTimestamp: null } }, { metadata: {} }],
    [
      'keeps a time that is one',
      { metadata: { creationTimestamp: '2025-01-01T00:00:00Z' } },
      { metadata: { creationTimestamp: '2025-01-01T00:00:00Z' } },
    ],
    ['loses a namespace that is none', { metadata: { name: 'a', namespace: '' } }, { metadata: { name: 'a' } }],
    ['loses what kubectl noted', { metadata: { annotations: applied } }, { metadata: {} }],
    [
      'keeps other annotations',
      { metadata: { annotations: { b: '1', ...applied } } },
      { metadata: { annotations: { b: '1' } } },
    ],
    [
      'is cleaned where it makes pods',
      { spec: { template: { metadata: { creationTimestamp: null, labels: { a: 'b' } }, spec: {} } } },
      { spec: { template: { metadata: { labels: { a: 'b' } }, spec: {} } } },
    ],
    [
      'is cleaned where it makes jobs',
      { spec: { jobTemplate: { metadata: { uid: 'x' }, spec: { template: { metadata: { annotations: applied } } } } } },
      { spec: { jobTemplate: { metadata: {}, spec: { template: { metadata: {} } } } } },
    ],
    ['loses an empty status', { status: { a: [], b: { c: 0, d: '' }, e: false, f: null } }, {}],
    ['loses a status that is null', { status: null }, {}],
    ['keeps a status that says something', { status: { ready: [true] } }, { status: { ready: [true] } }],
    [
      'keeps everything else that is empty',
      { metadata: { annotations: {}, labels: null }, spec: { status: {}, a: null, b: [], c: '' } },
      { metadata: { annotations: {}, labels: null }, spec: { status: {}, a: null, b: [], c: '' } },
    ],
    ['stays what it is where it makes no sense', { metadata: [null], spec: 'x' }, { metadata: [null], spec: 'x' }],
  ];

  it.each(cases)('%s', (_, given, expected) => {
    const object: KubeObject = { ...type, ...given };
    const before = structuredClone(object);
    const cleaned = cleanObject(object);
    expect(cleaned).toEqual({ ...type, ...expected });
    expect(object, 'what was given').toEqual(before);
    expect(cleanObject(cleaned), 'the same value when there is nothing to do').toBe(cleaned);
  });
});

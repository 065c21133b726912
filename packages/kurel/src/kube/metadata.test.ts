import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, KubeObject, Json } from '../model/index.ts';
import {
  labelsOf,
  withAnnotations,
  withLabels,
  withName,
  withNamespace,
  withoutAnnotations,
  withoutLabels,
  installPhaseOf,
  timeoutOf,
  waitForReadyOf,
} from './index.ts';

const type = { apiVersion: 'v1', kind: 'ConfigMap' };
const set = (labels: Record<string, string>) => (object: KubeObject) => withLabels(object, labels);
const remove =
  (...keys: string[]) =>
  (object: KubeObject) =>
    withoutLabels(object, keys);

// Compares texts instead of values, because the order of keys matters.
const rows: readonly (readonly [string, JsonObject, (object: KubeObject) => KubeObject, JsonObject])[] = [
  ['labels create metadata after kind', { data: {} }, set({ a: '1' }), { metadata: { labels: { a: '1' } }, data: {} }],
  [
    'metadata of null counts as none',
    { metadata: null, data: {} },
    set({ a: '1' }),
    { metadata: { labels: { a: '1' } }, data: {} },
  ],
  [
    'labels go after name and namespace',
    { metadata: { name: 'n', namespace: 's', annotations: { x: 'y' } } },
    set({ a: '1' }),
    { metadata: { name: 'n', namespace: 's', labels: { a: '1' }, annotations: { x: 'y' } } },
  ],
  [
    'equal keys are overwritten in place, new ones come last',
    { metadata: { labels: { b: '1', a: '2' } } },
    set({ a: '3', c: '4', b: '1' }),
    { metadata: { labels: { b: '1', a: '3', c: '4' } } },
  ],
  [
    'entries that are not strings stay',
    { metadata: { labels: { n: 1, a: '1' } } },
    set({ a: '2' }),
    { metadata: { labels: { n: 1, a: '2' } } },
  ],
  [
    'removing one keeps the others',
    { metadata: { labels: { a: '1', n: 2 } } },
    remove('a', 'z'),
    { metadata: { labels: { n: 2 } } },
  ],
  [
    'removing the last label removes the field',
    { metadata: { name: 'n', labels: { a: '1' } } },
    remove('a'),
    { metadata: { name: 'n' } },
  ],
  ['and metadata without other fields', { metadata: { labels: { a: '1' } }, data: {} }, remove('a'), { data: {} }],
  [
    'a key may have a value that is not a string',
    { metadata: { name: 'n', labels: { a: 1 } } },
    remove('a'),
    { metadata: { name: 'n' } },
  ],
  [
    'a predicate sees only strings',
    { metadata: { labels: { a: '1', b: '2', n: 3 } } },
    (object) => withoutLabels(object, (key, value) => key === 'a' || value === '3' || key === 'n'),
    { metadata: { labels: { b: '2', n: 3 } } },
  ],
  [
    'annotations go after labels',
    { metadata: { name: 'n', labels: { a: '1' }, finalizers: [] } },
    (object) => withAnnotations(object, { x: 'y' }),
    { metadata: { name: 'n', labels: { a: '1' }, annotations: { x: 'y' }, finalizers: [] } },
  ],
  [
    'annotations are removed',
    { metadata: { name: 'n', annotations: { x: 'y' } } },
    (object) => withoutAnnotations(object, ['x']),
    { metadata: { name: 'n' } },
  ],
  [
    'a name comes first',
    { metadata: { labels: { a: '1' } } },
    (object) => withName(object, 'n'),
    { metadata: { name: 'n', labels: { a: '1' } } },
  ],
  [
    'a name keeps its place',
    { metadata: { labels: {}, name: 'm' } },
    (object) => withName(object, 'n'),
    { metadata: { labels: {}, name: 'n' } },
  ],
  [
    'a namespace follows the name',
    { metadata: { name: 'n', labels: {} } },
    (object) => withNamespace(object, 's'),
    { metadata: { name: 'n', namespace: 's', labels: {} } },
  ],
  [
    'an empty namespace removes the field',
    { metadata: { name: 'n', namespace: 's' } },
    (object) => withNamespace(object, ''),
    { metadata: { name: 'n' } },
  ],
  [
    '__proto__ is a key like any other',
    { metadata: { name: 'n' } },
    set(JSON.parse('{"__proto__":"x"}') as Record<string, string>),
    JSON.parse('{"metadata":{"name":"n","labels":{"__proto__":"x"}}}') as JsonObject,
  ],
];

describe('metadata', () => {
  it.each(rows)('%s', (_, before, change, after) => {
    const object: KubeObject = { ...type, ...before };
    const text = JSON.stringify(object);
    expect(JSON.stringify(change(object))).toBe(JSON.stringify({ ...type, ...after }));
    expect(JSON.stringify(object)).toBe(text);
  });

  it.each<[string, JsonObject, (object: KubeObject) => KubeObject]>([
    ['equal labels', { metadata: { labels: { a: '1' } } }, set({ a: '1' })],
    ['no labels', {}, set({})],
    ['labels that do not exist', { metadata: { labels: { a: '1' } } }, remove('b')],
    ['an empty object', { metadata: { labels: {} } }, remove('b')],
    ['the same name', { metadata: { name: 'n' } }, (object) => withName(object, 'n')],
    ['no namespace', {}, (object) => withNamespace(object, '')],
    ['metadata that is a string', { metadata: 'text' }, set({ a: '1' })],
    ['labels that are a list', { metadata: { labels: ['a'] } }, set({ a: '1' })],
  ])('%s: the same object', (_, before, change) => {
    const object: KubeObject = { ...type, ...before };
    expect(change(object)).toBe(object);
  });

  it('shares what it does not change', () => {
    const object: KubeObject = { ...type, metadata: { name: 'n', annotations: { x: 'y' } }, data: { k: 'v' } };
    const changed = withLabels(object, { a: '1' });
    expect(changed['data']).toBe(object['data']);
    expect((changed['metadata'] as JsonObject)['annotations']).toBe((object['metadata'] as JsonObject)['annotations']);
  });

  it('returns the labels that were set, and removes them again', () => {
    const labels = fc.dictionary(fc.string({ minLength: 1 }), fc.string());
    fc.assert(
      fc.property(labels, labels, (before, added) => {
        fc.pre(!Object.keys(added).some((key) => Object.hasOwn(before, key)));
        const object: KubeObject = {
          ...type,
          metadata: { name: 'n', ...(Object.keys(before).length === 0 ? {} : { labels: before }) },
        };
        const changed = withLabels(object, added);
        expect(labelsOf(changed)).toEqual({ ...before, ...added });
        expect(withoutLabels(changed, Object.keys(added))).toEqual(object);
      }),
    );
  });
});

function annotated(key: string, value: Json): KubeObject {
  const annotations = { [`kurel.gokure.dev/${key}`]: value };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations } };
}

const seconds = 1_000_000_000n;

describe('an annotation', () => {
  it.each<[Json, string | undefined]>([
    ['pre-install', 'pre-install'],
    ['main', 'main'],
    ['post-install', 'post-install'],
    ['Main', undefined],
    ['preinstall', undefined],
    ['', undefined],
    [null, undefined],
    [true, undefined],
    [['main'], undefined],
  ])('of the phase: %j', (value, expected) => {
    expect(installPhaseOf(annotated('install-phase', value))).toBe(expected);
  });

  it.each<[Json, boolean | undefined]>([
    ['true', true],
    ['false', false],
    ['True', undefined],
    ['yes', undefined],
    ['', undefined],
    [true, undefined],
    [null, undefined],
  ])('to wait: %j', (value, expected) => {
    expect(waitForReadyOf(annotated('wait-for-ready', value))).toBe(expected);
  });

  it.each<[Json, bigint | undefined]>([
    ['5m', 300n * seconds],
    ['1h30m', 5400n * seconds],
    ['1.5s', 1_500_000_000n],
    ['10us', 10_000n],
    ['0', undefined],
    ['0s', undefined],
    ['-5m', undefined],
    ['5', undefined],
    ['5 m', undefined],
    ['5d', undefined],
    ['', undefined],
    [300, undefined],
    [null, undefined],
  ])('of the timeout: %j', (value, expected) => {
    expect(timeoutOf(annotated('timeout', value))).toBe(expected);
  });
});

describe('an object without such annotations', () => {
  it.each<[string, Json]>([
    ['has no annotations', { name: 'a' }],
    ['has no metadata', null],
    ['has other annotations', { annotations: { 'kurel.gokure.dev/package': 'x' } }],
    ['has invalid annotations', { annotations: ['kurel.gokure.dev/install-phase'] }],
  ])('%s', (_, metadata) => {
    const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    expect([installPhaseOf(object), waitForReadyOf(object), timeoutOf(object)]).toEqual(['main', false, 0n]);
  });
});

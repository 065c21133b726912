import { describe, expect, it } from 'vitest';
import type { Json, JsonObject, KubeObject, Transformer } from '../../model/index.ts';
import { isPure } from '../steps.ts';
import { anyContext, configMap, frozen } from '../../../test/test-objects.ts';
import { transformers } from './index.ts';

const { namespace, name, labels, annotations } = transformers;

/** Metadata before and after; `undefined` stands for no metadata at all. */
type Row = readonly [
  title: string,
  transformer: Transformer,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
];

const cases: readonly Row[] = [
  ['namespace set', namespace.set('prod'), { name: 'a' }, { name: 'a', namespace: 'prod' }],
  ['namespace replaced', namespace.set('prod'), { name: 'a', namespace: 'dev' }, { name: 'a', namespace: 'prod' }],
  ['namespace removed', namespace.set(''), { name: 'a', namespace: 'dev' }, { name: 'a' }],
  ['namespace without metadata', namespace.set('prod'), undefined, { namespace: 'prod' }],
  ['default namespace given', namespace.ensureDefault('prod'), { name: 'a' }, { name: 'a', namespace: 'prod' }],
  [
    'default namespace for an empty one',
    namespace.ensureDefault('prod'),
    { name: 'a', namespace: '' },
    { name: 'a', namespace: 'prod' },
  ],

  ['prefix', name.setPrefix('x-'), { name: 'a' }, { name: 'x-a' }],
  ['suffix', name.setSuffix('-x'), { name: 'a' }, { name: 'a-x' }],
  ['replace all occurrences', name.replace('a', 'bb'), { name: 'a-a-c' }, { name: 'bb-bb-c' }],
  ['replace by nothing', name.replace('-dev', ''), { name: 'a-dev' }, { name: 'a' }],
  ['replace takes texts, not patterns', name.replace('.', '$&'), { name: 'a.b' }, { name: 'a$&b' }],

  [
    'labels merged',
    labels.set({ b: '2', c: '3' }),
    { labels: { a: '1', b: '1' } },
    { labels: { a: '1', b: '2', c: '3' } },
  ],
  ['labels created', labels.set({ a: '1' }), { name: 'a' }, { name: 'a', labels: { a: '1' } }],
  ['labels and metadata created', labels.set({ a: '1' }), undefined, { labels: { a: '1' } }],
  [
    'labels that are not strings are kept',
    labels.set({ a: '1' }),
    { labels: { port: 80 } },
    { labels: { port: 80, a: '1' } },
  ],
  ['labels removed', labels.remove('a', 'z'), { labels: { a: '1', b: '2' } }, { labels: { b: '2' } }],
  ['last label removed', labels.remove('a'), { name: 'a', labels: { a: '1' } }, { name: 'a' }],
  [
    'labels removed by predicate',
    labels.removeIf((key, value) => key === 'a' || value === '2'),
    { labels: { a: '1', b: '2', c: '3' } },
    { labels: { c: '3' } },
  ],
  [
    'annotations merged',
    annotations.set({ b: '2' }),
    { annotations: { a: '1', b: '1' } },
    { annotations: { a: '1', b: '2' } },
  ],
  ['annotations created', annotations.set({ a: '1' }), undefined, { annotations: { a: '1' } }],
  ['annotations removed', annotations.remove('a'), { annotations: { a: '1', b: '2' } }, { annotations: { b: '2' } }],
  ['last annotation removed', annotations.remove('a'), { name: 'a', annotations: { a: '1' } }, { name: 'a' }],
  [
    'annotations removed by predicate',
    annotations.removeIf((_key, value) => value === '1'),
    { annotations: { a: '1', b: '2' } },
    { annotations: { b: '2' } },
  ],
];

const unchanged: readonly (readonly [title: string, transformer: Transformer, before: JsonObject | undefined])[] = [
  ['default namespace where there is one', namespace.ensureDefault('prod'), { namespace: 'dev' }],
  ['empty default namespace', namespace.ensureDefault(''), { name: 'a' }],
  ['empty prefix', name.setPrefix(''), { name: 'a' }],
  ['empty suffix', name.setSuffix(''), { name: 'a' }],
  ['replacing nothing', name.replace('', 'x'), { name: 'a' }],
  ['replacing a substring that does not occur', name.replace('z', 'x'), { name: 'a' }],
  ['prefix of an object without name', name.setPrefix('x-'), { generateName: 'a-' }],
  ['no labels to set', labels.set({}), { name: 'a' }],
  ['labels that are there', labels.set({ a: '1' }), { labels: { a: '1' } }],
  ['absent label removed', labels.remove('z'), { labels: { a: '1' } }],
  ['label removed without metadata', labels.remove('z'), undefined],
  ['no label removed', labels.removeIf(() => false), { labels: { a: '1' } }],
  ['absent annotation removed', annotations.remove('z'), { annotations: { a: '1' } }],
];

function objectWith(metadata: JsonObject | undefined): KubeObject {
  return frozen({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    ...(metadata === undefined ? {} : { metadata }),
    data: { key: 'value' },
  });
}

describe('transformers', () => {
  it.each(cases)('%s', (_title, transformer, before, after) => {
    const object = objectWith(before);
    const result = transformer(object, anyContext);
    expect(result).toEqual(objectWith(after));
    expect(result).toHaveProperty('data', object['data']);
    expect(isPure(transformer)).toBe(true);
  });

  it.each(unchanged)('gives the same object: %s', (_title, transformer, before) => {
    const object = objectWith(before);
    expect(transformer(object, anyContext)).toBe(object);
  });

  describe('objects outside namespaces', () => {
    const role = frozen({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'a' } });
    const unknown = frozen({ apiVersion: 'example.com/v1', kind: 'Unknown', metadata: { name: 'a' } });

    it.each([namespace.set, namespace.ensureDefault])('get one unless they are skipped', (make) => {
      expect(make('prod')(role, anyContext)).toHaveProperty('metadata.namespace', 'prod');
      expect(make('prod', { skipClusterScoped: true })(role, anyContext)).toBe(role);
      expect(make('prod', { skipClusterScoped: true })(configMap('a'), anyContext)).toHaveProperty(
        'metadata.namespace',
        'prod',
      );
      expect(make('prod', { skipClusterScoped: true })(unknown, anyContext)).toHaveProperty(
        'metadata.namespace',
        'prod',
      );
    });
  });

  it('does not see later changes of what it was given', () => {
    const given: Record<string, string> = { a: '1' };
    const transformer = labels.set(given);
    given['a'] = '2';
    expect(transformer(configMap('x'), anyContext)).toHaveProperty('metadata.labels', { a: '1' });
  });
});

describe('levels of the result of a jq program', () => {
  const nest = (levels: number): Json => (levels === 0 ? 1 : { a: nest(levels - 1) });
  const change = (levels: number) =>
    transformers.jq(`setpath(["spec"] + [range(${levels}) | "a"]; 2)`)(
      { ...configMap('web'), spec: nest(levels) },
      anyContext,
    );

  it('may be 1,000', () => {
    expect(() => change(998)).not.toThrow();
    expect(() => change(1000)).toThrow('the result has more than 1000 levels');
  });
});

import { describe, expect, it } from 'vitest';

import { bundledSchemas } from '../host/index.ts';
import type { Json, KubeObject } from '../model/index.ts';
import { createSchemaStore } from '../schema/index.ts';
import { formatChangedField, pathsOfChange } from './difference.ts';
import { diffObjects } from './diff-objects.ts';
import type { FieldChange } from './difference.ts';
import { hideSecrets } from './hide-secrets.ts';

const shipped = createSchemaStore({ files: bundledSchemas() });

function widget(spec: Json, more: Readonly<Record<string, Json>> = {}): KubeObject {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec, ...more };
}

function pod(spec: Json): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec };
}

/** `+ field: value`, one for each change. */
function reportFinding(before: KubeObject, after: KubeObject): readonly string[] {
  const { objects } = hideSecrets(diffObjects([before], [after], { store: () => shipped }));
  return objects.flatMap((one) => (one.operation === 'change' ? one.changes.map(print) : [one.operation]));
}

function print(change: FieldChange): string {
  const { operation, path, before, after, hidden } = change;
  const mark = { add: '+', remove: '-', change: '~', move: '>' }[operation];
  const values = [before, after].filter((value) => value !== undefined).map((value) => show(value));
  return `${mark} ${formatChangedField(path)}${hidden === true ? ' hidden' : ''} ${values.join(' → ')}`.trim();
}

function show(value: Json): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
}

const env = (names: string): Json => names.split('').map((name) => ({ name, value: '1' }));
const inContainer = (fields: Readonly<Record<string, Json>>): KubeObject =>
  pod({ containers: [{ name: 'web', ...fields }] });

describe('fields', () => {
  it.each<[string, Json, Json, readonly string[]]>([
    ['keys in another order', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
    ['numbers of one value', { a: 1, b: 12345678901234567890n, c: 0 }, { a: 1n, b: 12345678901234567890n, c: -0 }, []],
    ['a number and its text', { a: 80 }, { a: '80' }, ['~ spec.a 80 → "80"']],
    ['amounts that are written otherwise', { cpu: '1000m' }, { cpu: '1' }, ['~ spec.cpu "1000m" → "1"']],
    ['null and nothing', { a: null }, {}, ['- spec.a null']],
    ['an object and a list', { a: {} }, { a: [] }, ['~ spec.a {} → []']],
    ['something and nothing in it', { a: { b: 1 } }, { a: {} }, ['- spec.a.b 1']],
    ['odd keys', { 'a.b': 1, '': 2 }, { 'a.b': 2, '': 3 }, ['~ spec[""] 2 → 3', '~ spec["a.b"] 1 → 2']],
    ['keys that every object inherits', { x: 1 }, JSON.parse('{"__proto__": {}, "x": 1}'), ['+ spec.__proto__ {}']],
    ['such a key for another', JSON.parse('{"__proto__": {}}'), { x: {} }, ['- spec.__proto__ {}', '+ spec.x {}']],
    ['such a key that is gone', { constructor: 1 }, {}, ['- spec.constructor 1']],
  ])('%s', (_, before, after, expected) => {
    expect(reportFinding(widget(before), widget(after))).toEqual(expected);
  });

  it('escapes control characters', () => {
    const reported = reportFinding(widget({}), widget({ '\u001B[31m': 1, ['x'.repeat(500)]: 1 }));
    expect(reported).toEqual([String.raw`+ spec["\u001b[31m"] 1`, `+ spec["${'x'.repeat(100)}…"] 1`]);
  });
});

describe('lists without keys', () => {
  it.each<[string, Json, Json, readonly string[]]>([
    ['one more in front', ['b', 'c'], ['a', 'b', 'c'], ['+ spec[0] "a"']],
    ['one less in between', ['a', 'b', 'c'], ['a', 'c'], ['- spec[1] "b"']],
    ['one that changed', ['a', 'b', 'c'], ['a', 'x', 'c'], ['~ spec[1] "b" → "x"']],
    ['another order', ['a', 'b'], ['b', 'a'], ['- spec[0] "a"', '+ spec[1] "a"']],
    ['objects, with another one first', [{ x: 1, y: 1 }], [{ z: 1 }, { x: 1, y: 1 }], ['+ spec[0] {"z":1}']],
    ['a field of an object', [{ x: 1 }, { y: 1 }], [{ x: 1 }, { y: 2 }], ['~ spec[1].y 1 → 2']],
    ['lists in lists', [[1], [2, 3]], [[1], [3]], ['- spec[1][0] 2']],
    ['nothing left', [1, 2], [], ['- spec[0] 1', '- spec[1] 2']],
    ['one of two that are the same is gone', ['a', 'b', 'a'], ['a', 'b'], ['- spec[2] "a"']],
    ['the first of them is gone', ['a', 'b', 'a', 'c'], ['b', 'a', 'c'], ['- spec[0] "a"']],
    ['one more of the same', ['a', 'a', 'b'], ['a', 'a', 'a', 'b'], ['+ spec[2] "a"']],
    [
      'the longest of what they share',
      ['x', 'a', 'x', 'b'],
      ['a', 'b', 'x'],
      ['- spec[0] "x"', '- spec[3] "b"', '+ spec[1] "b"'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(reportFinding(widget(before), widget(after))).toEqual(expected);
  });

  it('match unique elements if they are long and repetitive', () => {
    const repeating = Array.from({ length: 1500 }, (_, index) => (index % 3 === 0 ? `item ${index}` : `${index % 3}`));
    const changed = ['1', 'new', ...repeating.toSpliced(900, 1), '2', '1'];
    expect(reportFinding(widget(repeating), widget(changed)).toSorted()).toEqual(
      ['+ spec[0] "1"', '+ spec[1] "new"', '- spec[900] "item 900"', '+ spec[1501] "2"', '+ spec[1502] "1"'].toSorted(),
    );
  });

  it('give the shortest difference even if they are long', { tags: 'slow' }, () => {
    const long = Array.from({ length: 50_000 }, (_, index) => `item ${index}`);
    const shuffled = [...long.slice(25_000), 'new', ...long.slice(0, 24_999)];
    expect(reportFinding(widget(long), widget(long.toSpliced(700, 1).toSpliced(40_000, 0, 'new')))).toEqual([
      '- spec[700] "item 700"',
      '+ spec[40000] "new"',
    ]);
    expect(reportFinding(widget(long), widget(shuffled)).length).toBeLessThan(100_000);
    const alike = Array.from({ length: 50_000 }, (_, index) => `${index % 2}`);
    expect(reportFinding(widget(alike), widget(alike.map((text) => `${text}x`)))).toHaveLength(50_000);
  });
});

describe('lists with keys', () => {
  it.each<[string, KubeObject, KubeObject, readonly string[]]>([
    [
      'one more',
      inContainer({ env: env('AC') }),
      inContainer({ env: env('ABC') }),
      ['+ spec.containers[name=web].env[name=B] {"name":"B","value":"1"}'],
    ],
    [
      'another order',
      inContainer({ env: env('ABC') }),
      inContainer({ env: env('CAB') }),
      ['> spec.containers[name=web].env[name=C]'],
    ],
    [
      'one that moved and changed',
      pod({ containers: [{ name: 'a' }, { name: 'b' }, { name: 'c', image: 'x' }] }),
      pod({ containers: [{ name: 'c', image: 'y' }, { name: 'a' }, { name: 'b' }] }),
      ['> spec.containers[name=c]', '~ spec.containers[name=c].image "x" → "y"'],
    ],
    [
      'a new name is a new item',
      pod({ containers: [{ name: 'a' }] }),
      pod({ containers: [{ name: 'b' }] }),
      ['- spec.containers[name=a] {"name":"a"}', '+ spec.containers[name=b] {"name":"b"}'],
    ],
    [
      'several keys, one of them by default',
      inContainer({ ports: [{ containerPort: 53 }, { containerPort: 53, protocol: 'UDP' }] }),
      inContainer({ ports: [{ containerPort: 53n, protocol: 'UDP', name: 'dns' }, { containerPort: 53 }] }),
      [
        '> spec.containers[name=web].ports[containerPort=53,protocol=UDP]',
        '+ spec.containers[name=web].ports[containerPort=53,protocol=UDP].name "dns"',
      ].toSorted(),
    ],
    [
      'a key that two items have',
      inContainer({ env: env('AA') }),
      inContainer({ env: env('AAB') }),
      ['+ spec.containers[name=web].env[2] {"name":"B","value":"1"}'],
    ],
    [
      'a key that cannot be shown',
      pod({ containers: [{ name: 'a\n', image: 'x' }] }),
      pod({ containers: [{ name: 'a\n', image: 'y' }] }),
      ['~ spec.containers[0].image "x" → "y"'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(reportFinding(before, after).toSorted()).toEqual(expected.toSorted());
  });

  it('are those of CustomResourceDefinitions too', () => {
    const items = { type: 'object', properties: { id: { type: 'integer' }, v: { type: 'string' } } };
    const spec = { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['id'] };
    const openAPIV3Schema = { type: 'object', properties: { spec } };
    const definition: KubeObject = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: 'Widget', plural: 'widgets' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      },
    };
    const store = shipped.with([definition], () => 'here');
    const [before, after] = [
      [
        { id: 1, v: 'a' },
        { id: 2, v: 'b' },
      ],
      [{ id: 2, v: 'c' }],
    ].map((list) => widget(list));
    const { objects } = diffObjects([before!], [after!], { store: () => store });
    const [found] = objects;
    expect(found?.operation === 'change' && found.changes.map(print)).toEqual([
      '- spec[id=1] {"id":1,"v":"a"}',
      '~ spec[id=2].v "b" → "c"',
    ]);
    expect(found?.operation === 'change' && found.changes.map(pathsOfChange)).toEqual([
      { before: ['spec', 0] },
      { before: ['spec', 1, 'v'], after: ['spec', 0, 'v'] },
    ]);
  });
});

describe('objects', () => {
  const named = (kind: string, name: string, more: Readonly<Record<string, Json>> = {}): KubeObject => ({
    apiVersion: 'v1',
    kind,
    metadata: { name },
    ...more,
  });

  it('are listed in apply order, regardless of input order', () => {
    const [a, b] = [
      [named('Service', 'z'), named('ConfigMap', 'm'), named('Service', 'a')],
      [named('ConfigMap', 'm', { data: {} }), named('Namespace', 'n')],
    ];
    const expected = ['add Namespace n', 'change ConfigMap m', 'remove Service a', 'remove Service z'];
    for (const [before, after] of [
      [a, b],
      [a.toReversed(), b.toReversed()],
    ] as const) {
      const { objects, same } = diffObjects(before, after);
      const reported = objects.map((one) => {
        const { kind, metadata } = one.operation === 'remove' ? one.before : one.after;
        return `${one.operation} ${kind} ${(metadata as { name: string }).name}`;
      });
      expect({ reported, same }).toEqual({ reported: expected, same: 0 });
    }
  });

  it('match across versions of a group, but not across groups', () => {
    const at = (apiVersion: string): KubeObject => ({ ...named('Ingress', 'i'), apiVersion });
    expect(reportFinding(at('networking.k8s.io/v1beta1'), at('networking.k8s.io/v1'))).toEqual([
      '~ apiVersion "networking.k8s.io/v1beta1" → "networking.k8s.io/v1"',
    ]);
    expect(reportFinding(at('extensions/v1beta1'), at('networking.k8s.io/v1')).toSorted()).toEqual(['add', 'remove']);
  });

  it('with the same name match in order, and those with a generated name by its prefix', () => {
    const list = [named('ConfigMap', 'a', { data: { x: '1' } }), named('ConfigMap', 'a', { data: { x: '2' } })];
    expect(diffObjects(list, list).same).toBe(2);
    expect(diffObjects(list, list.slice(0, 1)).objects.map(({ operation }) => operation)).toEqual(['remove']);
    const jobs = ['a-', 'b-'].map((generateName): KubeObject => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { generateName },
    }));
    expect(diffObjects(jobs, jobs.toReversed())).toEqual({ objects: [], same: 2 });
  });
});

describe('Secrets', () => {
  const secret = (fields: Readonly<Record<string, Json>>): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's' },
    ...fields,
  });
  const lastApplied = (text: string): Json => ({
    name: 's',
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': text, other: text.slice(0, 1) },
  });

  it.each<[string, Readonly<Record<string, Json>>, Readonly<Record<string, Json>>, readonly string[]]>([
    [
      'keys',
      { data: { a: 'x', b: 'x', c: 'x' } },
      { data: { a: 'y', b: 'x', d: 'x' } },
      ['~ data.a hidden', '- data.c hidden', '+ data.d hidden'],
    ],
    ['all of them', {}, { stringData: { a: 'x', b: 'y' } }, ['+ stringData.a hidden', '+ stringData.b hidden']],
    ['all of them from nothing', { data: null }, { data: { a: 'x' } }, ['+ data.a hidden']],
    [
      'from one field to the other',
      { stringData: { a: 'x' } },
      { data: { a: 'eA==' } },
      ['+ data.a hidden', '- stringData.a hidden'],
    ],
    [
      'values that are not strings',
      { data: { a: { b: 1, c: 2 } } },
      { data: { a: { b: 2, c: 3 } } },
      ['~ data.a hidden'],
    ],
    ['data that is not an object', { data: 'x' }, { data: ['y'] }, ['~ data hidden']],
    ['data that is a list', { data: ['x', 'z'] }, { data: ['y', 'z', 'w'] }, ['~ data hidden']],
    [
      'fields that are not secret',
      { type: 'Opaque', data: {} },
      { type: 'other', data: {}, immutable: true },
      ['+ immutable true', '~ type "Opaque" → "other"'],
    ],
    [
      'what kubectl leaves',
      { metadata: lastApplied('a') },
      { metadata: lastApplied('b') },
      [
        '~ metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"] hidden',
        '~ metadata.annotations.other "a" → "b"',
      ],
    ],
    [
      'what kubectl leaves, all at once',
      {},
      { metadata: lastApplied('x') },
      ['+ metadata.annotations {"kubectl.kubernetes.io/last-applied-configuration":"(hidden)","other":"x"}'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(reportFinding(secret(before), secret(after))).toEqual(expected);
  });

  it('show their keys if they are added or removed', () => {
    const one = secret({ data: { password: 'aHVudGVyMg==' }, stringData: 'x' });
    expect(hideSecrets(diffObjects([], [one])).objects).toEqual([
      { operation: 'add', hidden: true, after: secret({ data: { password: '(hidden)' }, stringData: '(hidden)' }) },
    ]);
    expect(JSON.stringify(hideSecrets(diffObjects([one], [])))).not.toContain('aHVudGVyMg');
  });
});

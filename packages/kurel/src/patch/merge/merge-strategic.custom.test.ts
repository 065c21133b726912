import { describe, expect, it } from 'vitest';
import { deepFreeze } from '../../engine/copy-json.ts';
import { bundledSchemas } from '../../host/index.ts';
import { parseGroupVersionKind } from '../../kube/index.ts';
import type { Diagnostic, Json, JsonObject } from '../../model/index.ts';
import { createSchemaStore, nodeFromJsonSchema } from '../../schema/index.ts';
import type { SchemaNode } from '../../schema/index.ts';
import { mergeStrategic } from './merge-strategic.ts';

const text = { type: 'string' };

const widget = nodeFromJsonSchema({
  type: 'object',
  properties: {
    one: list({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }, { name: text, tags: set() }),
    two: list(
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['port', 'protocol'] },
      { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } },
    ),
    open: list(
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['group', 'name'] },
      { group: text, name: text },
    ),
    set: set(),
    sets: list({ 'x-kubernetes-list-type': 'set' }, { x: text }),
    atomic: list({ 'x-kubernetes-list-type': 'atomic' }, { name: text }),
    plain: list({}, { name: text, inner: set() }),
    whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: text },
    parts: { type: 'object', additionalProperties: text },
    strategic: list(
      {
        'x-kubernetes-list-type': 'atomic',
        'x-kubernetes-patch-strategy': 'merge',
        'x-kubernetes-patch-merge-key': 'name',
      },
      { name: text },
    ),
  },
});

function list(words: JsonObject, properties: JsonObject): JsonObject {
  return { type: 'array', ...words, items: { type: 'object', properties } };
}

function set(): JsonObject {
  return { type: 'array', 'x-kubernetes-list-type': 'set', items: text };
}

interface MergeOptions {
  readonly schema?: SchemaNode | undefined;
  readonly builtIn?: boolean;
}

function merge(target: JsonObject, patch: JsonObject, { schema = widget, builtIn = false }: MergeOptions = {}) {
  const findings: Diagnostic[] = [];
  const result = mergeStrategic(deepFreeze(target), deepFreeze(patch), {
    schema,
    builtIn,
    report: (finding) => findings.push(finding),
    locate: (path) => ({ file: 'patch.yaml', path }),
  });
  return { result, codes: findings.map(({ code }) => code) };
}

const a = { name: 'a', v: 1 };
const b = { name: 'b' };

const cases: readonly (readonly [title: string, field: string, before: Json, patch: Json, after: Json | string])[] = [
  ['one key', 'one', [a, b], [{ name: 'b', v: 2 }, { name: 'c' }], [a, { name: 'b', v: 2 }, { name: 'c' }]],
  [
    'a set in items',
    'one',
    [{ name: 'a', tags: ['x'] }],
    [{ name: 'a', tags: ['y'] }],
    [{ name: 'a', tags: ['y', 'x'] }],
  ],
  ['delete by one key', 'one', [a, b], [{ name: 'a', $patch: 'delete' }], [b]],
  ['replace a list with a key', 'one', [a, b], [{ $patch: 'replace' }, { name: 'n' }], [{ name: 'n' }]],
  ['no key', 'one', [a], [{ v: 1 }], 'smp-merge-key-missing'],
  [
    'two keys',
    'two',
    [
      { port: 53, protocol: 'UDP' },
      { port: 53, protocol: 'TCP' },
    ],
    [{ port: 53, protocol: 'TCP', v: 1 }],
    [
      { port: 53, protocol: 'UDP' },
      { port: 53, protocol: 'TCP', v: 1 },
    ],
  ],
  [
    'a key by default',
    'two',
    [{ port: 53, protocol: 'UDP' }, { port: 53 }],
    [{ port: 53, protocol: 'TCP', v: 1 }],
    [
      { port: 53, protocol: 'UDP' },
      { port: 53, protocol: 'TCP', v: 1 },
    ],
  ],
  [
    'a key by default in the patch',
    'two',
    [{ port: 53, protocol: 'TCP' }],
    [{ port: 53n, v: 1 }],
    [{ port: 53, protocol: 'TCP', v: 1 }],
  ],
  [
    'delete by two keys',
    'two',
    [{ port: 53 }, { port: 53, protocol: 'UDP' }],
    [{ port: 53, protocol: 'TCP', $patch: 'delete' }],
    [{ port: 53, protocol: 'UDP' }],
  ],
  [
    'one of two keys is enough',
    'open',
    [{ group: 'g', name: 'a' }, { name: 'a' }],
    [{ name: 'a', v: 1 }],
    [
      { group: 'g', name: 'a' },
      { name: 'a', v: 1 },
    ],
  ],
  ['none of two keys', 'open', [{ name: 'a' }], [{ v: 1 }], 'smp-merge-key-missing'],
  ['a set', 'set', ['b', 'a'], ['c', 'a'], ['c', 'b', 'a']],
  ['a set of objects', 'sets', [{ x: '1' }], [{ x: '2' }], [{ x: '2' }]],
  ['an atomic mapping', 'whole', { a: '1' }, { b: '2', c: null }, { b: '2' }],
  ['an object', 'parts', { a: '1' }, { b: '2' }, { a: '1', b: '2' }],
  ['a patch strategy before a list type', 'strategic', [a, b], [{ name: 'b', v: 2 }], [a, { name: 'b', v: 2 }]],
];

describe('strategic merge of custom kinds', () => {
  it.each(cases)('%s', (_title, field, before, patch, after) => {
    const target = { [field]: before };
    const { result, codes } = merge(target, { [field]: patch });
    if (typeof after === 'string') {
      expect(codes).toEqual([after]);
      expect(result).toBe(target);
    } else {
      expect(codes.filter((code) => code !== 'smp-list-replaced')).toEqual([]);
      expect(result).toEqual({ [field]: after });
    }
  });

  it.each([
    ['a list without a type', { plain: [a] }, { plain: [b] }, 1],
    ['an atomic list', { atomic: [a] }, { atomic: [b] }, 1],
    ['a list of a field that nobody knows', { other: [a] }, { other: [] }, 1],
    ['two lists', { plain: [a], parts: { x: [a] } }, { plain: [b], parts: { x: [b] } }, 2],
    ['the same list', { plain: [a] }, { plain: [{ v: 1n, name: 'a' }] }, 0],
    ['an empty list', { plain: [] }, { plain: [b] }, 0],
    ['a list of texts', { plain: ['a'] }, { plain: ['b'] }, 0],
    ['a list that is to be replaced', { plain: [a] }, { plain: [{ $patch: 'replace' }, b] }, 0],
    ['a list that goes', { plain: [a] }, { plain: null }, 0],
  ])('notes that it replaces %s', (_title, target: JsonObject, patch: JsonObject, count) => {
    const notes = Array.from({ length: count }, () => 'smp-list-replaced');
    expect(merge(target, patch).codes).toEqual(notes);
    expect(merge(target, patch, { builtIn: true }).codes).toEqual([]);
  });

  it('notes it for kinds without any schema', () => {
    const codes: string[] = [];
    const options = {
      schema: undefined,
      builtIn: false,
      report: ({ code }: Diagnostic) => codes.push(code),
      locate: () => undefined,
    };
    expect(mergeStrategic({ spec: { items: [a] } }, { spec: { items: [b] } }, options)).toEqual({
      spec: { items: [b] },
    });
    expect(codes).toEqual(['smp-list-replaced']);
  });

  it('ignores list types of built-in kinds', () => {
    const { result } = merge(
      { one: [a], set: ['a'], whole: { a: '1' } },
      { one: [b], set: ['b'], whole: { b: '2' } },
      { builtIn: true },
    );
    expect(result).toEqual({ one: [b], set: ['b'], whole: { a: '1', b: '2' } });
  });

  it('knows the shipped CRDs', () => {
    const store = createSchemaStore({ files: bundledSchemas() });
    const { schema } = store.find(parseGroupVersionKind('gateway.networking.k8s.io/v1/Gateway')!)!;
    const target = { metadata: { finalizers: ['x'] }, spec: { listeners: [{ name: 'http', port: 80 }] } };
    const patch = {
      metadata: { finalizers: ['y'] },
      spec: {
        listeners: [
          { name: 'https', port: 443 },
          { name: 'http', protocol: 'HTTP' },
        ],
      },
    };
    expect(merge(target, patch, { schema }).result).toEqual({
      metadata: { finalizers: ['y', 'x'] },
      spec: {
        listeners: [
          { name: 'https', port: 443 },
          { name: 'http', port: 80, protocol: 'HTTP' },
        ],
      },
    });
  });
});

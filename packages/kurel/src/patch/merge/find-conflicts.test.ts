import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deepFreeze } from '../../engine/copy-json.ts';
import { bundledSchemas } from '../../host/index.ts';
import { parseGroupVersionKind } from '../../kube/index.ts';
import { isJsonArray, isJsonObject, isSameJson } from '../../model/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';
import { createSchemaStore, nodeFromJsonSchema } from '../../schema/index.ts';
import { findConflicts } from './find-conflicts.ts';
import { pod } from '../../../test/patch/merge-strategic-cases.ts';
import type { Kind } from '../../../test/patch/merge-strategic-cases.ts';
import { mergeStrategic } from './merge-strategic.ts';

const unknown: Kind = { schema: undefined, builtIn: false };
const store = createSchemaStore({ files: bundledSchemas() });
const budget: Kind = {
  schema: store.find(parseGroupVersionKind('policy/v1/PodDisruptionBudget')!)!.schema,
  builtIn: true,
};
const widget: Kind = {
  schema: nodeFromJsonSchema({
    type: 'object',
    properties: {
      ports: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['port', 'protocol'],
        items: { type: 'object', properties: { protocol: { type: 'string', default: 'TCP' } } },
      },
    },
  }),
  builtIn: false,
};

const container = (...items: readonly Json[]): JsonObject => ({ spec: { containers: items } });

/** Two patches and the description of their conflict; `undefined` if they do not conflict. */
const cases: readonly (readonly [
  title: string,
  kind: Kind,
  a: JsonObject,
  b: JsonObject,
  path: string | undefined,
  description?: string,
])[] = [
  [
    '137 two numbers',
    pod,
    { spec: { replicas: 3 } },
    { spec: { replicas: 5 } },
    'spec.replicas',
    'one patch sets spec.replicas to 3, the other to 5',
  ],
  ['138 the same number', pod, { spec: { replicas: 3 } }, { spec: { replicas: 3n } }, undefined],
  [
    '139 two fields of an item',
    pod,
    container({ name: 'a', image: 'i' }),
    container({ name: 'a', tty: true }),
    undefined,
  ],
  [
    '140 one field of an item',
    pod,
    container({ name: 'a', image: '1' }),
    container({ name: 'b' }, { name: 'a', image: '2' }),
    'spec.containers[name=a].image',
    'one patch sets spec.containers[name=a].image to "1", the other to "2"',
  ],
  [
    '141 delete and set',
    pod,
    container({ name: 'a', $patch: 'delete' }),
    container({ name: 'a', image: '2' }),
    'spec.containers[name=a]',
    'one patch deletes spec.containers[name=a], the other changes it',
  ],
  [
    '142 a list that is replaced',
    pod,
    { spec: { tolerations: [{ key: 'a' }] } },
    { spec: { tolerations: [{ key: 'b' }] } },
    'spec.tolerations',
    'one patch sets spec.tolerations to [{"key":"a"}], the other to [{"key":"b"}]',
  ],
  ['143 a set', pod, { metadata: { finalizers: ['a'] } }, { metadata: { finalizers: ['b'] } }, undefined],
  [
    '144 null and a value',
    pod,
    { metadata: { labels: { x: null } } },
    { metadata: { labels: { x: '1' } } },
    'metadata.labels.x',
    'one patch removes metadata.labels.x, the other sets it to "1"',
  ],
  ['145 two fields of an unknown kind', unknown, { spec: { a: 1 } }, { spec: { b: 1 } }, undefined],
  [
    'a value and null',
    pod,
    { metadata: { labels: { 'a.b/c': '1' } } },
    { metadata: { labels: { 'a.b/c': null } } },
    'metadata.labels["a.b/c"]',
    'one patch sets metadata.labels["a.b/c"] to "1", the other removes it',
  ],
  ['two nulls', pod, { metadata: { labels: null } }, { metadata: { labels: null } }, undefined],
  [
    'a number and a text',
    pod,
    { spec: { x: 1 } },
    { spec: { x: '1' } },
    'spec.x',
    'one patch sets spec.x to 1, the other to "1"',
  ],
  [
    'an object and a list',
    pod,
    { spec: { x: {} } },
    { spec: { x: [] } },
    'spec.x',
    'one patch sets spec.x to {}, the other to []',
  ],
  [
    'a list of an unknown kind',
    unknown,
    { spec: { items: [{ name: 'a' }] } },
    { spec: { items: [{ name: 'b' }] } },
    'spec.items',
    'one patch sets spec.items to [{"name":"a"}], the other to [{"name":"b"}]',
  ],
  [
    'the same list of an unknown kind',
    unknown,
    { spec: { items: [1, { x: 2n }] } },
    { spec: { items: [1, { x: 2 }] } },
    undefined,
  ],
  [
    'a longer list',
    pod,
    { spec: { tolerations: [] } },
    { spec: { tolerations: [{ key: 'b' }] } },
    'spec.tolerations',
    'one patch sets spec.tolerations to [], the other to [{"key":"b"}]',
  ],
  ['different items', pod, container({ name: 'a', image: 'i' }), container({ name: 'b', image: 'j' }), undefined],
  [
    'two deletions',
    pod,
    container({ name: 'a', $patch: 'delete', image: 'i' }),
    container({ name: 'a', $patch: 'delete' }),
    undefined,
  ],
  [
    'the same replacement',
    pod,
    { spec: { $patch: 'replace', x: 1 } },
    { spec: { $patch: 'replace', x: 1 } },
    undefined,
  ],
  [
    'two replacements',
    pod,
    { spec: { $patch: 'replace', x: 1 } },
    { spec: { $patch: 'replace', x: 2 } },
    'spec',
    'both patches replace spec differently',
  ],
  [
    'replace and change',
    pod,
    { spec: { x: 1 } },
    { spec: { $patch: 'replace', x: 1 } },
    'spec',
    'one patch changes spec, the other replaces it',
  ],
  ['delete all', pod, { $patch: 'delete' }, { spec: {} }, '', 'one patch deletes the object, the other changes it'],
  [
    'a replaced list of items',
    pod,
    container({ $patch: 'replace' }, { name: 'n' }),
    container({ name: 'a' }),
    'spec.containers',
    'one patch sets spec.containers to [{"$patch":"replace"},{"name":"n"}], the other to [{"name":"a"}]',
  ],
  ['a replaced list of items and none', pod, container({ $patch: 'replace' }), container(), undefined],
  [
    'a replaced object',
    budget,
    { spec: { selector: { matchLabels: { a: '1' } } } },
    { spec: { selector: { matchLabels: { b: '1' } } } },
    'spec.selector',
    'one patch sets spec.selector to {"matchLabels":{"a":"1"}}, the other to {"matchLabels":{"b":"1"}}',
  ],
  [
    'two orders',
    pod,
    { spec: { '$setElementOrder/containers': [{ name: 'a' }] } },
    { spec: { '$setElementOrder/containers': [{ name: 'b' }] } },
    'spec.containers',
    'the patches order the items of spec.containers differently',
  ],
  [
    'the same order',
    pod,
    { spec: { '$setElementOrder/containers': [{ name: 'a' }] } },
    { spec: { '$setElementOrder/containers': [{ name: 'a' }] } },
    undefined,
  ],
  [
    'a value added and deleted',
    pod,
    { metadata: { finalizers: ['b', 'a'] } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
    'metadata.finalizers',
    'one patch adds "a" to metadata.finalizers, the other deletes it',
  ],
  [
    'a value deleted and added',
    pod,
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
    { metadata: { finalizers: ['b', 'a'] } },
    'metadata.finalizers',
    'one patch adds "a" to metadata.finalizers, the other deletes it',
  ],
  [
    'different values added and deleted',
    pod,
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
    { metadata: { finalizers: ['b'] } },
    undefined,
  ],
  [
    'a key that is not kept',
    pod,
    { spec: { $retainKeys: ['x'], x: 1 } },
    { spec: { y: 1 } },
    'spec.y',
    'one patch sets spec.y, which the other does not list in $retainKeys',
  ],
  [
    'a key that is not kept by the second',
    pod,
    { spec: { y: 1 } },
    { spec: { $retainKeys: ['x'], x: 1 } },
    'spec.y',
    'one patch sets spec.y, which the other does not list in $retainKeys',
  ],
  [
    'keys that are kept',
    pod,
    { spec: { $retainKeys: ['x', 'y'], x: 1 } },
    { spec: { $retainKeys: ['y'], y: 1, z: null } },
    'spec.x',
    'one patch sets spec.x, which the other does not list in $retainKeys',
  ],
  [
    'the same keys kept',
    pod,
    { spec: { $retainKeys: ['x', 'y'], x: 1 } },
    { spec: { $retainKeys: ['y', 'x'], y: 1, z: null } },
    undefined,
  ],
  [
    'two keys of an item',
    widget,
    { ports: [{ port: 53, n: 1 }] },
    {
      ports: [
        { port: 53, protocol: 'UDP', n: 2 },
        { port: 53n, protocol: 'TCP', n: 3 },
      ],
    },
    'ports[port=53,protocol=TCP].n',
    'one patch sets ports[port=53,protocol=TCP].n to 1, the other to 3',
  ],
  ['items without keys', pod, container({ image: 'i' }, 'x'), container({ image: 'j' }, 'y'), undefined],
  [
    'a key that every object inherits',
    pod,
    { spec: {} },
    JSON.parse('{"constructor": 1, "__proto__": 1}') as JsonObject,
    undefined,
  ],
];

describe('findConflicts', () => {
  const named = cases.map(([title, kind, a, b, path, description]) => ({ title, kind, a, b, path, description }));

  it.each(named)('$title', ({ kind, a, b, path, description }) => {
    const found = findConflicts([deepFreeze(a), deepFreeze(b)], kind);
    expect(found.map((conflict) => [conflict.path, conflict.description])).toEqual(
      path === undefined ? [] : [[path, description]],
    );
    expect(findConflicts([b, a], kind)).toHaveLength(found.length);
  });

  it('146 compares all pairs, in order', () => {
    const patches = [1, 2, 1].map((replicas) => ({ spec: { replicas } }));
    expect(
      findConflicts(patches, pod).map((one) => [one.patchIndexA, one.patchIndexB, one.valueA, one.valueB]),
    ).toEqual([
      [0, 1, 1, 2],
      [1, 2, 2, 1],
    ]);
    expect(findConflicts(patches.slice(0, 1), pod)).toEqual([]);
  });

  it('returns the values of both patches', () => {
    const [a, b] = [{ spec: { y: 1 } }, { spec: { $retainKeys: ['x'] } }];
    expect(findConflicts([a, b], pod)).toMatchObject([{ valueA: 1, valueB: ['x'] }]);
    expect(findConflicts([b, a], pod)).toMatchObject([{ valueA: ['x'], valueB: 1 }]);
  });

  it('finds no conflict only where the order makes no difference', { tags: 'slow' }, () => {
    const cases = new URL('../../../../../test/oracles/strategic-merge/cases/triples.jsonl', import.meta.url);
    const triples = readFileSync(cases, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Triple);
    const counts = { conflict: 0, none: 0 };
    const wrong = triples.flatMap((one, index) =>
      triples.slice(index + 1, index + 3).flatMap((other) => {
        if (one.kind !== other.kind || namesTwice(one.patch) || namesTwice(other.patch)) return [];
        const results = mergeBoth(one, other.patch);
        if (results === undefined) return [];
        const { schema } = store.find(parseGroupVersionKind(one.kind)!)!;
        const conflict = findConflicts([one.patch, other.patch], { schema, builtIn: true }).length > 0;
        counts[conflict ? 'conflict' : 'none'] += 1;
        return conflict || isSameJson(results[0], results[1]) ? [] : [JSON.stringify([one, other.patch, results])];
      }),
    );
    expect(wrong).toEqual([]);
    expect(counts.none).toBeGreaterThan(2000);
    expect(counts.conflict).toBeGreaterThan(1500);
  });
});

interface Triple {
  readonly kind: string;
  readonly object: JsonObject;
  readonly patch: JsonObject;
}

/** The results of both orders with their lists sorted; `undefined` when one is refused. */
function mergeBoth({ kind, object, patch }: Triple, other: JsonObject): readonly [Json, Json] | undefined {
  const { schema } = store.find(parseGroupVersionKind(kind)!)!;
  let failed = false;
  const report = (): void => {
    failed = true;
  };
  const merge = (target: JsonObject, change: JsonObject): JsonObject =>
    mergeStrategic(target, change, { schema, builtIn: true, report, locate: () => undefined });
  const results = [merge(merge(object, patch), other), merge(merge(object, other), patch)] as const;
  return failed ? undefined : [sortLists(results[0]), sortLists(results[1])];
}

function sortLists(value: Json): Json {
  if (isJsonArray(value)) return value.map((item) => JSON.stringify(sortLists(item))).toSorted();
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, sortLists(value[key]!)]));
}

/** Items with the same key stay separate in a new list, and are merged in an existing one. */
function namesTwice(value: Json): boolean {
  if (isJsonArray(value)) {
    const names = value.map((item) =>
      JSON.stringify(isJsonObject(item) ? (item['name'] ?? item['uid'] ?? item) : item),
    );
    return new Set(names).size < names.length || value.some((item) => namesTwice(item));
  }
  return isJsonObject(value) && Object.values(value).some((inner) => namesTwice(inner));
}

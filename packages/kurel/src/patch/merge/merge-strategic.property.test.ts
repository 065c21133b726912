import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepFreeze } from '../../engine/copy-json.ts';
import type { Diagnostic, Json, JsonObject } from '../../model/index.ts';
import { identityOfScalar } from './merge-list.ts';
import { pod } from '../../../test/patch/merge-strategic-cases.ts';
import { mergeStrategic } from './merge-strategic.ts';

const name = fc.constantFrom('a', 'b', 'c', 'd');
const port = fc.constantFrom<Json>(80, 80n, 81, '80');

/** Items with different keys: of what is named twice, the second merge would find only the first. */
function keyed(key: string, keys: fc.Arbitrary<Json>, fields: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<Json> {
  const item = fc.record({ [key]: keys, ...fields }, { requiredKeys: [key] }) as fc.Arbitrary<JsonObject>;
  return fc.uniqueArray(item, { maxLength: 4, selector: (one) => identityOfScalar(one[key]) });
}

const texts = fc.uniqueArray(name, { maxLength: 4 }) as fc.Arbitrary<Json>;
const labels = (value: fc.Arbitrary<Json>): fc.Arbitrary<Json> => fc.dictionary(name, value, { maxKeys: 3 });

/** A part of a pod; `leaf` is what its plain fields can be. */
function podOf(leaf: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  const ports = keyed('containerPort', port, { name: leaf, protocol: leaf });
  const container = { image: leaf, args: texts, ports, resources: labels(labels(leaf)) };
  const spec = fc.record(
    {
      containers: keyed('name', name, container),
      tolerations: fc.array(labels(name), { maxLength: 2 }),
      nodeName: leaf,
    },
    { requiredKeys: [] },
  );
  const metadata = fc.record({ labels: labels(leaf), finalizers: texts }, { requiredKeys: [] });
  return fc.record({ metadata, spec, unknown: labels(labels(leaf)) }, { requiredKeys: [] });
}

const object = podOf(name);
const patch = podOf(fc.oneof(name, fc.constant(null)));

function merge(
  target: JsonObject,
  change: JsonObject,
): { readonly result: JsonObject; readonly codes: readonly string[] } {
  const findings: Diagnostic[] = [];
  const report = (finding: Diagnostic): void => void findings.push(finding);
  const result = mergeStrategic(target, change, { ...pod, report, locate: () => undefined });
  return { result, codes: findings.map(({ code }) => code) };
}

const keys = [
  ['metadata', 'spec', 'containers', 'ports', 'name', 'containerPort', 'finalizers', 'labels', 'volumes'],
  ['$patch', '$retainKeys', '$setElementOrder/containers', '$setElementOrder/finalizers', '$setElementOrder'],
  ['$deleteFromPrimitiveList/finalizers', '$deleteFromPrimitiveList/', '$pach', '__proto__', 'constructor'],
].flat();
const word = fc.constantFrom('replace', 'delete', 'merge', 'x');
const anything = fc.letrec<{ value: Json; mapping: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<Json>(null, true, 80, 80n, 'a', 'replace', 'delete'),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('mapping'),
  ),
  mapping: fc.dictionary(fc.constantFrom(...keys), fc.oneof(tie('value'), word), { maxKeys: 4 }),
})).mapping;

describe('mergeStrategic', () => {
  it('does not change its input', () => {
    fc.assert(
      fc.property(object, patch, (target, change) => {
        expect(merge(deepFreeze(target), deepFreeze(change)).codes).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('returns the object itself for an empty patch', () => {
    fc.assert(
      fc.property(fc.oneof(object, anything), (target) => {
        expect(merge(target, {}).result).toBe(target);
      }),
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(object, patch, (target, change) => {
        const once = merge(target, change).result;
        expect(merge(once, change).result).toEqual(once);
      }),
      { numRuns: 1000 },
    );
  });

  it('has every key and value of a patch without nulls', () => {
    fc.assert(
      fc.property(object, object, (target, change) => {
        const { result } = merge(target, change);
        expect(merge(result, change).result).toBe(result);
        expect(result['unknown'] ?? {}).toMatchObject((change['unknown'] ?? {}) as JsonObject);
      }),
    );
  });

  it('merges or rejects any input, and leaves no directive in the result', () => {
    fc.assert(
      fc.property(anything, anything, (target, change) => {
        const plain = JSON.parse(JSON.stringify(target, writeSafely).replaceAll('$', '')) as JsonObject;
        const { result, codes } = merge(deepFreeze(plain), deepFreeze(change));
        if (codes.length > 0) expect(result).toBe(plain);
        else expect(JSON.stringify(result, writeSafely)).not.toMatch(/"\$(?:patch|retainKeys|set|delete)[^"]*":/);
      }),
      { numRuns: 3000 },
    );
  });

  it('treats __proto__ as an ordinary key', () => {
    const hostile = JSON.parse(
      '{"spec": {"__proto__": {"polluted": true}}, "__proto__": {"polluted": true}}',
    ) as JsonObject;
    for (const { result } of [merge({}, hostile), merge(hostile, {}), merge(hostile, hostile)]) {
      expect(Object.keys(result)).toEqual(['spec', '__proto__']);
      expect(Object.keys(result['spec'] as JsonObject)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(result['spec'])).toBe(Object.prototype);
    }
    expect({}).not.toHaveProperty('polluted');
  });

  it('merges small patches into deep objects', () => {
    let deep: JsonObject = {};
    for (let depth = 0; depth < 20_000; depth += 1) deep = { x: deep, l: [1] };
    expect(merge(deep, { spec: { nodeName: 'n' } }).codes).toEqual([]);
    expect(merge({ spec: deep }, { spec: { x: { l: [2] } } }).codes).toEqual([]);
  });

  it('merges long lists', { tags: 'slow' }, () => {
    const many = (from: number): Json => Array.from({ length: 20_000 }, (_, index) => ({ name: `c${from + index}` }));
    const words = (from: number): Json => Array.from({ length: 20_000 }, (_, index) => `f${from + index}`);
    const target = { metadata: { finalizers: words(0) }, spec: { containers: many(0) } };
    const { result } = merge(target, { metadata: { finalizers: words(10_000) }, spec: { containers: many(10_000) } });
    expect((result['spec'] as JsonObject)['containers']).toHaveLength(30_000);
    expect((result['metadata'] as JsonObject)['finalizers']).toHaveLength(30_000);
  });
});

function writeSafely(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

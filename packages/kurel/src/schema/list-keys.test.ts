import { describe, expect, it } from 'vitest';
import { createBudget } from '../budget/index.ts';
import type { Json, JsonObject } from '../model/index.ts';
import { check } from './check/check.ts';
import { nodeFromJsonSchema } from './json-schema-node.ts';
import { identityOfItem, keysOfItem, listKeysOf, mergeKeysOf } from './list-keys.ts';

const items = {
  type: 'object',
  properties: {
    port: { type: 'integer' },
    protocol: { type: 'string', default: 'TCP' },
    ip: { type: 'string' },
  },
};

function listOf(rules: JsonObject) {
  return nodeFromJsonSchema({ type: 'array', items, ...rules });
}

function mapBy(...keys: readonly string[]) {
  return listOf({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys });
}

describe('listKeysOf', () => {
  it.each([
    [
      'of type map',
      mapBy('port', 'protocol'),
      [
        { name: 'port', default: undefined },
        { name: 'protocol', default: 'TCP' },
      ],
    ],
    ['of type map without keys', mapBy(), undefined],
    ['of type set', listOf({ 'x-kubernetes-list-type': 'set' }), undefined],
    ['that patches merge by key', listOf({ 'x-kubernetes-patch-merge-key': 'port' }), undefined],
  ])('reads those of a list %s', (_, node, keys) => {
    expect(listKeysOf(node)).toEqual(keys);
  });
});

describe('mergeKeysOf', () => {
  it.each([
    ['merge', [{ name: 'protocol', default: undefined }]],
    ['replace', undefined],
  ])('reads those of a list with the strategy %s', (strategy, keys) => {
    const node = listOf({ 'x-kubernetes-patch-strategy': strategy, 'x-kubernetes-patch-merge-key': 'protocol' });
    expect(mergeKeysOf(node)).toEqual(keys);
  });
});

const samePort: readonly (readonly [what: string, a: Json, b: Json])[] = [
  ['equal keys', { port: 80, protocol: 'UDP', x: 1 }, { port: 80, protocol: 'UDP', x: 2 }],
  ['a default', { port: 80 }, { port: 80, protocol: 'TCP' }],
  ['null for a default', { port: 80, protocol: null }, { port: 80 }],
  ['a number and a bigint', { port: 80 }, { port: 80n }],
  ['an integer that a double writes with an exponent', { port: 1e21 }, { port: 10n ** 21n }],
  ['neither of them with the key', { protocol: 'UDP' }, { protocol: 'UDP', port: null }],
];

const otherPort: readonly (readonly [what: string, a: Json, b: Json])[] = [
  ['other keys', { port: 80 }, { port: 80, protocol: 'UDP' }],
  ['a number and a string', { port: 80 }, { port: '80' }],
  ['only one of them with the key', { port: 80 }, { protocol: 'TCP' }],
];

describe('identityOfItem', () => {
  const keys = listKeysOf(mapBy('port', 'protocol'))!;

  it.each(samePort)('is the same for %s', (_, a, b) => {
    expect(identityOfItem(a, keys)).toBeTypeOf('string');
    expect(identityOfItem(a, keys)).toBe(identityOfItem(b, keys));
  });

  it.each(otherPort)('differs for %s', (_, a, b) => {
    expect(identityOfItem(a, keys)).not.toBe(identityOfItem(b, keys));
  });

  it.each<[string, Json]>([
    ['without any key', { x: 1 }],
    ['with a list as its key', { ip: ['10.0.0.1'] }],
    ['that is not an object', '10.0.0.1'],
    ['that is null', null],
  ])('does not exist for an item %s', (_, item) => {
    const ip = listKeysOf(mapBy('ip'))!;
    expect(identityOfItem(item, ip)).toBe(undefined);
    expect(keysOfItem(item, ip)).toEqual([]);
  });
});

describe('keysOfItem', () => {
  it('adds defaults, and omits missing keys', () => {
    const keys = listKeysOf(mapBy('port', 'protocol', 'ip'))!;
    expect(keysOfItem({ port: 80, x: 1 }, keys)).toEqual([
      { name: 'port', value: 80 },
      { name: 'protocol', value: 'TCP' },
    ]);
  });
});

describe('duplicates', () => {
  // Short and long lists compare their items in the same way.
  const fillers = Array.from({ length: 30 }, (_, index) => ({ port: index + 1000 }));

  function hasDuplicate(list: readonly Json[]): boolean {
    const codes: string[] = [];
    const source = { noun: 'field', whole: 'the value' } as const;
    check(list, mapBy('port', 'protocol'), {
      source,
      budget: createBudget(),
      report: ({ finding: [code] }) => void codes.push(code),
    });
    return codes.includes('list-duplicate');
  }

  it.each(samePort)('are items with %s', (_, a, b) => {
    expect([hasDuplicate([a, b]), hasDuplicate([a, ...fillers, b])]).toEqual([true, true]);
  });

  it.each(otherPort)('are not items with %s', (_, a, b) => {
    expect([hasDuplicate([a, b]), hasDuplicate([a, ...fillers, b])]).toEqual([false, false]);
  });
});

import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from './json.ts';
import { hasEscapedKey } from '../../test/has-escaped-key.ts';
import { canonicalJson, createCanonicalJson, isSameJson } from './json.ts';

const cases: readonly (readonly [text: string, value: Json])[] = [
  ['null', null],
  ['true', true],
  ['1.5', 1.5],
  ['0', -0],
  ['12345678901234567890', 12345678901234567890n],
  ['1000000000000000000000', 1e21],
  ['12345678901234567168', 12345678901234567000],
  ['"é\\"\\n"', 'é"\n'],
  ['[1,[2]]', [1, [2]]],
  ['{"a":{"c":3,"d":2},"b":1}', { b: 1, a: { d: 2, c: 3 } }],
  ['{"10":4,"9":5,"Z":3,"z":2,"ä":1}', { ä: 1, z: 2, Z: 3, '10': 4, '9': 5 }],
  ['{"b":1}', { a: undefined, b: 1 } as unknown as Json],
  ['[NaN,Infinity,-Infinity]', [Number.NaN, Infinity, -Infinity]],
];

function reverseKeys(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(reverseKeys);
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, reverseKeys(item)] as const)
      .reverse(),
  );
}

describe('canonicalJson', () => {
  it.each(cases)('%s', (text, value) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('rejects values without a JSON form', () => {
    expect(() => canonicalJson((() => 1) as unknown as Json)).toThrow('a function has no JSON');
  });

  it('reads back as the same data', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!hasEscapedKey(value));
        expect(JSON.parse(canonicalJson(value as Json))).toEqual(withoutMinusZero(value));
      }),
    );
  });

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reverseKeys(value as Json))).toBe(canonicalJson(value as Json));
      }),
    );
  });

  it('has the same string for a number and the bigint of its value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const whole = Math.round(value);
        expect(isSameJson(whole, BigInt(whole))).toBe(true);
        expect(canonicalJson(whole)).toBe(canonicalJson(BigInt(whole)));
      }),
    );
  });

  it('can keep its strings', () => {
    const print = createCanonicalJson();
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect([print(value as Json), print(value as Json)]).toEqual(Array(2).fill(canonicalJson(value as Json)));
      }),
    );
  });

  it('differs for different data', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(canonicalJson(a as Json) === canonicalJson(b as Json)).toBe(
          isDeepStrictEqual(withoutMinusZero(a), withoutMinusZero(b)),
        );
      }),
    );
  });
});

function withoutMinusZero(value: unknown): unknown {
  if (Object.is(value, -0)) return 0;
  if (Array.isArray(value)) return value.map(withoutMinusZero);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutMinusZero(inner)]));
}

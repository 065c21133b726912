import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, Values } from '../model/index.ts';
import { deepMerge } from './copy-json.ts';
import { frozen } from '../../test/test-objects.ts';

const cases: readonly (readonly [
  title: string,
  base: Values | null | undefined,
  overlay: Values | null | undefined,
  merged: Values,
])[] = [
  ['objects merge', { a: { x: 1, y: 2 } }, { a: { y: 3, z: 4 } }, { a: { x: 1, y: 3, z: 4 } }],
  ['lists replace', { a: [1, 2, 3] }, { a: [4] }, { a: [4] }],
  ['scalars replace', { a: 1 }, { a: '1' }, { a: '1' }],
  ['scalar over mapping', { a: { x: 1 } }, { a: 1 }, { a: 1 }],
  ['mapping over scalar', { a: 1 }, { a: { x: 1 } }, { a: { x: 1 } }],
  ['list over mapping', { a: { x: 1 } }, { a: [] }, { a: [] }],
  ['null over anything', { a: { x: 1 }, b: 1 }, { a: null, b: null }, { a: null, b: null }],
  ['anything over null', { a: null }, { a: { x: 1 } }, { a: { x: 1 } }],
  ['null stays', { a: null }, {}, { a: null }],
  ['no base', undefined, { a: 1 }, { a: 1 }],
  ['null base', null, { a: 1 }, { a: 1 }],
  ['no overlay', { a: 1 }, undefined, { a: 1 }],
  ['null overlay', { a: 1 }, null, { a: 1 }],
  ['neither', undefined, null, {}],
  ['keys without a value are left out', { a: 1 }, { a: undefined, b: undefined } as unknown as Values, { a: 1 }],
  ['large integers', { a: 1n }, { a: 12345678901234567890n }, { a: 12345678901234567890n }],
];

/** Objects under `m…`, anything else under other keys: no key is an object on one side only. */
const { tree: shaped } = fc.letrec<{ tree: Values; leaf: Json }>((tie) => ({
  leaf: fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string(), fc.array(fc.integer(), { maxLength: 3 })),
  tree: fc
    .tuple(
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('leaf')),
      fc.dictionary(fc.constantFrom('m1', 'm2'), fc.option(tie('tree'), { nil: {}, depthSize: 'small', maxDepth: 3 }), {
        maxKeys: 2,
      }),
    )
    .map(([leaves, trees]) => Object.assign(leaves, trees)),
}));

const anyTree = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<Values>;

describe('deepMerge', () => {
  it.each(cases)('%s', (_title, base, overlay, merged) => {
    expect(deepMerge(base && frozen(base), overlay && frozen(overlay))).toStrictEqual(merged);
  });

  it('treats __proto__ as an ordinary key', () => {
    const hostile = JSON.parse(
      '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
    ) as Values;
    for (const merged of [deepMerge({}, hostile), deepMerge(hostile, {}), deepMerge(hostile, hostile)]) {
      expect(Object.keys(merged)).toEqual(['__proto__', 'constructor']);
      expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    }
    expect({}).not.toHaveProperty('polluted');
  });

  it('has the empty tree as its neutral element, on both sides', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        expect(deepMerge(tree, {})).toEqual(tree);
        expect(deepMerge({}, tree)).toEqual(tree);
        expect(deepMerge(tree, tree)).toEqual(tree);
      }),
    );
  });

  it('is associative as long as no key is an object on one side only', () => {
    fc.assert(
      fc.property(shaped, shaped, shaped, (a, b, c) => {
        expect(deepMerge(deepMerge(a, b), c)).toEqual(deepMerge(a, deepMerge(b, c)));
      }),
    );
  });

  it('changes neither tree and shares nothing with them', () => {
    fc.assert(
      fc.property(anyTree, anyTree, (base, overlay) => {
        const given = new Set([...collections(base), ...collections(overlay)]);
        const merged = deepMerge(frozen(base), frozen(overlay));
        expect([...collections(deepMerge(base, overlay))].filter((item) => given.has(item))).toEqual([]);
        for (const key of Object.keys(overlay)) expect(Object.hasOwn(merged, key)).toBe(true);
      }),
    );
  });
});

function* collections(value: Json): Generator<object> {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const item of Object.values(value)) yield* collections(item);
}

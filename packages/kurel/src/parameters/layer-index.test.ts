import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isJsonArray } from '../model/index.ts';
import type { Json, Path, Values } from '../model/index.ts';
import { findLastLayer } from './layer-index.ts';

const keys = fc.constantFrom('a', 'b', '0', '__proto__');
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, 1, 'x'),
    fc.array(tie('tree'), { maxLength: 2 }),
    fc.dictionary(keys, tie('tree'), { maxKeys: 3 }) as fc.Arbitrary<Json>,
  ),
}));
const data = fc.dictionary(keys, tree, { maxKeys: 3 }) as fc.Arbitrary<Values>;
const paths = fc.array(fc.oneof(keys, fc.nat({ max: 1 })), { maxLength: 4 });
const layer = fc.record({ data, path: fc.option(paths, { nil: undefined }) });

function sets(value: Json | undefined, [step, ...rest]: Path): boolean {
  if (value === undefined) return false;
  if (step === undefined || typeof value !== 'object' || value === null) return true;
  if (typeof step === 'number') return isJsonArray(value) && sets(value[step], rest);
  return !isJsonArray(value) && Object.hasOwn(value, step) && sets(value[step], rest);
}

describe('findLastLayer', () => {
  it('finds the same layer for any number of layers as a search of all of them', () => {
    fc.assert(
      fc.property(fc.array(layer, { maxLength: 20 }), paths, (layers, path) => {
        const expected = layers.findLast(
          ({ data: values, path: own = [] }) =>
            own.every((step, index) => index >= path.length || step === path[index]) && sets(values, path),
        );
        expect(findLastLayer(layers, path)).toBe(expected);
      }),
    );
  });
});

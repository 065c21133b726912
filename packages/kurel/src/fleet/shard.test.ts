import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isInShard, parseShard } from './target-names.ts';

describe('a shard', () => {
  it.each([
    ['1/1', { index: 1, count: 1 }],
    ['3/8', { index: 3, count: 8 }],
    ['8/8', { index: 8, count: 8 }],
    ['0/8', { index: 8, count: 8 }],
    ['10000/10000', { index: 10_000, count: 10_000 }],
    ['9/8', undefined],
    ['1/0', undefined],
    ['1/10001', undefined],
    ['1', undefined],
    ['1/', undefined],
    ['/2', undefined],
    ['-1/2', undefined],
    ['1.5/2', undefined],
    [' 1/2', undefined],
    ['1/2\n', undefined],
  ])('%j is read as %j', (text, expected) => {
    expect(parseShard(text)).toEqual(expected);
  });

  it('has each name in exactly one of them', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 50 }), (name, count) => {
        const owners = Array.from({ length: count }, (_, index) => index + 1).filter((index) =>
          isInShard(name, { index, count }),
        );
        expect(owners).toHaveLength(1);
      }),
    );
  });

  it('keeps its names in every version of kurel', () => {
    const names = ['berlin/web', 'berlin/api', 'paris/web', 'paris/api', 'staging/shop', 'production/shop'];
    expect(names.map((name) => [1, 2, 3].find((index) => isInShard(name, { index, count: 3 })))).toEqual([
      2, 2, 3, 3, 2, 3,
    ]);
  });

  it('is about as large as the others', () => {
    const names = Array.from({ length: 1000 }, (_, index) => `cluster-${index % 40}/app-${index}`);
    for (const count of [2, 4, 7]) {
      for (let index = 1; index <= count; index++) {
        const size = names.filter((name) => isInShard(name, { index, count })).length;
        expect(Math.abs(size - 1000 / count)).toBeLessThan(60);
      }
    }
  });
});

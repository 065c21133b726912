import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findCommon } from './common-subsequence.ts';

const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 7 });

describe('what two lists have in common', () => {
  it.each([
    ['abc', 'abc', '00 11 22'],
    ['abc', '', ''],
    ['abxc', 'abyc', '00 11 33'],
    ['abcd', 'bcd', '10 21 32'],
    ['ab', 'ba', '10'],
  ])('%s and %s', (before, after, expected) => {
    expect(findCommon(before.split(''), after.split('')).map(([i, j]) => `${i}${j}`)).toEqual(
      expected.split(' ').filter((pair) => pair !== ''),
    );
  });

  it('is as long as it can be, and the same the other way round', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const pairs = findCommon(before, after);
        expect(pairs.length).toBe(longest(before, after));
        expect(pairs.map(([i]) => before[i])).toEqual(pairs.map(([, j]) => after[j]));
        expect(pairs.map(([i, j]) => [j, i])).toEqual(findCommon(after, before));
      }),
    );
  });

  // More than a million pairs of items: items that occur once in both lists are matched first, then the items between them.
  it('of long lists is what occurs once in both, with what is between', () => {
    const count = 600;
    const before = Array.from({ length: count }, (_, index) => [`item ${index}`, 'again', 'old']).flat();
    const after = Array.from({ length: count }, (_, index) => ['old', `item ${index}`, 'again', 'again']).flat();
    const expected = Array.from({ length: count }, (_, index) => [
      [3 * index, 4 * index + 1],
      [3 * index + 1, 4 * index + 2],
      [3 * index + 2, 4 * index + 4],
    ]);
    expect(findCommon(before, after)).toEqual(expected.flat().slice(0, -1));
  });

  it('of long lists without an item that occurs once is what they begin and end with', () => {
    const before = ['first', ...Array.from({ length: 1100 }, (_, index) => `old ${index % 9}`), 'last'];
    const after = ['first', ...Array.from({ length: 1100 }, (_, index) => `new ${index % 9}`), 'last'];
    expect(findCommon(before, after)).toEqual([
      [0, 0],
      [1101, 1101],
    ]);
  });
});

function longest(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  if (a[0] === b[0]) return 1 + longest(a.slice(1), b.slice(1));
  return Math.max(longest(a.slice(1), b), longest(a, b.slice(1)));
}

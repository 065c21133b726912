import { describe, expect, it } from 'vitest';
import { findRising } from './edit-match.ts';

describe('a longest rising sequence', () => {
  it.each([
    [[], []],
    [
      [3, 1, 2],
      [1, 2],
    ],
    [
      [2, 5, 3, 7, 4, 6],
      [0, 2, 4, 5],
    ],
    [[3, 2, 1], [2]],
  ])('of %j', (numbers, indexes) => {
    expect(findRising(numbers)).toEqual(indexes);
  });
});

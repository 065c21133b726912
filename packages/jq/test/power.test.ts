import { expect, it } from 'vitest';
import { power } from '../src/values/power.ts';

it.each([
  // correctly rounded, from arithmetic with 50 digits
  [10, 2.5, 316.22776601683796],
  [2, 0.5, Math.SQRT2],
  [1 + Number.EPSILON, 1e18, 2.7086111089766717e96],
  [0.1, 3, 0.0010000000000000002],
  [3, 33, 5559060566555523],
  [-3, 3, -27],
  [-2, 2, 4],
  [10, 308, 1e308],
  [10, -320, 1e-320],
  [Number.MIN_VALUE, 0.5, 2.2227587494850775e-162],
  [10, 309, Infinity],
  [-10, 309, -Infinity],
  [10, -400, 0],
  // as in C
  [1, Infinity, 1],
  [-1, -Infinity, 1],
  [1, Number.NaN, 1],
  [Number.NaN, 0, 1],
  [-8, 1 / 3, Number.NaN],
  [-0, 3, -0],
  [0, -1, Infinity],
])('%d to the power of %d is %d', (x, y, expected) => {
  expect(power(x, y)).toBe(expected);
});

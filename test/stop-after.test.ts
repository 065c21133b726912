import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { stopAfter } from './stop-after.ts';

const options = { numRuns: 1000, plugins: [stopAfter(7)] };

it('ends a property after as many cases as are to pass', async () => {
  let [tried, awaited] = [0, 0];
  fc.assert(
    fc.property(fc.nat(), () => void (tried += 1)),
    options,
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(), async () => void (awaited += 1)),
    options,
  );
  expect([tried, awaited]).toEqual([7, 7]);
});

it('does not count cases that were left out', () => {
  let passed = 0;
  const property = fc.property(fc.nat(), (number) => {
    fc.pre(number % 2 === 0);
    passed += 1;
  });
  fc.assert(property, options);
  expect(passed).toBe(7);
});

it('lets a property fail, and shrinks what failed', async () => {
  const isSmall = (number: number) => number < 1000;
  const found = fc.check(fc.property(fc.nat(), isSmall), options);
  const awaited = await fc.check(
    fc.asyncProperty(fc.nat(), async (number) => isSmall(number)),
    options,
  );
  expect([found.counterexample, awaited.counterexample]).toEqual([[1000], [1000]]);
});

import { expect, it } from 'vitest';
import { diffValues } from './diff-values.ts';

const before = { a: { b: { c: 1, d: 1 } }, e: [1, 2] };
const after = { a: { b: { c: 2, d: 2 } }, e: [1, 3] };
/** The steps in the paths of all changes. */
const needed = 3 + 3 + 2;

it.each([
  [needed, ['a.b.c', 'a.b.d', 'e.1'], 0],
  [needed - 1, ['a', 'e'], 3],
  [1, ['a', 'e'], 0],
])('with %i steps left, the changes are %j', (steps, paths, left) => {
  const extent = { steps };
  const changes = diffValues(before, after, { schema: undefined, extent });
  const names = changes.map(({ path }) => path.map((step) => (typeof step === 'string' ? step : step.after)).join('.'));
  expect(names).toEqual(paths);
  expect(extent.steps).toBe(left);
});

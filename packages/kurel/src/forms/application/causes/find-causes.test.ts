import { expect, it } from 'vitest';
import { createCatalog } from '../catalog/catalog.ts';
import { otherValues } from './find-causes.ts';

it.each([
  ['v1.2.9-rc', 'v1.2.10-rc'],
  ['10Gi', '11Gi'],
  ['a.example', undefined],
  ['', undefined],
  // So many digits before the last number that a regular expression would never finish.
  [`${'0'.repeat(9000)}a0`, `${'0'.repeat(9000)}a1`],
])('increments the last number of a string', (value, raised) => {
  const others = otherValues({ input: 'application', path: ['metadata'], value }, createCatalog());
  expect(others).toEqual([...(raised === undefined ? [] : [raised]), `${value}x`, `x${value}`]);
});

import { expect, it } from 'vitest';
import { createCatalog } from '../catalog/catalog.ts';
import { otherValues } from './find-causes.ts';

it.each([
  ['v1.2.9-rc', 'v1.2.10-rc'],
  ['10Gi', '11Gi'],
  ['a.example', undefined],
  ['', undefined],
  // As many digits in front of the last number as no expression would get past in a lifetime.
  [`${'0'.repeat(9000)}a0`, `${'0'.repeat(9000)}a1`],
])('raises the last number of a text', (value, raised) => {
  const others = otherValues({ input: 'application', path: ['metadata'], value }, createCatalog());
  expect(others).toEqual([...(raised === undefined ? [] : [raised]), `${value}x`, `x${value}`]);
});

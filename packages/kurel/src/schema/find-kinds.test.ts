import { expect, it } from 'vitest';
import { compareApiVersions } from './index.ts';

it('orders API versions like Kubernetes', () => {
  const order = [
    'v10',
    'v2',
    'v1',
    'v11beta2',
    'v10beta3',
    'v3beta1',
    'v12alpha1',
    'v11alpha2',
    'foo1',
    'foo10',
    'v1x',
  ];
  expect(order.toReversed().toSorted(compareApiVersions)).toEqual(order);
  expect(compareApiVersions('v1', 'v1')).toBe(0);
  expect(compareApiVersions('foo', 'foo')).toBe(0);
});

import { expect, it } from 'vitest';

import { pluralOf } from './object-name.ts';

it.each([
  ['Service', 'Services'],
  ['Ingress', 'Ingresses'],
  ['NetworkPolicy', 'NetworkPolicies'],
  ['Gateway', 'Gateways'],
  ['StorageClass', 'StorageClasses'],
  ['Batch', 'Batches'],
  ['Box', 'Boxes'],
  ['Endpoints', 'Endpoints'],
])('%s: %s', (kind, plural) => {
  expect(pluralOf(kind)).toBe(plural);
});

import { expect, it } from 'vitest';
import { bundledSchemas } from '../host/disk-file-system.ts';
import { compareApiVersions, createSchemaStore, findKinds } from './index.ts';

it('finds kinds of Kubernetes before those of others, and those of its core group first', () => {
  const store = createSchemaStore({ files: bundledSchemas() });
  const groups = (text: string): readonly string[] => findKinds(store, text).map(({ group }) => group);
  expect(groups('events')).toEqual(['', 'events.k8s.io']);
  expect(groups('events.k8s.io/Event')).toEqual(['events.k8s.io']);
  expect(groups('Backup')).toEqual(['postgresql.cnpg.io']);
});

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

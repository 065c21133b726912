import { expect, it } from 'vitest';
import { renderEnvironments } from './switch.ts';

it('marks each object with its environment', async () => {
  const objects = [
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'production' } },
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'production' } },
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'staging' } },
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'staging' } },
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'playground', labels: { app: 'web' } } },
  ];
  const before = structuredClone(objects);
  expect(await renderEnvironments(objects)).toEqual([
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'production', labels: { env: 'prod' }, annotations: { tier: 'critical' } },
    },
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'staging', labels: { env: 'staging' } } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: 'playground', labels: { app: 'web', env: 'dev' } },
    },
  ]);
  expect(objects).toEqual(before);
});

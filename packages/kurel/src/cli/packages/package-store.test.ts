import { expect, it } from 'vitest';

import { memoryFileSystem } from '../../index.ts';
import { digestOf } from '../../registry/index.ts';
import { openVendored, vendoredPaths } from './package-store.ts';

it('has a vendored package for all who look for it at the same time', async () => {
  const bytes = new TextEncoder().encode('{}');
  const one = { url: 'oci://registry.example.com/web', digest: digestOf(bytes) };
  const vendored = openVendored(memoryFileSystem({ [vendoredPaths(one).manifest]: '{}' }));
  vendored.expect(one);
  expect(await Promise.all([vendored.find(one.digest), vendored.find(one.digest)])).toEqual([bytes, bytes]);
});

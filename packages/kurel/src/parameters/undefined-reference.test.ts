import { expect, it } from 'vitest';

import { createUndefinedReference } from './resolve-parameters.ts';

it.each([
  ['databse.host', 0, { database: { host: 'db' } }, 'database.host'],
  ['database.hots', 1, { host: 'db' }, 'database.host'],
  ['databse.pool.size', 0, { database: { pool: { size: 1 } } }, 'database.pool.size'],
])('the hint for %s names the whole path', (reference, depth, holder, meant) => {
  const { hint } = createUndefinedReference(reference, { path: reference.split('.'), depth, holder });
  expect(hint).toContain(meant);
});

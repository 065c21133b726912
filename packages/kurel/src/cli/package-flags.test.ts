import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findLocal } from './package-flags.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-test-'));
for (const directory of ['app.kurel/patches', 'app.local.kurel', 'alone.kurel']) {
  mkdirSync(join(place, directory), { recursive: true });
}
afterAll(() => rmSync(place, { recursive: true }));

it.each([
  ['app.kurel', '.', '../app.local.kurel'],
  ['app.kurel', './', '../app.local.kurel'],
  ['app.kurel', './parameters.yaml', '../app.local.kurel'],
  ['app.kurel', 'parameters.yaml', '../app.local.kurel'],
  ['app.kurel/patches', '..', '../../app.local.kurel'],
  ['.', 'app.kurel/.', 'app.local.kurel'],
  ['.', 'app.kurel', undefined],
  ['alone.kurel', '.', undefined],
])('in %s, %s has %s', (directory, path, local) => {
  expect(findLocal(path, join(place, directory))).toBe(local);
});

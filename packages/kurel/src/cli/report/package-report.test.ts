import { expect, it } from 'vitest';

import type { EnabledPatch, PackagePatch } from '../../index.ts';
import { nestRequired } from './package-report.ts';

function patch(id: string): PackagePatch {
  return { id, owner: 'package', file: { source: { path: id, text: '' }, format: 'kpatch', patches: [] } };
}

const [a, b, c, d] = [patch('a'), patch('b'), patch('c'), patch('d')] as const;
const always = (one: PackagePatch): EnabledPatch => ({ patch: one, reason: { type: 'always' } });
const required = (one: PackagePatch, by: PackagePatch): EnabledPatch => ({
  patch: one,
  reason: { type: 'required', by },
});

it.each([
  [[always(a), always(b)], 'ab'],
  // Applied before the patch that requires it, listed after it.
  [[required(a, c), always(b), always(c)], 'bca'],
  [[required(a, b), required(b, c), always(c), always(d)], 'cbad'],
  [[required(a, d), required(b, d), required(c, b), always(d)], 'dabc'],
])('lists patches after the first that requires them: %#', (enabled, expected) => {
  const reported = nestRequired(enabled).map((one) => one.patch.id);
  expect(reported.join('')).toBe(expected);
});

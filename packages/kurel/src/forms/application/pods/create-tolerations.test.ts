import { expect, it } from 'vitest';
import type { Json } from '../../../model/index.ts';
import { createTolerations } from './create-pod.ts';

const cases: readonly (readonly [Json, Json])[] = [
  [
    { key: 'a', value: 'b' },
    { key: 'a', operator: 'Equal', value: 'b' },
  ],
  [
    { value: '', key: 'a', operator: null },
    { key: 'a', operator: 'Equal', value: '' },
  ],
  [{ effect: 'NoExecute' }, { operator: 'Exists', effect: 'NoExecute' }],
  [
    { key: '', effect: 'NoSchedule' },
    { operator: 'Exists', effect: 'NoSchedule' },
  ],
  [{}, { operator: 'Exists' }],
  [
    { key: 'a', operator: 'Exists' },
    { key: 'a', operator: 'Exists' },
  ],
];

it.each(cases)('%j becomes %j', (written, toleration) => {
  expect(JSON.stringify(createTolerations([written]))).toBe(JSON.stringify([toleration]));
});

it('does not change a complete toleration', () => {
  const written = { key: 'a', operator: 'Exists' };
  expect(createTolerations([written])[0]).toBe(written);
});

import { configureGlobal } from 'fast-check';
import { inject } from 'vitest';

import { stopAfter } from './stop-after.ts';

// The same run twice tries the same cases, so that a red build is about the change and not about luck. PROPERTY_SEED explores
// others: any number, or `random`.
const seed = process.env['PROPERTY_SEED'] ?? '1';
const most = inject('mostPropertyRuns');
configureGlobal({
  ...(seed !== 'random' && { seed: Number(seed) }),
  ...(most !== undefined && { plugins: [stopAfter(most)] }),
});

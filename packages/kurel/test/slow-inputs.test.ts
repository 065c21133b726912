import { describe, expect, it } from 'vitest';

import { platformShapes } from '../../../fuzz/slow/platform-shapes.mjs';
import { runInput } from '../../../fuzz/slow/run-input.ts';
import { repository } from './source-tree.ts';

Object.assign(globalThis, { FUZZ_REPOSITORY: repository });

// The goal of docs/limits.md. `npm run fuzz -- --target slow-platform` turns the numbers of the shapes.
describe('at most ten seconds and a gigabyte for a megabyte of input', { tags: 'slow', timeout: 120_000 }, () => {
  it.each(platformShapes)('$name', async (shape) => {
    const start = Object.entries(shape.numbers).map(([name, [, , usual]]) => [name, usual] as const);
    const [words, files] = shape.make(Object.fromEntries(start));
    const size = Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    expect(size).toBeLessThanOrEqual(1_000_000);
    const { seconds, megabytes, defect } = await runInput({ words, files });
    expect(defect).toBeUndefined();
    expect(seconds).toBeLessThan(10);
    expect(megabytes).toBeLessThan(1024);
  });
});

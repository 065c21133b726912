import { defineConfig, mergeConfig } from 'vitest/config';
import usual from './vitest.config.ts';

// The tests that are too slow for every run; `npm run ci:full` runs them.
const { test, ...rest } = mergeConfig(
  usual,
  defineConfig({ test: { testTimeout: 3_600_000, hookTimeout: 3_600_000 } }),
);
export default defineConfig({
  ...rest,
  test: { ...test, include: ['packages/*/test/**/*.full.test.ts'], exclude: ['**/node_modules/**'] },
});

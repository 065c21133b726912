import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['kurel-source'] },
  ssr: { resolve: { conditions: ['kurel-source'] } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'test/**/*.test.ts',
      'examples/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.full.test.ts'],
    setupFiles: ['./test/fix-property-seed.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 60_000,
    reporters: ['default', './test/closing-line-reporter.ts'],
  },
});

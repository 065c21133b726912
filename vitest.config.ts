import { defineConfig } from 'vitest/config';

import { SlowestFirst } from './test/slowest-first.ts';

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
    // One less than there are cores by default, which leaves one of two idle.
    maxWorkers: '100%',
    sequence: { sequencer: SlowestFirst },
    testTimeout: 60_000,
    // What is expected and not there is a failure on every machine; `-u` writes it.
    update: 'none',
    reporters: ['default', './test/closing-line-reporter.ts'],
  },
});

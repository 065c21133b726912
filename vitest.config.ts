import { setFlagsFromString } from 'node:v8';

import { defineConfig } from 'vitest/config';

import { fewPropertyRuns, isOfModules } from './test/run-scope.ts';
import { SlowestFirst } from './test/slowest-first.ts';

const ofModules = isOfModules(process.argv.slice(2));

// V8 would optimise code that runs for a second, which takes a fifth of the time of such a run. Later V8s do not know the flag.
if (ofModules && process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=1000000');

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
    setupFiles: ['./test/configure-properties.ts'],
    // Reading extra certificates triples the time of each process that a test starts, and tests need no network.
    env: { NODE_EXTRA_CA_CERTS: '' },
    tags: [{ name: 'slow', description: 'left out of a run of modules', skip: ofModules }],
    provide: { mostPropertyRuns: ofModules ? fewPropertyRuns : undefined },
    // While a module is edited it is tested again and again, and most files have not changed.
    experimental: { fsModuleCache: ofModules },
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

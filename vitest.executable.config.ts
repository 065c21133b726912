import { defineConfig } from 'vitest/config';
import usual from './vitest.config.ts';

// The tests of the whole program, run against a standalone executable; `npm run test:executable` sets KUREL_EXECUTABLE.
const of = (name: string): string => `packages/kurel/test/${name}.test.ts`;

export default defineConfig({
  ...usual,
  test: {
    ...usual.test,
    include: [
      'program-cases',
      'hostile-1',
      'hostile-2',
      'examples',
      'package-examples',
      'tutorials',
      'documentation',
      'completion',
      'fleet-cache',
      'fleet-equality',
      'kill',
      'watch-process',
      'executable',
      'publish',
      'publish-determinism',
      'remote-inputs',
      'release-files',
      'image',
    ].map(of),
    exclude: ['**/node_modules/**'],
    testTimeout: 120_000,
  },
});

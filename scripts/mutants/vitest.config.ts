import { defineConfig, mergeConfig } from 'vitest/config';
import usual from '../../vitest.config.ts';

// These run the built program, or the sources in processes of their own, where a mutant is not seen.
const elsewhere = [
  'cyclonedx-schema',
  'fuzz-short',
  'hostile-*',
  'kill',
  'language-server',
  'links',
  'new-handler',
  'output-owners',
  'package*',
  'program-start',
  'provenance',
  'real-sources',
  'release',
  'structure',
  'watch-process',
  'words',
];

// One worker, so that the time a test takes is its own.
export default mergeConfig(
  usual,
  defineConfig({
    test: {
      exclude: elsewhere.map((name) => `packages/kurel/test/${name}.test.ts`),
      setupFiles: ['./scripts/mutants/record-hits.ts'],
      maxWorkers: 1,
    },
  }),
);

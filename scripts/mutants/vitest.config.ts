import { defineConfig, mergeConfig } from 'vitest/config';
import usual from '../../vitest.config.ts';

// With a log, every test tries the mutants it reaches; without, the first failure decides. A test that waits for something a mutant
// prevents is stopped sooner than usual.
const how = process.env['MUTANT_LOG'] === undefined ? { bail: 1 } : { runner: './scripts/mutants/mutant-runner.ts' };

export default mergeConfig(usual, defineConfig({ test: { maxWorkers: 1, testTimeout: 20_000, ...how } }));

import type { Reporter, TestModule } from 'vitest/node';

import { fewPropertyRuns, isOfModules } from './run-scope.ts';

/** Ends a run with one plain line that any continuous-integration system can read. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== 'pending') count[state] += 1;
      }
      if (module.errors().length > 0) count.failed += 1;
    }
    if (isOfModules(process.argv.slice(2))) {
      console.log(`a run of modules: no slow tests, and at most ${fewPropertyRuns} cases for each property`);
    }
    console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}

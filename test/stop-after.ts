import { PreconditionFailure } from 'fast-check';
import type { Plugin } from 'fast-check';

/** Ends a property, as passed, after this many cases that passed. Once a case has failed, shrinking it goes on. */
export function stopAfter(cases: number): Plugin<unknown> {
  return () => {
    let left = cases;
    const count = <Outcome>(outcome: Outcome): Outcome => {
      if (outcome === null) left -= 1;
      else if (!PreconditionFailure.isFailure(outcome)) left = Infinity;
      return outcome;
    };
    return {
      decorateRun: (run) => (value) => {
        if (left === 0) return new PreconditionFailure(true);
        const outcome = run(value);
        return outcome instanceof Promise ? outcome.then(count) : count(outcome);
      },
    };
  };
}

import type { JqBudget, JqLimits } from '../index.ts';
import type { Limits } from './limits.ts';

/** Enough for 10,000 objects with programs ten times as long as most. */
const usualJqSteps = 50_000_000;
/** Values that programs may make, for so many steps. */
const stepsPerValue = 2.5;
/** What one program may make for one object, unless more steps are allowed. */
const usualValuesOfOne = 5_000_000;

/** What all jq programs of one run may use together, for all objects. */
export function createJqBudget(limits: Limits | undefined): JqBudget {
  const steps = limits?.maxJqSteps ?? usualJqSteps;
  return { steps, values: Math.ceil(steps / stepsPerValue) };
}

/** More for all programs is also more for one of them. */
export function jqLimits(steps: number): JqLimits {
  return { maxSteps: steps, maxValues: Math.max(usualValuesOfOne, Math.ceil(steps / 10)) };
}

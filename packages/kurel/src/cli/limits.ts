import type { BudgetLimits, JqBudget, JqLimits, PackageLimits } from '../index.ts';

/** What flags say about how much is read, made and waited for; the usual limits hold for what they do not say. */
export interface Limits {
  readonly maxFileBytes?: number | undefined;
  readonly maxProgramMemory?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxObjects?: number | undefined;
  readonly maxJqSteps?: number | undefined;
  readonly package: PackageLimits;
  readonly budget: BudgetLimits;
}

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

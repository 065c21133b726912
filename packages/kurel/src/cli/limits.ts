import type { BudgetLimits, JqBudget, JqLimits, PackageLimits } from '../index.ts';

/** Limits set by flags; without a flag, the default applies. */
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
/** Programs may create one value per this many steps. */
const stepsPerValue = 2.5;
/** Limit of one program for one object, unless more steps are allowed. */
const usualValuesOfOne = 5_000_000;

/** Budget of all jq programs of a run, for all objects together. */
export function createJqBudget(limits: Limits | undefined): JqBudget {
  const steps = limits?.maxJqSteps ?? usualJqSteps;
  return { steps, values: Math.ceil(steps / stepsPerValue) };
}

/** A higher limit for all programs also raises the limit of each. */
export function jqLimits(steps: number): JqLimits {
  return { maxSteps: steps, maxValues: Math.max(usualValuesOfOne, Math.ceil(steps / 10)) };
}

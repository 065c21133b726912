import type { BudgetLimits, PackageLimits } from '../index.ts';

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

import { DiagnosticError } from '../diagnostics/index.ts';
import type {
  Allowance,
  Budget,
  BudgetResource,
  Diagnostic,
  Location,
  Report,
  Subject,
  Memory,
} from '../model/index.ts';
import { budgetProblems } from './problems.ts';

/** Limits of a whole run; those that are left out have their defaults. */
export interface BudgetLimits {
  /** Values that aliases, merge keys, references and JSON patches copy, text counted as one value for every 64 characters. */
  readonly maxValues?: number | undefined;
  /** Steps of the patterns in schemas and parameters. */
  readonly maxPatternSteps?: number | undefined;
  /** Steps of the rules of CustomResourceDefinitions. */
  readonly maxRuleSteps?: number | undefined;
  /** Patches times the objects and fields that they reach. */
  readonly maxChanges?: number | undefined;
  /** Findings of one code that are kept. */
  readonly maxFindings?: number | undefined;
}

// Together they keep a run on 1 MB of hostile input below ten seconds and a gigabyte on a small machine (docs/limits.md).
const usualValues = 1_000_000;
const usualPatternSteps = 100_000_000;
const usualRuleSteps = 50_000_000;
const usualChanges = 500_000;
const usualFindings = 100;

export function createBudget(limits: BudgetLimits = {}, memory?: Memory): Budget {
  return {
    values: allow(limits.maxValues ?? usualValues),
    patternSteps: allow(limits.maxPatternSteps ?? usualPatternSteps),
    ruleSteps: allow(limits.maxRuleSteps ?? usualRuleSteps),
    changes: allow(limits.maxChanges ?? usualChanges),
    findings: limits.maxFindings ?? usualFindings,
    memory,
  };
}

function allow(limit: number): Allowance {
  return { limit, left: limit };
}

/** Ends what cannot go on without more of a resource. */
export class BudgetExhausted extends DiagnosticError {
  readonly resource: BudgetResource;
  readonly #limit: number;

  constructor(resource: BudgetResource, limit: number, place?: Location | Subject) {
    super([describeExhaustion(resource, limit, place)]);
    this.name = 'BudgetExhausted';
    this.resource = resource;
    this.#limit = limit;
  }

  /** The same with the place where it happened, for callers who know it; a place that is known already stays. */
  at(place: Location | Subject | undefined): BudgetExhausted {
    const { location, subject } = this.diagnostics[0]!;
    return (location ?? subject) ? this : new BudgetExhausted(this.resource, this.#limit, place);
  }
}

/** Throws when there is not as much left. */
export function spend(
  budget: Budget,
  resource: BudgetResource,
  count: number,
  locate?: () => Location | undefined,
): void {
  const allowance = budget[resource];
  allowance.left -= count;
  if (allowance.left < 0) throw new BudgetExhausted(resource, allowance.limit, locate?.());
}

/** Does some work, and says where it was when a budget runs out in it. */
export function locateExhaustion<Result>(work: () => Result, locate: () => Location | Subject | undefined): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof BudgetExhausted ? error.at(locate()) : error;
  }
}

/** Does some work, and reports when a budget runs out in it; then there is no result. */
export function reportExhaustion<Result>(work: () => Result, report: Report): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof BudgetExhausted)) throw error;
    for (const diagnostic of error.diagnostics) report(diagnostic);
    return undefined;
  }
}

/** For those who report and do not throw. */
export function describeExhaustion(
  resource: BudgetResource,
  limit: number,
  place: Location | Subject | undefined,
): Diagnostic {
  const at = place !== undefined && 'object' in place ? { subject: place } : { location: place };
  return budgetProblems.create('budget-exhausted', { resource, limit }, at);
}

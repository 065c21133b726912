import type { Budget, Diagnostic, Report, Severity } from '../model/index.ts';
import { getOrAdd } from './create-budget.ts';
import { budgetProblems } from './problems.ts';

/** Keeps the first findings of each code and counts the others, to protect memory and readers from floods. */
export interface FindingLimit {
  /** Whether a finding is kept. */
  readonly takes: (diagnostic: Diagnostic) => boolean;
  /** The same before the finding is created, for findings that are expensive to create. */
  readonly takesNext: (code: string, severity: Severity) => boolean;
  /** Whether the next finding of a code would be dropped. Counts nothing. */
  readonly isFull: (code: string, severity: Severity) => boolean;
  /** One finding per code of which some were dropped. */
  readonly omitted: () => readonly Diagnostic[];
}

interface Count {
  readonly code: string;
  /** Part of the key, so that a hundred warnings never hide an error. */
  readonly severity: Severity;
  kept: number;
  omitted: number;
}

/** @param mostExhausted how many exhausted budgets are reported: everything that draws on one afterwards fails the same way. */
export function limitFindings({ findings: most }: Pick<Budget, 'findings'>, mostExhausted = 1): FindingLimit {
  const counts = new Map<string, Count>();
  const countOf = (code: string, severity: Severity): Count =>
    getOrAdd(counts, `${severity} ${code}`, () => ({ code, severity, kept: 0, omitted: 0 }));
  const takesNext = (code: string, severity: Severity): boolean => {
    const count = countOf(code, severity);
    const isKept = count.kept < (code === 'budget-exhausted' ? mostExhausted : most);
    if (isKept) count.kept += 1;
    else count.omitted += 1;
    return isKept;
  };
  return {
    takes({ code, severity, omitted }) {
      if (omitted === undefined) return takesNext(code, severity);
      countOf(omitted.code, severity).omitted += omitted.count;
      return false;
    },
    takesNext,
    isFull: (code, severity) => countOf(code, severity).kept >= most,
    omitted: () =>
      [...counts.values()]
        .filter((count) => count.omitted > 0 && count.code !== 'budget-exhausted')
        .map(({ code, severity, omitted: count }) =>
          Object.assign(budgetProblems.create('findings-omitted', { code, count }, { severity }), {
            omitted: { code, count },
          }),
        ),
  };
}

/** Findings in order of arrival, within the limit. */
export function listFindings(
  budget: Pick<Budget, 'findings'>,
  mostExhausted?: number,
): {
  readonly report: Report;
  readonly all: () => readonly Diagnostic[];
} {
  const limit = limitFindings(budget, mostExhausted);
  const kept: Diagnostic[] = [];
  return {
    report(diagnostic) {
      if (limit.takes(diagnostic)) kept.push(diagnostic);
    },
    all: () => [...kept, ...limit.omitted()],
  };
}

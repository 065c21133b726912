import { defineProblems } from '../diagnostics/index.ts';
import type { BudgetResource } from '../model/index.ts';

interface Exhaustion {
  readonly resource: BudgetResource;
  readonly limit: number;
}

const resources: Readonly<
  Record<BudgetResource, { readonly noun: string; readonly flag: string; readonly why: string }>
> = {
  values: {
    noun: 'values copied by aliases, merge keys, references and JSON patches',
    flag: '--max-values',
    why: 'copy less data',
  },
  patternSteps: {
    noun: 'steps of patterns and alternatives of schemas; what follows was not checked',
    flag: '--max-pattern-steps',
    why: 'use simpler schemas or shorter values',
  },
  ruleSteps: {
    noun: 'steps of CEL rules; what follows was not checked',
    flag: '--max-rule-steps',
    why: 'use cheaper rules or shorter lists',
  },
  changes: {
    noun: 'changes by patches',
    flag: '--max-changes',
    why: 'let patches reach fewer objects',
  },
};

export const budgetProblems = defineProblems({
  'budget-exhausted': {
    severity: 'error',
    summary: 'The run needs more copies, steps of patterns and rules, or changes than its budget allows.',
    message: ({ resource, limit }: Exhaustion) => `the run is over its limit of ${limit} ${resources[resource].noun}`,
    hint: ({ resource }: Exhaustion) =>
      `${resources[resource].why}, or raise the limit with ${resources[resource].flag} N`,
  },
  'findings-omitted': {
    severity: 'note',
    summary: 'There are more findings of a code than are kept. It has the severity of the findings that it stands for.',
    message: ({ code, count }: { readonly code: string; readonly count: number }) => `… and ${count} more of ${code}`,
    hint: () => 'correct the ones above first, or keep more with --max-findings N',
  },
});

import { defineProblems, sentence, setting } from '../diagnostics/index.ts';
import type { BudgetResource } from '../model/index.ts';
import type { SettingName } from '../settings/index.ts';

interface Exhaustion {
  readonly resource: BudgetResource;
  readonly limit: number;
}

const resources: Readonly<
  Record<BudgetResource, { readonly noun: string; readonly setting: SettingName; readonly advice: string }>
> = {
  values: {
    noun: 'values copied by aliases, merge keys, references and JSON patches',
    setting: 'maxValues',
    advice: 'copy less data',
  },
  patternSteps: {
    noun: 'steps for patterns and alternatives in schemas; everything after this point is unchecked',
    setting: 'maxPatternSteps',
    advice: 'use simpler schemas or shorter values',
  },
  ruleSteps: {
    noun: 'steps for CEL rules; everything after this point is unchecked',
    setting: 'maxRuleSteps',
    advice: 'use cheaper rules or shorter lists',
  },
  changes: {
    noun: 'changes by patches',
    setting: 'maxChanges',
    advice: 'target fewer objects with your patches',
  },
  fleetSteps: {
    noun: 'steps for the targets of a fleet',
    setting: 'maxFleetSteps',
    advice: 'split the fleet, or use shorter lists of settings and exclusions',
  },
};

export const budgetProblems = defineProblems(() => ({
  'budget-exhausted': {
    summary: 'The run exceeds a limit on copied values, pattern steps, rule steps, changes or fleet steps.',
    message: ({ resource, limit }: Exhaustion) => `the run exceeds its limit of ${limit} ${resources[resource].noun}`,
    hint: ({ resource }: Exhaustion) =>
      sentence`${resources[resource].advice}, or raise the limit with ${setting(resources[resource].setting, 'N')}`,
    fix: sentence`Look for input that multiplies: aliases of aliases, complex patterns, patches that match very many objects, or fleet settings that very many targets inherit. If the input is fine, raise the limit with ${setting('maxValues')}, ${setting('maxPatternSteps')}, ${setting('maxRuleSteps')}, ${setting('maxChanges')} or ${setting('maxFleetSteps')}.`,
  },
  'findings-omitted': {
    severity: 'note',
    summary:
      'There are more findings with the same code than kurel keeps. The severity is that of the omitted findings.',
    message: ({ code, count }: { readonly code: string; readonly count: number }) => `… and ${count} more of ${code}`,
    hint: () => sentence`fix the findings above first, or keep more with ${setting('maxFindings', 'N')}`,
    fix: sentence`Fix the findings that are shown and build again, or show more of them with ${setting('maxFindings', 'N')}.`,
  },
}));

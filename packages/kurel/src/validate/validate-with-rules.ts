import { createBudget } from '../budget/index.ts';
import { isBuiltInGroup, parseApiVersion } from '../kube/index.ts';
import type { Budget, KubeObject } from '../model/index.ts';
import { createTreeRules, RuleUndecided } from './cel/evaluate-tree.ts';
import type { RuleEvaluator } from './rule-evaluator.ts';
import { validateObjects } from './validate-objects.ts';
import type { ValidateOptions } from './validate-objects.ts';

/**
 * `validateObjects` with the rules of CustomResourceDefinitions. Their evaluator takes longer to load than a small build takes, so it is
 * loaded only when a rule may not hold or is not a shipped one.
 */
export async function validateWithRules(
  objects: readonly KubeObject[],
  options: ValidateOptions,
): Promise<ReadonlySet<KubeObject>> {
  if (!mayHaveRules(objects)) return validateObjects(objects, options);
  const { budget = createBudget() } = options;
  try {
    return validateObjects(objects, { ...options, budget, rules: createTreeRules(budget) });
  } catch (error) {
    if (!(error instanceof RuleUndecided)) throw error;
    // Nothing has been reported, so it begins again.
    return validateObjects(objects, { ...options, budget, rules: await loadRulesFor(objects, budget) });
  }
}

/** Loads the evaluator only if an object may have rules, because it is large. */
export async function loadRulesFor(
  objects: readonly KubeObject[],
  budget?: Budget,
): Promise<RuleEvaluator | undefined> {
  if (!mayHaveRules(objects)) return undefined;
  const { createCelRules } = await import('./cel/create-cel-rules.ts');
  return createCelRules(budget);
}

function mayHaveRules(objects: readonly KubeObject[]): boolean {
  const versions = new Set(objects.map(({ apiVersion }) => apiVersion));
  return [...versions].some((apiVersion) => !isBuiltInGroup(parseApiVersion(apiVersion)?.group ?? ''));
}

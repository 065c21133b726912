import { isBuiltInGroup, parseApiVersion } from '../kube/index.ts';
import type { Budget, KubeObject } from '../model/index.ts';
import type { RuleEvaluator } from './rule-evaluator.ts';

/** What evaluates the rules of CustomResourceDefinitions, loaded only when an object could have any. */
export async function loadRulesFor(
  objects: readonly KubeObject[],
  budget?: Budget,
): Promise<RuleEvaluator | undefined> {
  const versions = new Set(objects.map(({ apiVersion }) => apiVersion));
  const isCustom = (apiVersion: string): boolean => !isBuiltInGroup(parseApiVersion(apiVersion)?.group ?? '');
  if (![...versions].some(isCustom)) return undefined;
  const { createCelRules } = await import('./cel/create-cel-rules.ts');
  return createCelRules(budget);
}

import { parseApiVersion } from '../kube/index.ts';
import type { Budget, KubeObject } from '../model/index.ts';
import { isBuiltInGroup } from './kinds/built-in-groups.ts';
import type { RuleEvaluator } from './rule-evaluator.ts';

/** What evaluates the rules of CustomResourceDefinitions, loaded only when an object could have any. */
export async function loadRulesFor(
  objects: readonly KubeObject[],
  budget?: Budget,
): Promise<RuleEvaluator | undefined> {
  const isCustom = ({ apiVersion }: KubeObject): boolean => !isBuiltInGroup(parseApiVersion(apiVersion)?.group ?? '');
  if (!objects.some(isCustom)) return undefined;
  const { createCelRules } = await import('./cel/create-cel-rules.ts');
  return createCelRules(budget);
}

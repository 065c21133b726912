import { isBuiltInGroup, parseApiVersion } from '../kube/index.ts';
import type { Budget, Json, KubeObject } from '../model/index.ts';
import type { SchemaNode, SchemaRule } from '../schema/index.ts';

/** Evaluates the rules of CustomResourceDefinitions; `createCelRules` creates one. */
export interface RuleEvaluator {
  /** `value` is `self` in the rule, `node` its schema. */
  evaluate(rule: SchemaRule, value: Json, node: SchemaNode): RuleResult;
}

export type RuleResult =
  | { readonly verdict: 'holds' }
  /** The rule compares with an older state of the object, and there is none. */
  | { readonly verdict: 'not-applicable' }
  | { readonly verdict: 'fails'; readonly message: string }
  | { readonly verdict: 'not-checked'; readonly reason: string };

/** Loads the evaluator only if an object may have rules, because it is large. */
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

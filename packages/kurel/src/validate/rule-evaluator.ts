import { isBuiltInGroup, parseApiVersion } from '../kube/index.ts';
import type { Budget, Json, KubeObject } from '../model/index.ts';
import type { SchemaNode, SchemaRule } from '../schema/index.ts';

/** Evaluates the rules of CustomResourceDefinitions; `createCelRules` makes one. */
export interface RuleEvaluator {
  /** `value` is what the rule calls `self`, `node` its schema. */
  evaluate(rule: SchemaRule, value: Json, node: SchemaNode): RuleResult;
}

export type RuleResult =
  | { readonly verdict: 'holds' }
  /** It compares with an older state of the object, and there is none. */
  | { readonly verdict: 'not-applicable' }
  | { readonly verdict: 'fails'; readonly message: string }
  | { readonly verdict: 'not-checked'; readonly reason: string };

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

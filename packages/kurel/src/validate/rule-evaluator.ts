import type { Json } from '../model/index.ts';
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

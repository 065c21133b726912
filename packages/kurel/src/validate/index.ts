// takes:   objects, their origins and a schema store
// gives:   findings about fields, types, names, references, duplicates and policies
// refuses: to skip silently what it cannot check
export { enforcePolicies, enforcePolicy } from './policy/enforce-policy.ts';
export { validateProblems } from './problems.ts';
export type { RuleEvaluator, RuleResult } from './rule-evaluator.ts';
export { checkPart, validateObjects } from './validate-objects.ts';
export type { ValidateOptions } from './validate-objects.ts';
export { loadRulesFor, validateWithRules } from './validate-with-rules.ts';
export { findUnknownSources, isSourceAllowed } from './policy/enforcing.ts';
export { isHostAllowed } from './policy/match-registry.ts';
export { policyProblems } from './policy/problems.ts';
export { combinePolicies, findTypeRefusal, isInForce, noPolicy, sourcesAllowedBy } from './policy/rules.ts';
export type { AmountRules, RuleLayer, Rules, TypeRefusal } from './policy/rules.ts';

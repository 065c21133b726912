// takes:   objects, their origins and a schema store
// gives:   findings about fields, types, names, references, duplicates and policies
// refuses: to skip silently what it cannot check
export { enforcePolicies, enforcePolicy } from './policy/enforce-policy.ts';
export { validateProblems } from './problems.ts';
export { checkPart, loadRulesFor, validateObjects } from './validate-objects.ts';
export type { RuleEvaluator, RuleResult, ValidateOptions } from './validate-objects.ts';
export { findUnknownSources, isSourceAllowed } from './policy/enforcing.ts';
export { isHostAllowed } from './policy/match-registry.ts';
export { policyProblems } from './policy/problems.ts';
export { combinePolicies, findTypeRefusal, isInForce, noPolicy, sourcesAllowedBy } from './policy/rules.ts';
export type { AmountRules, RuleLayer, Rules, TypeRefusal } from './policy/rules.ts';

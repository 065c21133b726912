// takes:   objects, where they came from, and a schema store
// gives:   findings: fields, types, names, references, duplicates
// refuses: to pass silently over what it cannot check
export { loadRulesFor } from './load-rules.ts';
export { enforcePolicies } from './policy/enforce-policy.ts';
export { noPolicy } from './policy/rules.ts';
export { validateProblems } from './problems.ts';
export type { RuleEvaluator, RuleResult } from './rule-evaluator.ts';
export { validateObjects, type ValidateOptions } from './validate-objects.ts';

// What a build of an application needs of this room: `index.ts` brings the checks of all kinds along.
export { adviseItems } from './fields/advise-items.ts';
export { checkPart } from './check-part.ts';
export { enforcePolicy } from './policy/enforce-policy.ts';
export { isFromRegistry, isHostAllowed, isUrlFromRegistry } from './policy/match-registry.ts';
export { policyProblems } from './policy/problems.ts';
export { combinePolicies, noPolicy } from './policy/rules.ts';
export type { AmountRules, PolicyBody, RuleLayer, Rules } from './policy/rules.ts';

// What a build of an application needs of this room: `index.ts` brings the checks of all kinds along.
export { adviseItems } from './fields/advise-items.ts';
export { checkPart } from './check-part.ts';
export { findUnknownSources } from './policy/check-sources.ts';
export { enforcePolicy } from './policy/enforce-policy.ts';
export { isSourceAllowed } from './policy/enforcing.ts';
export { isFromRegistry, isHostAllowed } from './policy/match-registry.ts';
export { policyProblems } from './policy/problems.ts';
export { baselineCapabilities, combinePolicies, findTraitRefusal, noPolicy, sourcesAllowedBy } from './policy/rules.ts';
export type { AmountRules, PolicyBody, RuleLayer, Rules, TraitRefusal } from './policy/rules.ts';

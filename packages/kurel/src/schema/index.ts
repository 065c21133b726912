// takes:   the shipped data about Kubernetes and well-known CRDs, and CRDs of the user
// gives:   the schema of a kind, of a field, and what is known about their merging
// refuses: to guess: a kind or field that is not described is not known
export { compareApiVersions } from './compare-api-versions.ts';
export { createSchemaStore, shippedKubernetesVersions, type SchemaStoreOptions } from './create-schema-store.ts';
export { findKinds } from './find-kinds.ts';
export { fieldAt, type Field, type MissingField } from './field-at.ts';
export type { GatewayChannel } from './manifest.ts';
export { mergeRuleOf, type MergeRule } from './merge-rule.ts';
export { nearestKind } from './nearest-kind.ts';
export { nodeFromJsonSchema, type NodeOptions } from './node-from-json-schema.ts';
export { schemaProblems } from './problems.ts';
export type * from './schema-node.ts';
export {
  compileGoPattern,
  compilePattern,
  explainPattern,
  type GoPattern,
  type PatternTest,
} from './pattern/compile-pattern.ts';

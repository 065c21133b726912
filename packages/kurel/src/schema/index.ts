// takes:   the shipped data about Kubernetes and well-known CRDs, and the user's CRDs
// gives:   the schema of a kind or a field, and its merge rules; the one checker of values
// refuses: to guess: a kind or field without a schema is unknown
export { compareApiVersions, findKinds, nearestKind } from './find-kinds.ts';
export { createSchemaStore, shippedKubernetesVersions, type SchemaStoreOptions } from './create-schema-store.ts';
export { fieldAt, mergeRuleOf, type Field, type MergeRule, type MissingField } from './field-at.ts';
export { identityOfItem, keysOfItem, listKeysOf, mergeKeysOf, type ItemKey, type ListKey } from './list-keys.ts';
export type { GatewayChannel } from './shipped-kinds.ts';
export { nodeFromJsonSchema, type NodeOptions } from './json-schema-node.ts';
export { schemaProblems } from './problems.ts';
export { defineNode } from './schema-node.ts';
export type * from './schema-node.ts';
export {
  compileGoPattern,
  compilePattern,
  explainPattern,
  type GoPattern,
  type PatternTest,
} from './pattern/compile-pattern.ts';
export {
  isCidr,
  isExact,
  isIp,
  isIpv4,
  isWithin,
  readNetwork,
  type Network,
  findFormat,
  int32,
  unbounded,
} from './check/formats.ts';
export { adviseBoolean } from './check/advice.ts';
export { check, fits, type CheckOptions } from './check/check.ts';
export { missingDefaults } from './check/defaults.ts';
export { fieldName, formatPath, listWords } from './check/names.ts';
export { describeRelation, findBroken, relationCodes, type Relation } from './check/relations.ts';
export { notAllowed, valueProblems, type Mismatch, type ValueCode, type ValueFinding } from './check/problems.ts';
export {
  createFinding,
  TooComplex,
  type CheckFinding,
  type CheckSource,
  type Mistake,
  type PendingRules,
} from './check/walk.ts';
export { checkFormat, textFormats, type TextFormat } from './check/text-formats.ts';

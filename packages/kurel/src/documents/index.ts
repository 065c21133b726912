// takes:   data of a kurel document, or of properties, and the table of its fields
// gives:   the document with its defaults, or findings in document order; the parts that tables are made of
// refuses: fields that are in no table, several documents in a file
export * from './define-fields.ts';
export { type KubernetesCheck, type ReadingOptions } from './document-findings.ts';
export { mayBeEmpty, phraseOf, schemaTypeOf } from './field-node.ts';
export * from './field.ts';
export { holds, itemsAt, locateNearest, readOneDocument, visitTemplates, type LocatedData } from './located-data.ts';
export { documentPlaces, documentProblems, meantKind } from './problems.ts';
export { acceptanceTables, readAcceptances } from './read-acceptances.ts';
export {
  applicationTables,
  readApplicationDocument,
  type ApplicationDocument,
  type KnownTypes,
} from './read-application-document.ts';
export {
  capabilityTables,
  readCapabilityDefinition,
  renderingField,
  type CapabilityDefinition,
} from './read-capability-definition.ts';
export {
  clusterProfileTables,
  readClusterProfile,
  splitCapabilityKey,
  type ClusterProfile,
} from './read-cluster-profile.ts';
export { declarationField, partField, readDeclarations, ruleTypes } from './read-declarations.ts';
export {
  apiGroup,
  apiVersion,
  checkHeader,
  packageTables,
  readDocument,
  readPackageAndParameters,
  readPackageDocument,
  type DocumentTables,
  type PackageDocument,
} from './read-document.ts';
export { readField } from './read-field.ts';
export {
  fleetTables,
  readFleetDocument,
  readFunctionDocument,
  fleetSettingNames,
  type FleetDocument,
  type FleetSettings,
  type FunctionDocument,
  type FleetSettingName,
} from './read-fleet.ts';
export { policyFields } from './policy-fields.ts';
export {
  policyTables,
  readPolicy,
  readPolicyRules,
  type OwnRules,
  type Policy,
  type PolicyRules,
} from './read-policy.ts';
export type { Leniency, RewriteRule } from './rewrite.ts';

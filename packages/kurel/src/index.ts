/**
 * kurel as a library. Everything here is free of Node: pass in files and programs through the interfaces `FileSystem` and
 * `ProgramRunner`; `kurel/host` has implementations for a real machine.
 */
export { createBudget } from './budget/index.ts';
export type { BudgetLimits } from './budget/index.ts';
export { build } from './build.ts';
export { kpatch } from './patch-stage.ts';
export type { KpatchOptions } from './patch-stage.ts';
export type { BuildRequest, BuildResult, NameChanges, PatchSettings } from './build-request.ts';
export {
  readApplicationDocument,
  readCapabilityDefinition,
  readClusterProfile,
  readDeclarations,
  readField,
  readFleetDocument,
  readFunctionDocument,
  readOneDocument,
  readPackageDocument,
  readPolicy,
  readPolicyRules,
  renderingField,
  splitCapabilityKey,
} from './documents/index.ts';
export type {
  ApplicationDocument,
  CapabilityDefinition,
  ClusterProfile,
  Field as PropertyField,
  Fields as PropertyFields,
  FleetDocument,
  FleetSettings,
  FunctionDocument,
  KnownTypes,
  PackageDocument,
  Policy,
  PolicyRules,
  ReadingOptions,
  ValueOf,
} from './documents/index.ts';
export * from './engine/index.ts';
export { applyAssignment, parseAssignment, readValues } from './parameters/index.ts';
export type { Assignment, AssignmentOptions } from './parameters/index.ts';
export { locateInYaml } from './yaml/index.ts';
export type { Read } from './reads/index.ts';
export { fetchOnce } from './registry/index.ts';
export type { Credentials } from './registry/index.ts';
export { createWorkspace } from './workspace.ts';
export type { Workspace, WorkspaceHost, WorkspaceRequest } from './workspace.ts';
export type { Acceptance, Acceptor } from './accept/index.ts';
export { loadProblemDefinitions, openAcceptor } from './open-acceptor.ts';
export {
  causesOf,
  DiagnosticError,
  diagnosticsOf,
  formatDiagnostics,
  hiddenText,
  sortDiagnostics,
  spell,
  spellDiagnostic,
  summarise,
  toJson,
  toSarif,
} from './diagnostics/index.ts';
export type { FindSetting, FormatOptions, ProblemSummary, SarifOptions, Spelling } from './diagnostics/index.ts';
export * from './diff/index.ts';
export { listImages } from './images.ts';
export type { HiddenImages, ImageList, ImageUse, ListedImage } from './images.ts';
export {
  formatObject,
  formatObjects,
  annotationsOf,
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  checkLabelValue,
  kindsNamed,
  LabelSelectorError,
  decodeObjects,
  describeObject,
  gvkOf,
  identityOf,
  installPhaseOf,
  installPhases,
  labelsOf,
  nameOf,
  namespaceOf,
  parseGroupVersionKind,
  parseLabelSelector,
  pluralOf,
  scopeOf,
  sortByApplyOrder,
} from './kube/index.ts';
export type {
  ApplyOrderOptions,
  DecodedObject,
  DecodeOptions,
  InstallPhase,
  LabelRequirement,
  LabelSelector,
  NamedImageReference,
  Scope,
  SkippedDocument,
} from './kube/index.ts';
export {
  addSyncWaves,
  checkPhases,
  layOutFlat,
  layOutSources,
  layOutStream,
  layouts,
  orderByPhase,
} from './layout/index.ts';
export type {
  Layout,
  LayoutInput,
  LayoutName,
  LayoutOptions,
  OutputFormat,
  SourcesInput,
  TreePlace,
} from './layout/index.ts';
export * from './model/index.ts';
export {
  createUndefinedReference,
  fillApplication,
  findParameterOrigin,
  resolveDeclared,
  walkValues,
  writtenParameters,
} from './parameters/index.ts';
export type {
  DeclaredOrigin,
  DeclaredValue,
  DeclaredValues,
  FilledApplication,
  ParameterDeclaration,
  ParameterLayer,
  ParameterOrigin,
  ParameterSchema,
  ParameterType,
  WrittenAt,
} from './parameters/index.ts';
export { applyPatches, formatKpatch, readPatchFile, traceReferences } from './patch/index.ts';
export type * from './patch/index.ts';
export * from './forms/index.ts';
export * from './schema/index.ts';
export {
  beginProvenance,
  createPlaceFinding,
  findObject,
  formatField,
  selectFields,
  traceOf,
} from './provenance/index.ts';
export type {
  Facts,
  FieldQuestion,
  FieldTrace,
  InputDirectory,
  ParameterTrace,
  Provenance,
  RemovedObject,
  Rendering,
  StepKind,
  TraceStep,
} from './provenance/index.ts';
export { loadRulesFor, validateObjects } from './validate/index.ts';
export type { RuleEvaluator, RuleResult, ValidateOptions } from './validate/index.ts';
export { editDocument, readYaml, writeJson, writeYaml } from './yaml/index.ts';
export type { YamlDocument, YamlReading } from './yaml/index.ts';

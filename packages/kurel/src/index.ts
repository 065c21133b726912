/**
 * kurel as a library. Everything here is free of Node: give it files and programs through the interfaces `FileSystem` and
 * `ProgramRunner`; the ones for a real machine are in `kurel/host`.
 */
import type { ProblemSummary } from './diagnostics/index.ts';

export { build } from './build.ts';
export type { BuildRequest, BuildResult, ValidationSettings } from './build.ts';
export {
  DiagnosticError,
  diagnosticsOf,
  formatDiagnostics,
  sortDiagnostics,
  summarise,
  toJson,
  toSarif,
} from './diagnostics/index.ts';
export type { FormatOptions, ProblemSummary, SarifOptions } from './diagnostics/index.ts';
export * from './engine/index.ts';
export {
  annotationsOf,
  checkDnsSubdomain,
  checkLabelKey,
  checkLabelValue,
  decodeObjects,
  describeObject,
  gvkOf,
  identityOf,
  labelsOf,
  LabelSelectorError,
  nameOf,
  namespaceOf,
  parseGroupVersionKind,
  parseLabelSelector,
  scopeOf,
  sortByApplyOrder,
} from './kube/index.ts';
export type {
  ApplyOrderOptions,
  DecodedObject,
  DecodeOptions,
  LabelRequirement,
  LabelSelector,
  Scope,
  SkippedDocument,
} from './kube/index.ts';
export { layOutFlat, layOutStream } from './layout/index.ts';
export type { Layout, LayoutInput, OutputFormat } from './layout/index.ts';
export * from './model/index.ts';
export { applyAssignment, parseAssignment, readValues } from './parameters/index.ts';
export type { Assignment } from './parameters/index.ts';
export * from './patch/index.ts';
export * from './renderers/index.ts';
export * from './schema/index.ts';
export { loadRulesFor, validateObjects } from './validate/index.ts';
export type { RuleEvaluator, RuleResult, ValidateOptions } from './validate/index.ts';
export { editDocument, locateInYaml, readYaml, writeJson, writeYaml } from './yaml/index.ts';
export type { YamlDocument, YamlReading } from './yaml/index.ts';

/** Every finding that can be reported, by code: the rules of a SARIF log and the rows of the reference. */
export async function loadProblemDefinitions(): Promise<Readonly<Record<string, ProblemSummary>>> {
  const { problemDefinitions } = await import('./problem-definitions.ts');
  return problemDefinitions;
}

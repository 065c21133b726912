/**
 * kurel as a library. Everything here is free of Node: give it files and programs through the interfaces `FileSystem` and
 * `ProgramRunner`; the ones for a real machine are in `kurel/host`.
 */
export { build } from './build.ts';
export type { BuildRequest, BuildResult } from './build.ts';
export {
  DiagnosticError,
  diagnosticsOf,
  formatDiagnostics,
  sortDiagnostics,
  summarise,
  toJson,
  toSarif,
} from './diagnostics/index.ts';
export * from './engine/index.ts';
export {
  checkLabelKey,
  checkLabelValue,
  identityOf,
  LabelSelectorError,
  nameOf,
  namespaceOf,
  labelsOf,
  annotationsOf,
  parseLabelSelector,
} from './kube/index.ts';
export type { ApplyOrderOptions, LabelSelector } from './kube/index.ts';
export { layOutFlat, layOutStream } from './layout/index.ts';
export type { Layout, LayoutInput, OutputFormat } from './layout/index.ts';
export * from './model/index.ts';
export { applyAssignment, parseAssignment, readValues } from './parameters/index.ts';
export type { Assignment } from './parameters/index.ts';
export { problemDefinitions } from './problem-definitions.ts';
export * from './renderers/index.ts';
export { editDocument, locateInYaml, readYaml, writeJson, writeYaml } from './yaml/index.ts';
export type { YamlDocument, YamlReading } from './yaml/index.ts';

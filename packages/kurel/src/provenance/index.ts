// takes:   the initial object and every recorded change with its causes
// gives:   the source of each field, step by step; the object and fields for a name and a path
// refuses: to guess: a field without a record has no steps
export type { Cause, CausesOf, FieldTrace, ObjectHistory, ParameterTrace, StepKind, TraceStep } from './field-trace.ts';
export { findObject } from './find-object.ts';
export type { RemovedObject } from './find-object.ts';
export { formatField, formatKey } from './format-field.ts';
export { selectFields } from './select-fields.ts';
export { causesOfText, createFindParameter, traceParameters } from './parameter-sources.ts';
export type { FieldQuestion } from './select-fields.ts';
export type { FindParameter } from './parameter-sources.ts';
export { traceProblems } from './problems.ts';
export { createPlaceFinding } from './place-findings.ts';
export {
  createWordFinder,
  findSecretParameters,
  findSecretWords,
  markSecrets,
  usesParameters,
  wordsOfValue,
} from './secret-parameters.ts';
export {
  addStage,
  beginProvenance,
  eventOfFlag,
  groupBy,
  joinRenderings,
  once,
  placeOf,
  removalsIn,
  RenderingError,
  stageOfPatches,
  traceOf,
} from './rendering.ts';
export type {
  Facts,
  FlagStep,
  InputDirectory,
  KustomizationPart,
  KustomizationSettings,
  Provenance,
  Rendering,
} from './rendering.ts';

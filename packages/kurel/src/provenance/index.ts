// takes:   how an object began, and every change that was recorded since, with what caused it
// gives:   where each field of it comes from, step by step; the object and the fields that a person asks for
// refuses: to guess: a field that nothing is recorded about has no steps
export type { FieldTrace, ParameterTrace, StepKind, TraceStep } from './field-trace.ts';
export { findObject, formatObject } from './find-object.ts';
export type { RemovedObject } from './find-object.ts';
export { formatField } from './format-field.ts';
export type { Cause, CausesOf, ObjectHistory } from './object-history.ts';
export { createFindParameter, traceParameters } from './parameter-sources.ts';
export type { FindParameter } from './parameter-sources.ts';
export { traceProblems } from './problems.ts';
export { createPlaceFinding } from './place-findings.ts';
export {
  addStage,
  beginProvenance,
  eventOfFlag,
  groupBy,
  joinRenderings,
  once,
  placeOf,
  removalsIn,
  stageOfPatches,
} from './rendering.ts';
export type { Facts, FlagStep, LikelyCauses, Provenance, Rendering } from './rendering.ts';
export { selectFields } from './select-fields.ts';
export type { FieldQuestion } from './select-fields.ts';
export { causesOfText } from './text-causes.ts';
export { traceOf } from './trace-fields.ts';

// takes:   patch files and objects, with values for the references in the files
// gives:   new objects, and a record of every change: object, path, before, after, patch file and location
// refuses: ambiguous or invalid targets and paths, undefined references, partial results
export { applyPatches } from './apply-patches.ts';
export type {
  Change,
  ConflictReport,
  Operation,
  PatchConflict,
  PatchOptions,
  PatchResult,
  Variables,
} from './application.ts';
export type * from './patch.ts';
export { mergeJson } from './merge/merge-json.ts';
export { patchProblems } from './problems.ts';
export { traceObject, traceReferences } from './trace-references.ts';
export type { TraceOptions } from './trace-references.ts';
export type { ReferenceRole, TracedReference } from './trace/trace-data.ts';
export { enterField, nameOfField } from './trace/traced-field.ts';
export type { TracedField } from './trace/traced-field.ts';
export { typeForField } from './type-for-field.ts';
export { formatKpatch } from './yaml-patch/format-kpatch.ts';
export { readPatchFile } from './yaml-patch/read-patch-file.ts';

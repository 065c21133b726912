// takes:   patch files and objects, with values for the references in the files
// gives:   new objects, and a record of every change: object, path, before, after, and the patch; the part of a patch that sets a field
// refuses: ambiguous or invalid targets and paths, undefined references, partial results
export { applyPatches } from './apply-patches.ts';
export { findWritten } from './find-written.ts';
export type * from './patch.ts';
export { parseFieldPath } from './kpatch/parse-path.ts';
export { mergeJson } from './merge/merge-json.ts';
export { patchProblems } from './problems.ts';
export { traceObject, traceReferences } from './trace-references.ts';
export type { TraceOptions } from './trace-references.ts';
export { enterField, nameOfField } from './traced-field.ts';
export type { ReferenceRole, TracedField, TracedReference } from './traced-field.ts';
export { typeForField } from './apply/type-value.ts';
export { formatKpatch, readPatchFile } from './yaml-patch/read-patch-file.ts';

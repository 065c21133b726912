// takes:   values files and assignments
// gives:   one tree of values
// refuses: assignments that do not fit, files that hold no mapping
export { applyAssignment } from './apply-assignment.ts';
export { parseAssignment } from './parse-assignment.ts';
export { parameterProblems } from './problems.ts';
export { readValues } from './read-values.ts';
export type { Assignment } from './parse-assignment.ts';
export { formatReferencePath, parseReferencePath } from './reference-path.ts';
export { parseTemplate, wholeReference } from './template.ts';
export type { Reference, Template } from './template.ts';

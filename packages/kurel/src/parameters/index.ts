// takes:   values files, assignments, layers of values, declarations of parameters, strings and trees with references
// gives:   one tree of values with every reference replaced, typed, and the origin of each; strings and trees filled with them
// refuses: conflicting assignments, values files that are not objects, undefined references, cycles, values that do not match their declaration
export { applyAssignment } from './apply-assignment.ts';
export {
  createNotPath,
  createResourceSubstitution,
  createUndefinedReference,
  lookUpIn,
  walkValues,
} from './look-up.ts';
export { readLexeme } from './read-lexeme.ts';
export {
  applicationSyntax,
  formatReferencePath,
  parseReferencePath,
  parseTemplate,
  referencesIn,
  wholeReference,
} from './references.ts';
export type { Reference, Template } from './references.ts';
export { createResolver, resolveParameters } from './resolve-parameters.ts';
export { createSubstitution, fillWherePossible } from './substitute.ts';
export type { FilledTree, LookUp, Substitution, WrittenAt } from './substitute.ts';
export { findParameterOrigin, layersOfData, mergeLayers } from './layers.ts';
export type { ParameterLayer, ParameterOrigin } from './layers.ts';
export { createSeveral, parseAssignment, splitAssignments } from './parse-assignment.ts';
export { parameterProblems } from './problems.ts';
export { readValues } from './read-values.ts';
export type { Assignment, AssignmentOptions } from './parse-assignment.ts';
export { writtenParameters } from './written-parameters.ts';
export {
  createUndeclared,
  declaredProblems,
  mergesOverDefault,
  partOf,
  fillApplication,
  findParameter,
  findValue,
  nearestReference,
  parameterTypes,
  readDeclarations,
  resolveDeclared,
  tabulateDeclared,
  writeReference,
} from './declared/index.ts';
export type {
  DeclaredOrigin,
  DeclaredValue,
  DeclaredValues,
  FilledApplication,
  ParameterDeclaration,
  ParameterSchema,
  ParameterType,
} from './declared/index.ts';

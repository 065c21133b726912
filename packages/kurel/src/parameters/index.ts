// takes:   values files, assignments, layers of values, declarations of parameters, strings and trees with references
// gives:   one tree of values with every reference replaced, typed, and the origin of each; strings and trees filled with them
// refuses: conflicting assignments, values files that are not objects, undefined references, cycles, values that do not match their declaration
export {
  findParameterOrigin,
  layersOfData,
  locateInValues,
  mergeLayers,
  readLexeme,
  readValues,
  writtenParameters,
} from './layers.ts';
export type { ParameterLayer, ParameterOrigin } from './layers.ts';
export {
  applyAssignment,
  createSeveral,
  leavesOf,
  parseAssignment,
  placeAssignment,
  splitAssignments,
} from './parse-assignment.ts';
export type { Assignment, AssignmentOptions } from './parse-assignment.ts';
export { parameterProblems } from './problems.ts';
export {
  applicationSyntax,
  findClosingBrace,
  formatReferencePath,
  parametersIn,
  parseReferencePath,
  parseTemplate,
  referencesIn,
  wholeReference,
} from './references.ts';
export type { Reference, Template } from './references.ts';
export {
  createResolver,
  createResourceSubstitution,
  createUndefinedReference,
  joinName,
  lookUpIn,
  resolveParameters,
  walkValues,
} from './resolve-parameters.ts';
export { createSubstitution, deepest, fillWherePossible, mayRefer, sizeOf, unfilledTree } from './substitute.ts';
export type { FilledTree, LookUp, Substitution, WrittenAt } from './substitute.ts';
export { mergesOverDefault, partOf } from './declared/collect-supplied.ts';
export { checkValue, parameterTypes, tabulateDeclared } from './declared/declaration.ts';
export type {
  DeclaredOrigin,
  DeclaredValue,
  DeclaredValues,
  ParameterDeclaration,
  ParameterSchema,
  ParameterType,
  Pattern,
} from './declared/declaration.ts';
export {
  createUndeclared,
  createUnset,
  fillApplication,
  findParameter,
  findValue,
  nearestReference,
  writeReference,
} from './declared/fill-application.ts';
export type { FilledApplication, NamedType } from './declared/fill-application.ts';
export { declaredProblems } from './declared/problems.ts';
export { resolveDeclared } from './declared/resolve-declared.ts';

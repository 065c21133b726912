export { parameterTypes, tabulateDeclared } from './declaration.ts';
export type {
  DeclaredOrigin,
  DeclaredValue,
  DeclaredValues,
  ParameterDeclaration,
  ParameterSchema,
  ParameterType,
} from './declaration.ts';
export { fillApplication } from './fill-application.ts';
export type { FilledApplication } from './fill-application.ts';
export { createUndeclared, findParameter, findValue, nearestReference, writeReference } from './find-parameter.ts';
export { mergesOverDefault, partOf } from './merge-default.ts';
export { declaredProblems } from './problems.ts';
export { readDeclarations } from './read-declarations.ts';
export { resolveDeclared } from './resolve-declared.ts';

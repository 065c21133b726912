// takes:   values files, assignments, layers of values, declarations of parameters, documents with references
// gives:   one tree of values with every reference replaced, typed, and where each came from; documents filled with them
// refuses: assignments that do not fit, files that hold no mapping, undefined references, circles, values that are not as declared
export { applyAssignment } from './apply-assignment.ts';
export { explainBooleanKey } from './explain-boolean-key.ts';
export { createGrowth, type Growth, longestText, mostGrowth } from './growth.ts';
export { fillDocument } from './fill-document.ts';
export { lookUpParameter } from './look-up-parameter.ts';
export { findParameterOrigin, layersOfData, mergeLayers } from './layers.ts';
export type { ParameterLayer, ParameterOrigin } from './layers.ts';
export { parseAssignment } from './parse-assignment.ts';
export { parameterProblems } from './problems.ts';
export { resolveParameters } from './resolve-parameters.ts';
export { readValues } from './read-values.ts';
export { respelling } from './respelling.ts';
export type { Assignment } from './parse-assignment.ts';
export { formatReferencePath, parseReferencePath } from './reference-path.ts';
export { parseTemplate, wholeReference } from './template.ts';
export { writtenParameters } from './written-parameters.ts';
export type { WrittenAt } from './written-parameters.ts';
export type { Reference, Template } from './template.ts';
export {
  adviseBoolean,
  createUndeclared,
  declaredProblems,
  fillApplication,
  findParameter,
  findValue,
  namesIn,
  nearestReference,
  parameterTypes,
  readDeclarations,
  readLexeme,
  resolveDeclared,
  splitReferences,
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

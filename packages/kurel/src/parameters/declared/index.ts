export type { ParameterDeclaration, ParameterSchema, ParameterType } from './declaration.ts';
export type { DeclaredOrigin, DeclaredValue, DeclaredValues } from './declared-values.ts';
export { fillApplication } from './fill-application.ts';
export type { FilledApplication } from './fill-application.ts';
export { declaredProblems } from './problems.ts';
export { readDeclarations } from './read-declarations.ts';
export { resolveDeclared } from './resolve-declared.ts';

export { compile, type CompileOptions } from './program.ts';
export { JqError, type JqErrorKind, type SourcePosition } from './jq-error.ts';
export type { JqFunction } from './compile/scope.ts';
export type { JqProgram, RunOptions } from './program.ts';
export { type Budget, defaultLimits, type LimitName, type Limits } from './run-state.ts';
export type { JqValue } from './jq-value.ts';
export { parseJson } from './values/parse-json.ts';
export { stringify } from './values/stringify.ts';

export { compile, type CompileOptions } from './compile.ts';
export { JqError, type JqErrorKind, type SourcePosition } from './jq-error.ts';
export type { JqFunction, JqProgram, RunOptions } from './program.ts';
export { type Budget, defaultLimits, type LimitName, type Limits } from './run-state.ts';
export type { JqValue } from './values/jq-value.ts';
export { parseJson } from './values/parse-json.ts';
export { stringify } from './values/stringify.ts';

export { JqError, type JqErrorKind, type SourcePosition } from './jq-error.ts';
export type { JqFunction, JqValue } from './jq-value.ts';
export { compile, type CompileOptions, type JqProgram, type RunOptions } from './program.ts';
export { type Budget, defaultLimits, type LimitName, type Limits } from './run-state.ts';
export { parseJson } from './values/json.ts';
export { stringify } from './values/json.ts';

export { JqError, type JqErrorKind, type SourcePosition } from './jq-error.ts';
export type { JqFunction, JqValue } from './jq-value.ts';
export { compile, type CompileOptions, type JqProgram } from './program.ts';
export { type Budget, defaultLimits, type LimitName, type Limits, type RunOptions } from './run-state.ts';
export { parseJson } from './values/json.ts';
export { stringify } from './values/json.ts';

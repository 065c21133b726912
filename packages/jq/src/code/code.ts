import { isNumber, type JqValue } from '../jq-value.ts';
import { runState, spendThrow, step } from '../run-state.ts';

/** Variables, labels and closures in scope, innermost first; the compiler knows how far up each one is. */
export interface Env {
  readonly parent: Env | undefined;
  readonly value: unknown;
}

/**
 * The last visited place, innermost key first; the root has no parent. As in jq, computing a value does not change it:
 * a path can continue from here only with the very value at this place.
 */
export interface Path {
  readonly parent: Path | undefined;
  readonly key: JqValue;
  readonly value: JqValue;
}

export function rootPath(value: JqValue): Path {
  return { parent: undefined, key: null, value };
}

/** Whether a value is the one at the path, as opposed to a computed one. */
export function standsAt(path: Path, value: JqValue): boolean {
  return Object.is(path.value, value);
}

/** Numbers and literals are new values: an equal one at the path is a different one. */
function madeAnew(path: Path, value: JqValue): Path {
  return standsAt(path, value) ? { ...path, value: [] } : path;
}

/** Receives an output, with its path if paths are needed. */
export type Emit = (value: JqValue, path?: Path) => void;
export type Single = (input: JqValue, env: Env) => JqValue;
/**
 * Passes every output to `emit`; if the path of the input is given, with the path of the output. The result matters only in
 * tail position without paths, where it may be `tailCalled`.
 */
export type Each = (input: JqValue, env: Env, emit: Emit, path?: Path) => unknown;

/** A compiled piece of program. */
export interface Code {
  /** Present if the piece always has exactly one output (or fails). */
  readonly single: Single | undefined;
  readonly each: Each;
  /** The value, if it does not depend on anything. */
  readonly constant?: JqValue;
}

/** A function argument at run time. */
export interface Closure {
  readonly code: Code;
  readonly env: Env;
}

/** A function that is called rather than expanded where it is used. */
export interface FunctionInstance {
  readonly level: number;
  body: Code | undefined;
  isSingle: boolean;
}

/** Returned by a piece in tail position instead of calling: the caller's loop makes the call. */
const tailCalled = Symbol('tail call');
const pendingCall: { instance: FunctionInstance; input: JqValue; env: Env } = {
  instance: { level: 0, body: undefined, isSingle: false },
  input: null,
  env: { parent: undefined, value: undefined },
};

export function tailCall(instance: FunctionInstance, input: JqValue, env: Env): never {
  pendingCall.instance = instance;
  pendingCall.input = input;
  pendingCall.env = env;
  return tailCalled as unknown as never;
}

/** Makes pending calls until a value is returned. */
export function settle(result: JqValue): JqValue {
  let value = result;
  while ((value as unknown) === tailCalled) {
    step();
    value = pendingCall.instance.body!.single!(pendingCall.input, pendingCall.env);
  }
  return value;
}

export function settleEach(result: unknown, emit: Emit): void {
  let state = result;
  while (state === tailCalled) {
    step();
    state = pendingCall.instance.body!.each(pendingCall.input, pendingCall.env, emit);
  }
}

function computedPath(path: Path, value: JqValue): Path {
  return isNumber(value) ? madeAnew(path, value) : path;
}

/** A piece with one output; `track` passes it on with its path, unless the piece computes it. */
export function codeOfSingle(single: Single, track?: Each): Code {
  const each: Each =
    track === undefined
      ? (input, env, emit, path) => {
          const output = single(input, env);
          return emit(output, path && computedPath(path, output));
        }
      : (input, env, emit, path) => (path === undefined ? emit(single(input, env)) : track(input, env, emit, path));
  return { single, each };
}

/** A piece with any number of outputs, each passed on with its path. */
export function codeOfEach(each: Each): Code {
  return { single: undefined, each };
}

/** A piece that computes any number of outputs. */
export function codeOfValues(run: (input: JqValue, env: Env, emit: (value: JqValue) => void) => unknown): Code {
  return codeOfEach((input, env, emit, path) => {
    if (path === undefined) return run(input, env, emit);
    return run(input, env, (output) => emit(output, computedPath(path, output)));
  });
}

export function codeOfConstant(constant: JqValue): Code {
  const isNew = isNumber(constant) || typeof constant === 'string';
  const each: Each = (_input, _env, emit, path) => emit(constant, path && isNew ? madeAnew(path, constant) : path);
  return { single: () => constant, each, constant };
}

/** `empty` */
export const nothing: Code = codeOfEach(() => undefined);

/** `.` */
export const identity: Code = {
  single: (input) => input,
  each: (input, _env, emit, path) => emit(input, path),
};

/** Thrown to leave a generator early; each use has its own, so that no other one catches it. */
export interface Stop {
  readonly stop: true;
}

/** Runs `body`, which may leave from any depth by calling `stop`. */
export function untilStopped(body: (stop: () => never) => void): void {
  const { depth } = runState;
  const signal: Stop = { stop: true };
  try {
    body(() => {
      spendThrow();
      throw signal;
    });
  } catch (thrown) {
    if (thrown !== signal) throw thrown;
    runState.depth = depth;
  }
}

/**
 * The first output, or `undefined` if there is none. Does the same as `untilStopped` without its closures, because `|=` and
 * `first` come here for every value.
 */
export function firstOutput(code: Code, input: JqValue, env: Env): JqValue | undefined {
  if (code.single !== undefined) return code.single(input, env);
  const { depth } = runState;
  const stop: Stop = { stop: true };
  let first: JqValue | undefined;
  try {
    code.each(input, env, (value) => {
      first = value;
      spendThrow();
      throw stop;
    });
  } catch (thrown) {
    if (thrown !== stop) throw thrown;
    runState.depth = depth;
  }
  return first;
}

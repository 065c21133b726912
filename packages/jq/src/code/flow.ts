import { isTruthy, type JqValue } from '../jq-value.ts';
import { countString, type Failure, isFailure, runState, spendThrow } from '../run-state.ts';
import type { Owned } from '../values/access.ts';
import {
  type Code,
  codeOfEach,
  codeOfSingle,
  type Each,
  type Emit,
  type Env,
  identity,
  type Path,
  settle,
  type Single,
  type Stop,
} from './code.ts';

/** `left | right` */
export function pipe(left: Code, right: Code): Code {
  if (left === identity) return right;
  if (right === identity) return left;
  const { single: first, each: leftEach } = left;
  const { single: second, each: rightEach } = right;
  // a function of its own, so that only a call that needs it pays for the closure
  const toRight = (env: Env, emit: Emit): Emit =>
    second === undefined
      ? (value, at) => void rightEach(value, env, emit, at)
      : (value, at) => (at === undefined ? emit(second(value, env)) : void rightEach(value, env, emit, at));
  if (first === undefined) {
    return codeOfEach((input, env, emit, path) => leftEach(input, env, toRight(env, emit), path));
  }
  if (second === undefined) {
    return codeOfEach((input, env, emit, path) =>
      path === undefined ? rightEach(first(input, env), env, emit) : leftEach(input, env, toRight(env, emit), path),
    );
  }
  return {
    single: (input, env) => second(first(input, env), env),
    each: (input, env, emit, path) =>
      path === undefined
        ? emit(settle(second(first(input, env), env)))
        : leftEach(input, env, toRight(env, emit), path),
  };
}

/** `left, right` */
export function sequence(left: Code, right: Code): Code {
  const { each: leftEach } = left;
  const { each: rightEach } = right;
  // the left side of a comma is never in tail position, so only the right side's result matters
  return codeOfEach((input, env, emit, path) => {
    leftEach(input, env, emit, path);
    return rightEach(input, env, emit, path);
  });
}

/** `if condition then then else otherwise end` */
export function choose(condition: Code, then: Code, otherwise: Code): Code {
  const { single: test } = condition;
  const { single: singleThen, each: eachThen } = then;
  const { single: singleOtherwise, each: eachOtherwise } = otherwise;
  if (test === undefined) {
    return codeOfEach((input, env, emit, path) =>
      condition.each(
        input,
        env,
        (decision) => void (isTruthy(decision) ? eachThen : eachOtherwise)(input, env, emit, path),
      ),
    );
  }
  const each: Each = (input, env, emit, path) =>
    isTruthy(test(input, env)) ? eachThen(input, env, emit, path) : eachOtherwise(input, env, emit, path);
  if (singleThen === undefined || singleOtherwise === undefined) return codeOfEach(each);
  const single: Single = (input, env) =>
    isTruthy(test(input, env)) ? singleThen(input, env) : singleOtherwise(input, env);
  return { single, each };
}

/**
 * Runs a generator and returns the error that ends it. An error raised by the receiver of the outputs is
 * not the generator's, and is passed on.
 */
function attempt(run: (deliver: Emit) => unknown, emit: Emit): Failure | undefined {
  const { depth } = runState;
  let outside = false;
  try {
    run((value, path) => {
      outside = true;
      emit(value, path);
      outside = false;
    });
    return undefined;
  } catch (thrown) {
    if (outside || !isFailure(thrown)) throw thrown;
    runState.depth = depth;
    return thrown;
  }
}

/** `try body catch handler` */
export function tryCatch(body: Code, handler: Code | undefined): Code {
  const { single } = body;
  const each: Each = (input, env, emit, path) => {
    const failure = attempt((deliver) => body.each(input, env, deliver, path), emit);
    if (failure !== undefined) handler?.each(failure.value, env, emit, path);
  };
  return single === undefined || handler?.single === undefined
    ? codeOfEach(each)
    : codeOfSingle(trySingle(single, handler.single), each);
}

function trySingle(single: Single, handler: Single): Single {
  return (input, env) => {
    const { depth } = runState;
    try {
      return single(input, env);
    } catch (thrown) {
      if (!isFailure(thrown)) throw thrown;
      runState.depth = depth;
      return handler(thrown.value, env);
    }
  };
}

/** `left // right`: the truthy outputs of the left side; if there are none, the right side. */
export function alternative(left: Code, right: Code): Code {
  const first = left.single;
  const second = right.single;
  const each: Each = (input, env, emit, path) => {
    let hasOutput = false;
    const take: Emit = (value, at) => {
      if (!isTruthy(value)) return;
      hasOutput = true;
      emit(value, at);
    };
    left.each(input, env, take, path);
    if (!hasOutput) right.each(input, env, emit, path);
  };
  if (first === undefined || second === undefined) return codeOfEach(each);
  return codeOfSingle((input, env) => {
    const value = first(input, env);
    return isTruthy(value) ? value : second(input, env);
  }, each);
}

/** `label $name | body`: the body finds its label in the innermost environment. */
export function labelled(body: Code): Code {
  return codeOfEach((input, env, emit, path) => {
    const { depth } = runState;
    const stop: Stop = { stop: true };
    try {
      body.each(input, { parent: env, value: stop }, emit, path);
    } catch (thrown) {
      if (thrown !== stop) throw thrown;
      runState.depth = depth;
    }
  });
}

/** `break $name`, with a function that finds the environment of the label. */
export function breakTo(labelOf: (env: Env) => Env): Code {
  return codeOfEach((_input, env) => {
    spendThrow();
    throw labelOf(env).value as Stop;
  });
}

/** How the variables of `as`, `reduce` and `foreach` get their values. */
export interface Binder {
  /** Binds a value to patterns and runs `body` with every resulting environment. */
  readonly run: (value: JqValue, env: Env, body: (inner: Env) => void) => void;
  /** Whether the pattern is one name, so that binding is only a new environment. */
  readonly simple: boolean;
}

/** `source as patterns | body` */
export function bindCode(source: Code, binding: Binder, body: Code): Code {
  const { single: first } = source;
  const { single: second, each: bodyEach } = body;
  if (!binding.simple || first === undefined) {
    return codeOfEach((input, env, emit, path) =>
      source.each(input, env, (bound) => binding.run(bound, env, (inner) => void bodyEach(input, inner, emit, path))),
    );
  }
  const each: Each = (input, env, emit, path) => bodyEach(input, { parent: env, value: first(input, env) }, emit, path);
  if (second === undefined) return codeOfEach(each);
  return { single: (input, env) => second(input, { parent: env, value: first(input, env) }), each };
}

/** Updates the state of a `reduce`; containers that the `reduce` itself created are changed in place. */
export type UpdateInPlace = (state: JqValue, env: Env, owned: Owned) => JqValue;

interface Loop {
  readonly source: Code;
  readonly binding: Binder;
  readonly init: Code;
  readonly update: Code;
}

/** `reduce source as patterns (init; update)`; `inPlace` does the same as `update` if that is possible. */
export function reduceCode(loop: Loop, inPlace: UpdateInPlace | undefined): Code {
  const { source, binding, init, update } = loop;
  const next: UpdateInPlace = inPlace ?? update.single ?? ((state, env) => lastOutput(update, state, env));
  const reduceFrom = (start: JqValue, input: JqValue, env: Env): JqValue => {
    let state = start;
    const owned: Owned = new Set();
    const turn = (inner: Env): void => {
      state = next(state, inner, owned);
    };
    if (binding.simple) source.each(input, env, (value) => turn({ parent: env, value }));
    else source.each(input, env, (value) => binding.run(value, env, turn));
    // while it grew, only the added parts counted
    if (typeof state === 'string') countString(state.length);
    return state;
  };
  const singleInit = init.single;
  const track = trackReduce(loop);
  const each: Each = (input, env, emit, path) => {
    if (path !== undefined) return track(input, env, emit, path);
    return init.each(input, env, (start) => emit(reduceFrom(start, input, env)));
  };
  if (singleInit === undefined) return codeOfEach(each);
  return codeOfSingle((input, env) => reduceFrom(singleInit(input, env), input, env), each);
}

function lastOutput(code: Code, input: JqValue, env: Env, path?: Path): JqValue {
  let last: JqValue = null;
  code.each(input, env, (value) => void (last = value), path);
  return last;
}

/** As in jq, the source is part of the path, and the places that the updates visit are forgotten at the end. */
function trackReduce({ source, init, binding, update }: Loop): Each {
  return (input, env, emit, path) => {
    const reduceFrom: Emit = (start, startPath) => {
      let state = start;
      const turn: Emit = (value, turnPath) =>
        binding.run(value, env, (inner) => {
          state = lastOutput(update, state, inner, turnPath);
        });
      source.each(input, env, turn, startPath);
      emit(state, startPath);
    };
    init.each(input, env, reduceFrom, path);
  };
}

/** `foreach source as patterns (init; update; extract)` */
export function foreachCode({ source, binding, init, update }: Loop, extract: Code): Code {
  return codeOfEach((input, env, emit, path) => {
    const startFrom: Emit = (start, startPath) => {
      let state = start;
      const turn: Emit = (bound, turnPath) =>
        binding.run(bound, env, (inner) => {
          const next: Emit = (value, nextPath) => {
            state = value;
            extract.each(value, inner, emit, nextPath);
          };
          update.each(state, inner, next, turnPath);
        });
      source.each(input, env, turn, startPath);
    };
    init.each(input, env, startFrom, path);
  });
}

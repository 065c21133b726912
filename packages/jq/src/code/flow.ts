import { isTruthy, type JqValue } from '../jq-value.ts';
import { type Failure, isFailure, runState, spendThrow } from '../run-state.ts';
import {
  type Code,
  codeOfEach,
  codeOfSingle,
  codeOfTail,
  type Each,
  type EachPath,
  type Env,
  identity,
  lazily,
  type Single,
  type Path,
  type Stop,
} from './code.ts';

/** `left | right` */
export function pipe(left: Code, right: Code, tail = false): Code {
  if (left === identity) return right;
  if (right === identity && !tail) return left;
  const paths = lazily((): EachPath => {
    const leftPaths = left.paths();
    const rightPaths = right.paths();
    return (path, value, env, emit) => {
      leftPaths(path, value, env, (innerPath, inner) => rightPaths(innerPath, inner, env, emit));
    };
  });
  const first = left.single;
  const second = right.single;
  if (first === undefined) {
    const leftEach = left.each;
    const each: Each =
      second === undefined
        ? (input, env, emit) => {
            leftEach(input, env, (value) => {
              right.each(value, env, emit);
            });
          }
        : (input, env, emit) => {
            leftEach(input, env, (value) => emit(second(value, env)));
          };
    return codeOfEach(each, paths);
  }
  if (second === undefined) return codeOfEach((input, env, emit) => right.each(first(input, env), env, emit), paths);
  const single: Single = (input, env) => second(first(input, env), env);
  return tail ? codeOfTail(single, paths) : codeOfSingle(single, paths);
}

/** `left, right` */
export function sequence(left: Code, right: Code): Code {
  // the left side of a comma is never in tail position, so only the right side's result matters
  return codeOfEach(
    (input, env, emit) => {
      left.each(input, env, emit);
      return right.each(input, env, emit);
    },
    lazily(() => {
      const leftPaths = left.paths();
      const rightPaths = right.paths();
      return (path, value, env, emit) => {
        leftPaths(path, value, env, emit);
        rightPaths(path, value, env, emit);
      };
    }),
  );
}

/** `if condition then then else otherwise end` */
export function choose(condition: Code, then: Code, otherwise: Code, tail = false): Code {
  const paths = lazily((): EachPath => {
    const thenPaths = then.paths();
    const otherwisePaths = otherwise.paths();
    return (path, value, env, emit) => {
      condition.each(value, env, (decision) =>
        (isTruthy(decision) ? thenPaths : otherwisePaths)(path, value, env, emit),
      );
    };
  });
  const test = condition.single;
  if (test === undefined) {
    return codeOfEach((input, env, emit) => {
      condition.each(input, env, (decision) => {
        (isTruthy(decision) ? then : otherwise).each(input, env, emit);
      });
    }, paths);
  }
  const singleThen = then.single;
  const singleOtherwise = otherwise.single;
  if (singleThen === undefined || singleOtherwise === undefined) {
    return codeOfEach(
      (input, env, emit) => (isTruthy(test(input, env)) ? then : otherwise).each(input, env, emit),
      paths,
    );
  }
  const single: Single = (input, env) =>
    isTruthy(test(input, env)) ? singleThen(input, env) : singleOtherwise(input, env);
  return tail ? codeOfTail(single, paths) : codeOfSingle(single, paths);
}

/** Receives an output, with its path if paths are needed. */
type Deliver = (value: JqValue, path?: Path) => void;

/**
 * Runs a generator and returns the error that ends it. An error raised by the receiver of the outputs is
 * not the generator's, and is passed on.
 */
function attempt(run: (deliver: Deliver) => void, emit: Deliver): Failure | undefined {
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
  const paths = lazily(() => tryPaths(body.paths(), handler));
  const { single } = body;
  if (single !== undefined && handler?.single !== undefined)
    return codeOfSingle(trySingle(single, handler.single), paths);
  return codeOfEach((input, env, emit) => {
    const failure = attempt((deliver) => body.each(input, env, deliver), emit);
    if (failure !== undefined) handler?.each(failure.value, env, emit);
  }, paths);
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

function tryPaths(body: EachPath, handler: Code | undefined): EachPath {
  return (path, value, env, emit) => {
    const failure = attempt(
      (deliver) => body(path, value, env, (innerPath, inner) => deliver(inner, innerPath)),
      (inner, innerPath) => emit(innerPath!, inner),
    );
    if (failure !== undefined) handler?.paths()(path, failure.value, env, emit);
  };
}

/** `left // right`: the truthy outputs of the left side; if there are none, the right side. */
export function alternative(left: Code, right: Code): Code {
  const first = left.single;
  const second = right.single;
  const paths = lazily(() => alternativePaths(left.paths(), right.paths()));
  if (first !== undefined && second !== undefined) {
    return codeOfSingle((input, env) => {
      const value = first(input, env);
      return isTruthy(value) ? value : second(input, env);
    }, paths);
  }
  return codeOfEach((input, env, emit) => {
    let hasOutput = false;
    left.each(input, env, (value) => {
      if (!isTruthy(value)) return;
      hasOutput = true;
      emit(value);
    });
    if (!hasOutput) right.each(input, env, emit);
  }, paths);
}

function alternativePaths(left: EachPath, right: EachPath): EachPath {
  return (path, value, env, emit) => {
    let hasOutput = false;
    left(path, value, env, (innerPath, inner) => {
      if (!isTruthy(inner)) return;
      hasOutput = true;
      emit(innerPath, inner);
    });
    if (!hasOutput) right(path, value, env, emit);
  };
}

/** `label $name | body`: the body finds its label in the innermost environment. */
export function labelled(body: Code): Code {
  const within = (env: Env, run: (inner: Env) => void): void => {
    const { depth } = runState;
    const stop: Stop = { stop: true };
    try {
      run({ parent: env, value: stop });
    } catch (thrown) {
      if (thrown !== stop) throw thrown;
      runState.depth = depth;
    }
  };
  return codeOfEach(
    (input, env, emit) => {
      within(env, (inner) => {
        body.each(input, inner, emit);
      });
    },
    lazily(() => {
      const bodyPaths = body.paths();
      return (path, value, env, emit) => within(env, (inner) => bodyPaths(path, value, inner, emit));
    }),
  );
}

/** `break $name`, with a function that finds the environment of the label. */
export function breakTo(labelOf: (env: Env) => Env): Code {
  return codeOfEach(
    (_input, env) => {
      spendThrow();
      throw labelOf(env).value as Stop;
    },
    () => (_path, _value, env) => {
      spendThrow();
      throw labelOf(env).value as Stop;
    },
  );
}

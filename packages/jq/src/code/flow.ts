import { isTruthy, type JqValue } from '../jq-value.ts';
import { type Failure, isFailure, runState } from '../run-state.ts';
import {
  type Code,
  codeOfEach,
  codeOfOne,
  codeOfTail,
  type Each,
  type EachPath,
  type Env,
  identity,
  lazily,
  type One,
  type Path,
  type Stop,
  throwStop,
  untilStopped,
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
  const first = left.one;
  const second = right.one;
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
  const one: One = (input, env) => second(first(input, env), env);
  return tail ? codeOfTail(one, paths) : codeOfOne(one, paths);
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
  const test = condition.one;
  if (test === undefined) {
    return codeOfEach((input, env, emit) => {
      condition.each(input, env, (decision) => {
        (isTruthy(decision) ? then : otherwise).each(input, env, emit);
      });
    }, paths);
  }
  const thenOne = then.one;
  const otherwiseOne = otherwise.one;
  if (thenOne === undefined || otherwiseOne === undefined) {
    return codeOfEach(
      (input, env, emit) => (isTruthy(test(input, env)) ? then : otherwise).each(input, env, emit),
      paths,
    );
  }
  const one: One = (input, env) => (isTruthy(test(input, env)) ? thenOne(input, env) : otherwiseOne(input, env));
  return tail ? codeOfTail(one, paths) : codeOfOne(one, paths);
}

/** Takes an output, with its path where paths are asked for. */
type Deliver = (value: JqValue, path?: Path) => void;

/**
 * Runs a generator and gives back the error it ends with. An error raised by whoever receives the outputs is not the
 * generator's, and passes.
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
  const { one } = body;
  if (one !== undefined && handler?.one !== undefined) return codeOfOne(tryOne(one, handler.one), paths);
  return codeOfEach((input, env, emit) => {
    const failure = attempt((deliver) => body.each(input, env, deliver), emit);
    if (failure !== undefined) handler?.each(failure.value, env, emit);
  }, paths);
}

function tryOne(one: One, handler: One): One {
  return (input, env) => {
    const { depth } = runState;
    try {
      return one(input, env);
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
      (inner, innerPath) => emit(innerPath, inner),
    );
    // the handler's input is the message, which has no path
    if (failure !== undefined) handler?.paths()(undefined, failure.value, env, emit);
  };
}

/** `left // right`: the truthy outputs of the left side; if there are none, the right side. Errors on the left count as ends. */
export function alternative(left: Code, right: Code): Code {
  const first = left.one;
  const second = right.one;
  const paths = lazily(() => alternativePaths(left.paths(), right.paths()));
  if (first !== undefined && second !== undefined) {
    const firstOrNull = tryOne(first, () => null);
    return codeOfOne((input, env) => {
      const value = firstOrNull(input, env);
      return isTruthy(value) ? value : second(input, env);
    }, paths);
  }
  return codeOfEach((input, env, emit) => {
    let found = false;
    const take = (value: JqValue): void => {
      found = true;
      emit(value);
    };
    attempt((deliver) => {
      left.each(input, env, (value) => {
        if (isTruthy(value)) deliver(value);
      });
    }, take);
    if (!found) right.each(input, env, emit);
  }, paths);
}

function alternativePaths(left: EachPath, right: EachPath): EachPath {
  return (path, value, env, emit) => {
    let found = false;
    const take: Deliver = (inner, innerPath) => {
      found = true;
      emit(innerPath, inner);
    };
    attempt((deliver) => {
      left(path, value, env, (innerPath, inner) => {
        if (isTruthy(inner)) deliver(inner, innerPath);
      });
    }, take);
    if (!found) right(path, value, env, emit);
  };
}

/** `label $name | body`: the body finds its label in the innermost environment. */
export function labelled(body: Code): Code {
  const within = (env: Env, run: (inner: Env) => void): void =>
    untilStopped((stop) => run({ parent: env, value: stop }));
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
  const leave = (env: Env): never => throwStop(labelOf(env).value as Stop);
  return codeOfEach(
    (_input, env) => leave(env),
    () => (_path, _value, env) => leave(env),
  );
}

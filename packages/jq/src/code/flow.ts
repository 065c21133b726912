import { isTruthy, type JqValue } from '../jq-value.ts';
import { countString, type Failure, isFailure, runState, spendThrow } from '../run-state.ts';
import type { Owned } from '../values/access.ts';
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
  type Path,
  type Single,
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

/** How the variables of `as`, `reduce` and `foreach` get their values. */
export interface Binder {
  /** Binds a value to patterns and runs `body` with every resulting environment. */
  readonly run: (value: JqValue, env: Env, body: (inner: Env) => void) => void;
  /** Whether the pattern is one name, so that binding is only a new environment. */
  readonly simple: boolean;
}

/** `source as patterns | body`; `tail` is whether the body may make tail calls. */
export function bindCode(source: Code, binding: Binder, body: Code, tail: boolean): Code {
  const paths = lazily((): EachPath => {
    const bodyPaths = body.paths();
    return (path, value, env, emit) => {
      source.each(value, env, (bound) => {
        binding.run(bound, env, (inner) => bodyPaths(path, value, inner, emit));
      });
    };
  });
  const first = source.single;
  const second = body.single;
  if (binding.simple && first !== undefined) {
    if (second === undefined) {
      return codeOfEach((input, env, emit) => body.each(input, { parent: env, value: first(input, env) }, emit), paths);
    }
    const single: Single = (input, env) => second(input, { parent: env, value: first(input, env) });
    return tail ? codeOfTail(single, paths) : codeOfSingle(single, paths);
  }
  return codeOfEach((input, env, emit) => {
    source.each(input, env, (bound) => {
      binding.run(bound, env, (inner) => {
        body.each(input, inner, emit);
      });
    });
  }, paths);
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
  const reduceFrom = (start: JqValue, input: JqValue, env: Env): JqValue => {
    let state = start;
    const singleUpdate = update.single;
    const owned: Owned = new Set();
    const turn =
      inPlace !== undefined
        ? (inner: Env): void => {
            state = inPlace(state, inner, owned);
          }
        : singleUpdate === undefined
          ? (inner: Env): void => {
              let last: JqValue = null;
              update.each(state, inner, (value) => {
                last = value;
              });
              state = last;
            }
          : (inner: Env): void => {
              state = singleUpdate(state, inner);
            };
    if (binding.simple) source.each(input, env, (value) => turn({ parent: env, value }));
    else source.each(input, env, (value) => binding.run(value, env, turn));
    // while it grew, only the added parts counted
    if (typeof state === 'string') countString(state.length);
    return state;
  };
  const paths = lazily(() => reducePaths(loop));
  const singleInit = init.single;
  if (singleInit !== undefined)
    return codeOfSingle((input, env) => reduceFrom(singleInit(input, env), input, env), paths);
  return codeOfEach((input, env, emit) => {
    init.each(input, env, (start) => emit(reduceFrom(start, input, env)));
  }, paths);
}

/** As in jq, the source is part of the path, and the places that the updates visit are forgotten at the end. */
function reducePaths({ source, init, binding, update }: Loop): EachPath {
  const initPaths = init.paths();
  const sourcePaths = source.paths();
  const updatePaths = update.paths();
  return (path, input, env, emit) => {
    initPaths(path, input, env, (startPath, start) => {
      let state = start;
      sourcePaths(startPath, input, env, (turnPath, value) => {
        binding.run(value, env, (inner) => {
          let last: JqValue = null;
          updatePaths(turnPath, state, inner, (_path, next) => {
            last = next;
          });
          state = last;
        });
      });
      emit(startPath, state);
    });
  };
}

/** `foreach source as patterns (init; update; extract)` */
export function foreachCode({ source, binding, init, update }: Loop, extract: Code): Code {
  return codeOfEach(
    (input, env, emit) => {
      init.each(input, env, (start) => {
        let state = start;
        source.each(input, env, (bound) => {
          binding.run(bound, env, (inner) => {
            update.each(state, inner, (value) => {
              state = value;
              extract.each(value, inner, emit);
            });
          });
        });
      });
    },
    lazily(() => {
      const initPaths = init.paths();
      const sourcePaths = source.paths();
      const updatePaths = update.paths();
      const extractPaths = extract.paths();
      return (path, input, env, emit) => {
        initPaths(path, input, env, (startPath, start) => {
          let state = start;
          sourcePaths(startPath, input, env, (turnPath, bound) => {
            binding.run(bound, env, (inner) => {
              updatePaths(turnPath, state, inner, (nextPath, next) => {
                state = next;
                extractPaths(nextPath, next, inner, emit);
              });
            });
          });
        });
      };
    }),
  );
}

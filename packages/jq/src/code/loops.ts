import type { JqValue } from '../jq-value.ts';
import { countString } from '../run-state.ts';
import type { Owned } from '../values/paths.ts';
import {
  type Code,
  codeOfEach,
  codeOfSingle,
  codeOfTail,
  type EachPath,
  type Env,
  lazily,
  type Single,
} from './code.ts';

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

import type { JqValue } from '../jq-value.ts';
import { countString, isFailure, runState } from '../run-state.ts';
import type { NodeOf, Pattern } from '../syntax/syntax-tree.ts';
import type { Owned } from '../values/paths.ts';
import {
  type Code,
  codeOfEach,
  codeOfOne,
  codeOfTail,
  computedPaths,
  type Env,
  lazily,
  type One,
  type Path,
} from './code.ts';
import { compileNode, identity } from './compile-node.ts';
import { compileDestructuring, namesOf } from './destructuring.ts';
import { compileInPlace } from './in-place.ts';
import { bind, type Scope, type Site } from './scope.ts';

/** Binds a value to patterns and runs `body` with every resulting environment. */
type Binder = (value: JqValue, env: Env, body: (inner: Env) => void) => void;

interface Binding {
  readonly site: Site;
  readonly run: Binder;
  /** Whether the pattern is one name, so that binding is only a new environment. */
  readonly simple: boolean;
}

function compileBinding(patterns: readonly Pattern[], site: Site): Binding {
  const level = site.level + 1;
  const [only] = patterns;
  if (patterns.length === 1 && only?.type === 'name') {
    const scope = bind(site.scope, { kind: 'variable', name: only.name, level, index: undefined });
    return { site: { ...site, scope, level }, run: (value, parent, body) => body({ parent, value }), simple: true };
  }
  const names = [...new Set(patterns.flatMap(namesOf))];
  const scope = names.reduce<Scope | undefined>(
    (outer, name, index) => bind(outer, { kind: 'variable', name, level, index }),
    site.scope,
  );
  const inner: Site = { ...site, scope, level };
  const alternatives = patterns.map((pattern) => compileDestructuring(pattern, inner, names));
  const blank = names.map(() => null);
  const run: Binder = (value, parent, body) => {
    for (const [index, destructure] of alternatives.entries()) {
      const values: JqValue[] = [...blank];
      const { depth } = runState;
      try {
        destructure(value, { parent, value: values }, values, body);
        return;
      } catch (thrown) {
        // an error sends us to the next alternative, be it from the pattern or from the body
        if (!isFailure(thrown) || index === alternatives.length - 1) throw thrown;
        runState.depth = depth;
      }
    }
  };
  return { site: inner, run, simple: false };
}

export function compileBind(node: NodeOf<'bind'>, site: Site, tail: boolean): Code {
  const source = compileNode(node.source, site);
  const binding = compileBinding(node.patterns, site);
  const inTail = tail && binding.simple && source.one !== undefined;
  const body = compileNode(node.body, binding.site, inTail);
  const paths = lazily(() => {
    const bodyPaths = body.paths();
    return (path: Path, value: JqValue, env: Env, emit: Parameters<typeof bodyPaths>[3]): void => {
      source.each(value, env, (bound) => {
        binding.run(bound, env, (inner) => bodyPaths(path, value, inner, emit));
      });
    };
  });
  const first = source.one;
  const second = body.one;
  if (binding.simple && first !== undefined) {
    if (second === undefined) {
      return codeOfEach((input, env, emit) => body.each(input, { parent: env, value: first(input, env) }, emit), paths);
    }
    const one: One = (input, env) => second(input, { parent: env, value: first(input, env) });
    return inTail ? codeOfTail(one, paths) : codeOfOne(one, paths);
  }
  return codeOfEach((input, env, emit) => {
    source.each(input, env, (bound) => {
      binding.run(bound, env, (inner) => {
        body.each(input, inner, emit);
      });
    });
  }, paths);
}

export function compileReduce(node: NodeOf<'reduce'>, site: Site): Code {
  const source = compileNode(node.source, site);
  const init = compileNode(node.init, site);
  const binding = compileBinding(node.patterns, site);
  const update = compileNode(node.update, binding.site);
  const inPlace = compileInPlace(node.update, binding.site);
  const reduceFrom = (start: JqValue, input: JqValue, env: Env): JqValue => {
    let state = start;
    const updateOne = update.one;
    const owned: Owned = new Set();
    const turn =
      inPlace !== undefined
        ? (inner: Env): void => {
            state = inPlace(state, inner, owned);
          }
        : updateOne === undefined
          ? (inner: Env): void => {
              let last: JqValue = null;
              update.each(state, inner, (value) => {
                last = value;
              });
              state = last;
            }
          : (inner: Env): void => {
              state = updateOne(state, inner);
            };
    if (binding.simple) source.each(input, env, (value) => turn({ parent: env, value }));
    else source.each(input, env, (value) => binding.run(value, env, turn));
    // while it grew, only what was added counted
    if (typeof state === 'string') countString(state.length);
    return state;
  };
  const paths = lazily(() => reducePaths(source, init, binding, update));
  const initOne = init.one;
  if (initOne !== undefined) return codeOfOne((input, env) => reduceFrom(initOne(input, env), input, env), paths);
  return codeOfEach((input, env, emit) => {
    init.each(input, env, (start) => emit(reduceFrom(start, input, env)));
  }, paths);
}

function reducePaths(source: Code, init: Code, binding: Binding, update: Code): ReturnType<typeof computedPaths> {
  const initPaths = init.paths();
  const updatePaths = update.paths();
  return (path, input, env, emit) => {
    initPaths(path, input, env, (startPath, start) => {
      let statePath = startPath;
      let state = start;
      source.each(input, env, (value) => {
        binding.run(value, env, (inner) => {
          let last: { readonly path: Path; readonly value: JqValue } = { path: undefined, value: null };
          updatePaths(statePath, state, inner, (nextPath, next) => {
            last = { path: nextPath, value: next };
          });
          statePath = last.path;
          state = last.value;
        });
      });
      emit(statePath, state);
    });
  };
}

export function compileForeach(node: NodeOf<'foreach'>, site: Site): Code {
  const source = compileNode(node.source, site);
  const init = compileNode(node.init, site);
  const binding = compileBinding(node.patterns, site);
  const update = compileNode(node.update, binding.site);
  const extract = node.extract === undefined ? identity : compileNode(node.extract, binding.site);
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
      const updatePaths = update.paths();
      const extractPaths = extract.paths();
      return (path, input, env, emit) => {
        initPaths(path, input, env, (startPath, start) => {
          let statePath = startPath;
          let state = start;
          source.each(input, env, (bound) => {
            binding.run(bound, env, (inner) => {
              updatePaths(statePath, state, inner, (nextPath, next) => {
                statePath = nextPath;
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

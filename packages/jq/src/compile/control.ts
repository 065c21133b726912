import { isTruthy, type JqValue } from '../jq-value.ts';
import { type Failure, isFailure, runState, spendThrow } from '../run-state.ts';
import type { NodeOf } from '../syntax/syntax-tree.ts';
import {
  type Code,
  codeOfEach,
  codeOfOne,
  type EachPath,
  type Env,
  lazily,
  newStop,
  type One,
  type Path,
  type Stop,
} from './code.ts';
import { compileNode } from './compile-node.ts';
import { bind, environmentAt, findLabel, type Site } from './scope.ts';
import { unknownLabel } from './unknown-name.ts';

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

export function compileTry(node: NodeOf<'try'>, site: Site): Code {
  const body = compileNode(node.body, site);
  const handler = node.handler === undefined ? undefined : compileNode(node.handler, site);
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

export function compileLabel(node: NodeOf<'label'>, site: Site): Code {
  const level = site.level + 1;
  const body = compileNode(node.body, {
    ...site,
    scope: bind(site.scope, { kind: 'label', name: node.name, level }),
    level,
  });
  const within = (env: Env, run: (inner: Env) => void): void => {
    const { depth } = runState;
    const stop = newStop();
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

export function compileBreak(node: NodeOf<'break'>, site: Site): Code {
  const label = findLabel(site.scope, node.name);
  if (label === undefined) throw unknownLabel(node, site);
  const at = environmentAt(site.level - label.level);
  return codeOfEach(
    (_input, env) => {
      spendThrow();
      throw at(env).value as Stop;
    },
    () => (_path, _value, env) => {
      spendThrow();
      throw at(env).value as Stop;
    },
  );
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

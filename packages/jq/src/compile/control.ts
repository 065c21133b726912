import { sourceError } from '../jq-error.ts';
import { isFailure, runState } from '../run-state.ts';
import type { NodeOf } from '../syntax/syntax-tree.ts';
import { isTruthy, type JqValue } from '../values/jq-value.ts';
import {
  type Code,
  codeOfEach,
  codeOfOne,
  type EachPath,
  type Env,
  lazily,
  newStop,
  type One,
  type Stop,
} from './code.ts';
import { compileNode } from './compile-node.ts';
import { bind, environmentAt, findLabel, type Site } from './scope.ts';

export function compileTry(node: NodeOf<'try'>, site: Site): Code {
  const body = compileNode(node.body, site);
  const handler = node.handler === undefined ? undefined : compileNode(node.handler, site);
  const paths = lazily(() => tryPaths(body.paths(), handler));
  const { one } = body;
  if (one !== undefined && handler?.one !== undefined) return codeOfOne(tryOne(one, handler.one), paths);
  return codeOfEach((input, env, emit) => {
    const { depth } = runState;
    // an error raised by whoever receives the outputs is not this body's error
    let outside = false;
    try {
      body.each(input, env, (value) => {
        outside = true;
        emit(value);
        outside = false;
      });
    } catch (thrown) {
      if (outside || !isFailure(thrown)) throw thrown;
      runState.depth = depth;
      if (handler !== undefined) handler.each(thrown.value, env, emit);
    }
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
    const { depth } = runState;
    let outside = false;
    try {
      body(path, value, env, (innerPath, inner) => {
        outside = true;
        emit(innerPath, inner);
        outside = false;
      });
    } catch (thrown) {
      if (outside || !isFailure(thrown)) throw thrown;
      runState.depth = depth;
      // the handler's input is the message, which has no path
      if (handler !== undefined) handler.paths()(undefined, thrown.value, env, emit);
    }
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
  if (label === undefined)
    throw sourceError('compile', `$*label-${node.name} is not defined`, site.context.source, node.at);
  const at = environmentAt(site.level - label.level);
  return codeOfEach(
    (_input, env) => {
      throw at(env).value as Stop;
    },
    () => (_path, _value, env) => {
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
    return codeOfOne((input, env) => {
      const value = valueOrNull(first, input, env);
      return isTruthy(value) ? value : second(input, env);
    }, paths);
  }
  return codeOfEach((input, env, emit) => {
    const { depth } = runState;
    let found = false;
    let outside = false;
    try {
      left.each(input, env, (value) => {
        if (!isTruthy(value)) return;
        found = true;
        outside = true;
        emit(value);
        outside = false;
      });
    } catch (thrown) {
      if (outside || !isFailure(thrown)) throw thrown;
      runState.depth = depth;
    }
    if (!found) right.each(input, env, emit);
  }, paths);
}

function valueOrNull(one: One, input: JqValue, env: Env): JqValue {
  const { depth } = runState;
  try {
    return one(input, env);
  } catch (thrown) {
    if (!isFailure(thrown)) throw thrown;
    runState.depth = depth;
    return null;
  }
}

function alternativePaths(left: EachPath, right: EachPath): EachPath {
  return (path, value, env, emit) => {
    const { depth } = runState;
    let found = false;
    let outside = false;
    try {
      left(path, value, env, (innerPath, inner) => {
        if (!isTruthy(inner)) return;
        found = true;
        outside = true;
        emit(innerPath, inner);
        outside = false;
      });
    } catch (thrown) {
      if (outside || !isFailure(thrown)) throw thrown;
      runState.depth = depth;
    }
    if (!found) right(path, value, env, emit);
  };
}

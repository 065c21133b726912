import { isArray, isTruthy, type JqValue, writeKey } from '../jq-value.ts';
import { countArray, countObject, step } from '../run-state.ts';
import type { Node } from '../syntax/syntax-tree.ts';
import { cannotIterate, getKey, setKey } from '../values/access.ts';
import type { Code, Env } from './code.ts';
import { compileNode } from './compile-node.ts';
import { findCallable, type Site } from './scope.ts';

/** Replaces what stands at some places by what `change` makes of it. */
export type UpdatePlaces = (input: JqValue, env: Env, change: (old: JqValue) => JqValue) => JqValue;

/**
 * A direct way to update simple places such as `.a.b[0]`, `.[].c` and `.[] | select(…) | .d`. Such places do not
 * overlap and their keys do not depend on the data, so walking down and rebuilding on the way up gives what going
 * through all paths gives, without the paths. Anything else: `undefined`.
 */
export function compilePlaces(node: Node, site: Site): UpdatePlaces | undefined {
  switch (node.type) {
    case 'identity':
      return (input, _env, change) => change(input);
    case 'pipe':
      return inside(compilePlaces(node.left, site), compilePlaces(node.right, site));
    case 'iterate':
      return inside(compilePlaces(node.target, site), updateItems);
    case 'index':
      if (node.key.type !== 'literal' && node.key.type !== 'variable') return undefined;
      return inside(compilePlaces(node.target, site), updateKey(compileNode(node.key, site)));
    case 'call': {
      const [condition] = node.args;
      if (node.name !== 'select' || node.args.length !== 1 || condition === undefined) return undefined;
      if (findCallable(site.scope, 'select', 1) !== undefined) return undefined;
      return updateIf(compileNode(condition, site));
    }
    default:
      return undefined;
  }
}

function inside(outer: UpdatePlaces | undefined, inner: UpdatePlaces | undefined): UpdatePlaces | undefined {
  if (outer === undefined || inner === undefined) return undefined;
  return (input, env, change) => outer(input, env, (value) => inner(value, env, change));
}

function updateKey(key: Code): UpdatePlaces | undefined {
  const { one } = key;
  if (one === undefined) return undefined;
  return (input, env, change) => {
    const name = one(null, env);
    return setKey(input, name, change(getKey(input, name)));
  };
}

const updateItems: UpdatePlaces = (input, _env, change) => {
  if (isArray(input)) {
    countArray(input.length);
    return input.map((item) => {
      step();
      return change(item);
    });
  }
  if (typeof input !== 'object' || input === null) return cannotIterate(input);
  const result: { [key: string]: JqValue } = {};
  const keys = Object.keys(input);
  countObject(keys.length);
  for (const key of keys) {
    step();
    writeKey(result, key, change(input[key]!));
  }
  return result;
};

function updateIf(condition: Code): UpdatePlaces | undefined {
  const { one } = condition;
  if (one === undefined) return undefined;
  return (input, env, change) => (isTruthy(one(input, env)) ? change(input) : input);
}

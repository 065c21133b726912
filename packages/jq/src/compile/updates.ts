import type { Single } from '../code/code.ts';
import type { UpdateInPlace } from '../code/loops.ts';
import { placesInside, updateIf, updateItems, updateKey, type UpdatePlaces } from '../code/updates.ts';
import { isArray, isObject, isTruthy, type JqValue, writeKey } from '../jq-value.ts';
import { checkArrayLength, countArray, countObject, spendSteps } from '../run-state.ts';
import type { Node } from '../syntax/syntax-tree.ts';
import { addTo, arithmetic, type AssignmentOperator, changeOf } from '../values/arithmetic.ts';
import { getPath, setPath } from '../values/paths.ts';
import { compileInner, findCallable, type Site } from './scope.ts';

/**
 * A direct way to update simple places such as `.a.b[0]`, `.[].c` and `.[] | select(…) | .d`. Such places do not
 * overlap and their keys do not depend on the data, so walking down and rebuilding on the way up gives the same result as
 * iterating over all paths, without the paths. `undefined` for anything else.
 */
export function compilePlaces(node: Node, site: Site): UpdatePlaces | undefined {
  if ('optional' in node) return undefined;
  switch (node.type) {
    case 'identity':
      return (input, _env, change) => change(input);
    case 'pipe':
      return placesInside(compilePlaces(node.left, site), compilePlaces(node.right, site));
    case 'iterate':
      return placesInside(compilePlaces(node.target, site), updateItems);
    case 'index':
      if (node.key.type !== 'literal' && node.key.type !== 'variable') return undefined;
      return placesInside(compilePlaces(node.target, site), updateKey(compileInner(node.key, site)));
    case 'call': {
      const [condition] = node.args;
      if (node.name !== 'select' || node.args.length !== 1 || condition === undefined) return undefined;
      if (findCallable(site.scope, 'select', 1) !== undefined) return undefined;
      return updateIf(compileInner(condition, site));
    }
    default:
      return undefined;
  }
}

/**
 * A `reduce` that sets one key per turn must not copy all keys per turn. This finds updates that never leak the
 * state: chains of `.[key] = value`, `.[key] += value`, `. + value` and the like, whose keys and values do not come
 * from the state. Then nothing else refers to the values that the `reduce` created. `undefined` for anything else.
 */
export function compileInPlace(node: Node, site: Site): UpdateInPlace | undefined {
  switch (node.type) {
    case 'identity':
      return (state) => state;
    case 'pipe': {
      const first = compileInPlace(node.left, site);
      const second = first === undefined ? undefined : compileInPlace(node.right, site);
      if (first === undefined || second === undefined) return undefined;
      return (state, env, owned) => second(first(state, env, owned), env, owned);
    }
    case 'if': {
      const then = compileInPlace(node.then, site);
      const otherwise = compileInPlace(node.otherwise ?? { type: 'identity', at: node.at }, site);
      const test =
        then === undefined || otherwise === undefined ? undefined : compileInner(node.condition, site).single;
      if (then === undefined || otherwise === undefined || test === undefined) return undefined;
      return (state, env, owned) => (isTruthy(test(state, env)) ? then : otherwise)(state, env, owned);
    }
    case 'arithmetic': {
      if (node.operator !== '+') return undefined;
      const first = compileInPlace(node.left, site);
      const second = first === undefined ? undefined : appending(node.right, site);
      if (first === undefined || second === undefined) return undefined;
      return (state, env, owned) => second(first(state, env, owned), env, owned);
    }
    case 'assign':
      return assigning(node.operator, node.left, node.right, site);
    default:
      return undefined;
  }
}

/** Whether a piece provably ignores its input. */
function ignoresInput(node: Node): boolean {
  switch (node.type) {
    case 'literal':
    case 'variable':
    case 'location':
      return true;
    case 'index':
      return ignoresInput(node.target) && ignoresInput(node.key);
    case 'pipe':
      return ignoresInput(node.left);
    case 'negate':
      return ignoresInput(node.body);
    case 'arithmetic':
    case 'comparison':
    case 'alternative':
    case 'and':
    case 'or':
      return ignoresInput(node.left) && ignoresInput(node.right);
    case 'array':
      return node.body === undefined || ignoresInput(node.body);
    case 'object':
      return node.entries.every(({ key, value }) => ignoresInput(key) && ignoresInput(value));
    case 'string':
      return node.parts.every((part) => typeof part === 'string' || ignoresInput(part));
    default:
      return false;
  }
}

function independent(node: Node, site: Site): Single | undefined {
  return ignoresInput(node) ? compileInner(node, site).single : undefined;
}

function appending(right: Node, site: Site): UpdateInPlace | undefined {
  const operand = independent(right, site);
  if (operand === undefined) return undefined;
  return (state, env, owned) => {
    const more = operand(state, env);
    if (owned.has(state)) {
      if (isArray(state) && isArray(more)) {
        checkArrayLength(state.length + more.length);
        countArray(more.length);
        spendSteps(more.length >> 3);
        for (const item of more) (state as JqValue[]).push(item);
        return state;
      }
      if (isObject(state) && isObject(more)) {
        const keys = Object.keys(more);
        countObject(2 * keys.length);
        for (const key of keys) writeKey(state, key, more[key]!);
        return state;
      }
    }
    const sum = addTo(state, more);
    if (typeof sum === 'object' && sum !== state && sum !== more) owned.add(sum);
    return sum;
  };
}

/** The keys of a place such as `.a[$x]`, outermost first. */
function keysOf(node: Node, site: Site): readonly Single[] | undefined {
  if (node.type === 'identity') return [];
  if (node.type !== 'index' || node.optional === true) return undefined;
  const outer = keysOf(node.target, site);
  const key = outer === undefined ? undefined : independent(node.key, site);
  return outer === undefined || key === undefined ? undefined : [...outer, key];
}

function assigning(operator: AssignmentOperator, left: Node, right: Node, site: Site): UpdateInPlace | undefined {
  const keys = keysOf(left, site);
  if (keys === undefined || keys.length === 0) return undefined;
  const change = compileChange(operator, right, site);
  if (change === undefined) return undefined;
  return (state, env, owned) => {
    const path = keys.map((key) => key(state, env));
    return setPath(state, path, change(getPath(state, path), env), owned);
  };
}

function compileChange(operator: AssignmentOperator, right: Node, site: Site): Single | undefined {
  if (operator === '|=' && right.type === 'arithmetic' && right.left.type === 'identity') {
    const operand = independent(right.right, site);
    const apply = arithmetic[right.operator];
    return operand === undefined ? undefined : (old, env) => apply(old, operand(null, env));
  }
  const operand = independent(right, site);
  if (operand === undefined) return undefined;
  // if the right side ignores its input, `|=` is the same as `=`
  const change = changeOf(operator === '|=' ? '=' : operator);
  return (old, env) => change(old, operand(null, env));
}

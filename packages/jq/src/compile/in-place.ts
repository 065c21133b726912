import { isArray, isObject, isTruthy, type JqValue, writeKey } from '../jq-value.ts';
import { checkArrayLength, countArray, countObject, spendSteps } from '../run-state.ts';
import type { ArithmeticOperator, AssignmentOperator, Node } from '../syntax/syntax-tree.ts';
import { addTo, arithmetic } from '../values/arithmetic.ts';
import { getPath, type Owned, setPath } from '../values/paths.ts';
import type { Env, One } from './code.ts';
import { compileNode } from './compile-node.ts';
import type { Site } from './scope.ts';

/** Updates the state of a `reduce`; containers that the `reduce` itself has made are changed in place. */
type UpdateInPlace = (state: JqValue, env: Env, owned: Owned) => JqValue;

/**
 * A `reduce` that sets one key per turn must not copy all keys per turn. This finds updates that never let go of the
 * state: chains of `.[key] = value`, `.[key] += value`, `. + value` and the like, where keys and values do not come
 * from the state. Then what the `reduce` has made is seen by nobody else. Anything else: `undefined`.
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
      const test = then === undefined || otherwise === undefined ? undefined : compileNode(node.condition, site).one;
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

/** Whether a piece can be seen not to use its input. */
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

function independent(node: Node, site: Site): One | undefined {
  return ignoresInput(node) ? compileNode(node, site).one : undefined;
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
function keysOf(node: Node, site: Site): readonly One[] | undefined {
  if (node.type === 'identity') return [];
  if (node.type !== 'index') return undefined;
  const outer = keysOf(node.target, site);
  const key = outer === undefined ? undefined : independent(node.key, site);
  return outer === undefined || key === undefined ? undefined : [...outer, key];
}

function assigning(operator: AssignmentOperator, left: Node, right: Node, site: Site): UpdateInPlace | undefined {
  const keys = keysOf(left, site);
  if (keys === undefined || keys.length === 0) return undefined;
  const change = changeOf(operator, right, site);
  if (change === undefined) return undefined;
  return (state, env, owned) => {
    const path = keys.map((key) => key(state, env));
    return setPath(state, path, change(getPath(state, path), env), owned);
  };
}

function changeOf(operator: AssignmentOperator, right: Node, site: Site): One | undefined {
  if (operator === '|=' && right.type === 'arithmetic' && right.left.type === 'identity') {
    const operand = independent(right.right, site);
    const apply = arithmetic[right.operator];
    return operand === undefined ? undefined : (old, env) => apply(old, operand(null, env));
  }
  const operand = independent(right, site);
  if (operand === undefined) return undefined;
  if (operator === '=' || operator === '|=') return (_old, env) => operand(null, env);
  if (operator === '//=') return (old, env) => (isTruthy(old) ? old : operand(null, env));
  const apply = arithmetic[operator.slice(0, -1) as ArithmeticOperator];
  return (old, env) => apply(old, operand(null, env));
}

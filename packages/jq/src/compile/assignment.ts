import { isTruthy, type JqValue } from '../jq-value.ts';
import { runState, spendThrow } from '../run-state.ts';
import type { ArithmeticOperator, NodeOf } from '../syntax/syntax-tree.ts';
import { arithmetic } from '../values/arithmetic.ts';
import { deletePaths, getPath, type Owned, setPath } from '../values/paths.ts';
import { type Code, codeOfEach, codeOfOne, type Env, newStop } from './code.ts';
import { compileNode } from './compile-node.ts';
import { collectPaths } from './path-code.ts';
import { compilePlaces, type UpdatePlaces } from './places.ts';
import type { Site } from './scope.ts';

type Change = (old: JqValue) => JqValue;

export function compileAssign(node: NodeOf<'assign'>, site: Site): Code {
  const places = compileNode(node.left, site);
  const right = compileNode(node.right, site);
  const known = compilePlaces(node.left, site);
  if (node.operator === '|=') return modifyCode(places, right, known);
  const change = changeOf(node.operator);
  const apply = (input: JqValue, env: Env, operand: JqValue): JqValue =>
    changeAll(places, known, input, env, (old) => change(old, operand));
  const { one } = right;
  if (one !== undefined) return codeOfOne((input, env) => apply(input, env, one(input, env)));
  return codeOfEach((input, env, emit) => {
    right.each(input, env, (operand) => emit(apply(input, env, operand)));
  });
}

function changeOf(operator: string): (old: JqValue, operand: JqValue) => JqValue {
  if (operator === '=') return (_old, operand) => operand;
  if (operator === '//=') return (old, operand) => (isTruthy(old) ? old : operand);
  return arithmetic[operator.slice(0, -1) as ArithmeticOperator];
}

function changeAll(places: Code, known: UpdatePlaces | undefined, input: JqValue, env: Env, change: Change): JqValue {
  if (known !== undefined) return known(input, env, change);
  const owned: Owned = new Set();
  let result = input;
  for (const path of collectPaths(places, input, env)) {
    result = setPath(result, path, change(getPath(result, path)), owned);
  }
  return result;
}

/** `places |= update`: the first output of the update replaces the old value; without an output, the place is deleted. */
export function modifyCode(places: Code, update: Code, known?: UpdatePlaces): Code {
  const { one } = update;
  if (one !== undefined) {
    return codeOfOne((input, env) => changeAll(places, known, input, env, (old) => one(old, env)));
  }
  return codeOfOne((input, env) => {
    const owned: Owned = new Set();
    const deleted: JqValue[] = [];
    let result = input;
    for (const path of collectPaths(places, input, env)) {
      const first = firstOutput(update, getPath(result, path), env);
      if (first === undefined) deleted.push(path);
      else result = setPath(result, path, first, owned);
    }
    return deleted.length === 0 ? result : deletePaths(result, deleted);
  });
}

/** The first output, or `undefined` if there is none. */
export function firstOutput(code: Code, input: JqValue, env: Env): JqValue | undefined {
  if (code.one !== undefined) return code.one(input, env);
  const { depth } = runState;
  const stop = newStop();
  let first: JqValue | undefined;
  try {
    code.each(input, env, (value) => {
      first = value;
      spendThrow();
      throw stop;
    });
  } catch (thrown) {
    if (thrown !== stop) throw thrown;
    runState.depth = depth;
  }
  return first;
}

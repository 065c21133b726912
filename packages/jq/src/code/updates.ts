import { isArray, isTruthy, type JqValue, writeKey } from '../jq-value.ts';
import { countArray, countObject, raise, spendSteps, step } from '../run-state.ts';
import { cannotIterate, deletePaths, getKey, getPath, type Owned, setKey, setPath } from '../values/access.ts';
import { type AssignmentOperator, changeOf } from '../values/arithmetic.ts';
import { abbreviate } from '../values/json.ts';
import {
  type Code,
  codeOfValues,
  codeOfSingle,
  type Emit,
  type Env,
  firstOutput,
  type Path,
  rootPath,
  type Single,
  standsAt,
} from './code.ts';

export function pathKeys(path: Path): JqValue[] {
  const keys: JqValue[] = [];
  for (let link = path; link.parent !== undefined; link = link.parent) keys.push(link.key);
  countArray(keys.length);
  spendSteps(keys.length >> 1);
  return keys.reverse();
}

/** Every path that `body` visits, as an array of keys. */
function forEachPath(body: Code, input: JqValue, env: Env, emit: (keys: JqValue) => void): void {
  const take: Emit = (value, path) => {
    if (!standsAt(path!, value)) raise(`Invalid path expression with result ${abbreviate(value)}`);
    emit(pathKeys(path!));
  };
  body.each(input, env, take, rootPath(input));
}

export function collectPaths(body: Code, input: JqValue, env: Env): JqValue[] {
  const paths: JqValue[] = [];
  forEachPath(body, input, env, (path) => paths.push(path));
  return paths;
}

/** `path(body)` */
export function pathCode(body: Code): Code {
  return codeOfValues((input, env, emit) => forEachPath(body, input, env, emit));
}

/** `places = right` and the like; one output per output of the right side. */
export function assignCode(operator: AssignmentOperator, places: Code, right: Code, update?: UpdatePlaces): Code {
  if (operator === '|=') return modifyCode(places, right, update);
  const change = changeOf(operator);
  const apply = (input: JqValue, env: Env, operand: JqValue): JqValue =>
    changeAll(places, update, input, env, (old) => change(old, operand));
  const { single } = right;
  if (single !== undefined) return codeOfSingle((input, env) => apply(input, env, single(input, env)));
  return codeOfValues((input, env, emit) => {
    right.each(input, env, (operand) => emit(apply(input, env, operand)));
  });
}

function changeAll(
  places: Code,
  direct: UpdatePlaces | undefined,
  input: JqValue,
  env: Env,
  change: (old: JqValue) => JqValue,
): JqValue {
  if (direct !== undefined) return direct(input, env, change);
  const owned: Owned = new Set();
  let result = input;
  for (const path of collectPaths(places, input, env)) {
    result = setPath(result, path, change(getPath(result, path)), owned);
  }
  return result;
}

/** `places |= update`: the first output of the update replaces the old value; without an output, the place is deleted. */
export function modifyCode(places: Code, update: Code, direct?: UpdatePlaces): Code {
  const { single } = update;
  if (single !== undefined) {
    return codeOfSingle((input, env) => changeAll(places, direct, input, env, (old) => single(old, env)));
  }
  return codeOfSingle((input, env) => {
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

/** Replaces the values at some places by the result of `change`. */
export type UpdatePlaces = (input: JqValue, env: Env, change: (old: JqValue) => JqValue) => JqValue;

/** Places inside other places; undefined if either cannot be updated directly. */
export function placesInside(
  outer: UpdatePlaces | undefined,
  inner: UpdatePlaces | undefined,
): UpdatePlaces | undefined {
  if (outer === undefined || inner === undefined) return undefined;
  return (input, env, change) => outer(input, env, (value) => inner(value, env, change));
}

/** The place of a key that does not depend on the input. */
export function updateKey(key: Single): UpdatePlaces {
  return (input, env, change) => {
    const name = key(null, env);
    return setKey(input, name, change(getKey(input, name)));
  };
}

export const updateItems: UpdatePlaces = (input, _env, change) => {
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

export function updateIf(condition: Code): UpdatePlaces | undefined {
  const { single } = condition;
  if (single === undefined) return undefined;
  return (input, env, change) => (isTruthy(single(input, env)) ? change(input) : input);
}

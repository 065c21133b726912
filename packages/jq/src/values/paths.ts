import { isArray, isNumber, isObject, type JqArray, type JqValue, typeOf, writeKey } from '../jq-value.ts';
import { countArray, countObject, countValues, raise, spendKeys, spendLength, spendSteps, step } from '../run-state.ts';
import { boundIn, getKey, setKey, sliceRange, writeIndex } from './access.ts';
import { maxValueDepth } from './compare.ts';
import { toDouble } from './numbers.ts';
import { stringify } from './stringify.ts';

function checkPath(path: JqValue): JqArray {
  if (!isArray(path)) return raise('Path must be specified as an array');
  if (path.length > maxValueDepth) return raise('Path too deep');
  return path;
}

export function getPath(value: JqValue, path: JqValue): JqValue {
  let current = value;
  for (const key of checkPath(path)) {
    step();
    current = getKey(current, key);
  }
  return current;
}

/** Containers created during one operation; they are changed in place, because nothing else refers to them. */
export type Owned = Set<JqValue>;

/** The value with the place at `path` replaced; the path to it is copied, everything else is shared. */
export function setPath(value: JqValue, path: JqValue, replacement: JqValue, owned?: Owned): JqValue {
  const keys = checkPath(path);
  const parents: JqValue[] = [];
  let current = value;
  for (const key of keys) {
    step();
    parents.push(current);
    current = getKey(current, key);
  }
  let result = replacement;
  for (let index = keys.length - 1; index >= 0; index--) {
    result = replaceIn(parents[index]!, keys[index]!, result, owned);
  }
  return result;
}

function replaceIn(parent: JqValue, key: JqValue, replacement: JqValue, owned: Owned | undefined): JqValue {
  if (owned?.has(parent) === true) {
    if (typeof key === 'string' && isObject(parent)) {
      countValues(1);
      writeKey(parent, key, replacement);
      return parent;
    }
    if (isNumber(key) && isArray(parent)) {
      writeIndex(parent as never, toDouble(key), replacement);
      return parent;
    }
  }
  const result = setKey(parent, key, replacement);
  owned?.add(result);
  return result;
}

interface Deletion {
  readonly parent: JqArray;
  readonly keys: JqValue[];
}

/** The value without the places at `paths`. */
export function deletePaths(value: JqValue, paths: JqValue): JqValue {
  if (!isArray(paths)) return raise('Paths must be specified as an array');
  const deletions = new Map<string, Deletion>();
  for (const path of paths) {
    const keys = isArray(path) ? checkPath(path) : raise(`Path must be specified as array, not ${typeOf(path)}`);
    step();
    countValues(2);
    const last = keys.at(-1);
    if (last === undefined) return null;
    const parent = keys.slice(0, -1);
    const name = stringify(parent);
    const earlier = deletions.get(name);
    if (earlier === undefined) deletions.set(name, { parent, keys: [last] });
    else earlier.keys.push(last);
  }
  // all keys of one container at once, inner containers first, so that no deletion moves a place that is still to be deleted
  const ordered = [...deletions.values()].sort((left, right) => right.parent.length - left.parent.length);
  const owned: Owned = new Set();
  return ordered.reduce((result, deletion) => deleteIn(result, deletion, owned), value);
}

function deleteIn(value: JqValue, { parent, keys }: Deletion, owned: Owned): JqValue {
  const container = getPath(value, parent);
  if (container === null) return value;
  const rest = deleteKeys(container, keys);
  return rest === container ? value : setPath(value, parent, rest, owned);
}

function deleteKeys(value: JqValue, keys: readonly JqValue[]): JqValue {
  if (isArray(value)) {
    const gone = new Set<number>();
    for (const key of keys) markDeleted(value, key, gone);
    spendLength(2 * value.length);
    countArray(value.length);
    return gone.size === 0 ? value : value.filter((_item, index) => !gone.has(index));
  }
  const wrong = keys.find((key) => typeof key !== 'string');
  if (!isObject(value) || wrong !== undefined) return cannotDelete(value, wrong ?? keys[0]!);
  if (!keys.some((key) => Object.hasOwn(value, key as string))) return value;
  const gone = new Set(keys);
  const rest: { [key: string]: JqValue } = {};
  const present = Object.keys(value);
  spendKeys(2 * present.length);
  countObject(present.length);
  for (const key of present) if (!gone.has(key)) writeKey(rest, key, value[key]!);
  return rest;
}

function markDeleted(value: JqArray, key: JqValue, gone: Set<number>): void {
  if (isNumber(key)) {
    const index = Math.floor(toDouble(key));
    const at = index < 0 ? index + value.length : index;
    if (at >= 0 && at < value.length) gone.add(at);
  } else if (isObject(key)) {
    const { start, end } = sliceRange(value.length, boundIn(key, 'start'), boundIn(key, 'end'));
    spendSteps(2 * (end - start));
    for (let at = start; at < end; at++) gone.add(at);
  } else cannotDelete(value, key);
}

function cannotDelete(value: JqValue, key: JqValue): never {
  if (isArray(value)) return raise(`Cannot delete ${typeOf(key)} element of array`);
  if (isObject(value)) return raise(`Cannot delete ${typeOf(key)} field of object`);
  return raise(`Cannot delete fields from ${typeOf(value)}`);
}

import {
  isArray,
  isNumber,
  isObject,
  type JqArray,
  type JqObject,
  type JqValue,
  readKey,
  typeOf,
  writeKey,
} from '../jq-value.ts';
import {
  checkArrayLength,
  countArray,
  countObject,
  countString,
  countValues,
  raise,
  spendKeys,
  spendLength,
  spendSteps,
  step,
} from '../run-state.ts';
import { equalValues, maxValueDepth } from './compare.ts';
import { countCodePoints, sliceCodePoints, toDouble } from './scalars.ts';
import { describe, stringify } from './json.ts';

const maxIndex = 0x1fffffff;

export function cannotIndex(value: JqValue, key: JqValue): never {
  return raise(`Cannot index ${typeOf(value)} with ${describe(key)}`);
}

export function cannotIterate(value: JqValue): never {
  return raise(`Cannot iterate over ${describe(value)}`);
}

/** `.[key]` */
export function getKey(value: JqValue, key: JqValue): JqValue {
  if (typeof key === 'string') {
    if (value === null || value === undefined) return null;
    return isObject(value) ? readKey(value, key) : cannotIndex(value, key);
  }
  if (isNumber(key)) return getIndex(value, key);
  if (isObject(key)) return getSlice(value, boundIn(key, 'start'), boundIn(key, 'end'), key);
  if (isArray(key) && isArray(value)) return indicesOfArray(value, key);
  return cannotIndex(value, key);
}

function getIndex(value: JqValue, key: number | bigint): JqValue {
  if (isArray(value)) {
    const index = Math.floor(toDouble(key));
    return value[index < 0 ? index + value.length : index] ?? null;
  }
  return value === null || value === undefined ? null : cannotIndex(value, key);
}

export function indicesOfArray(value: JqArray, wanted: JqArray): JqValue {
  const indices: number[] = [];
  if (wanted.length === 0) return indices;
  for (let start = 0; start + wanted.length <= value.length; start++) {
    let matched = 0;
    while (matched < wanted.length && equalValues(wanted[matched]!, value[start + matched]!)) matched++;
    spendSteps(1 + (matched >> 1));
    if (matched === wanted.length) indices.push(start);
  }
  return indices;
}

/** A bound of a slice in object form: both are required, even as null. */
function boundIn(slice: JqObject, name: 'start' | 'end'): JqValue {
  return Object.hasOwn(slice, name) ? readKey(slice, name) : false;
}

/** Resolves slice bounds against a length: negative ones count from the end, all are clamped. */
function sliceRange(length: number, from: JqValue, to: JqValue): { readonly start: number; readonly end: number } {
  if (!isBound(from) || !isBound(to)) return raise('Array/string slice indices must be integers');
  const start = clampBound(from === null ? 0 : Math.floor(toDouble(from)), length, 0);
  const end = clampBound(to === null ? length : Math.ceil(toDouble(to)), length, length);
  return { start, end: Math.max(start, end) };
}

function isBound(value: JqValue): value is number | bigint | null {
  return value === null || isNumber(value);
}

function clampBound(bound: number, length: number, whenNaN: number): number {
  if (Number.isNaN(bound)) return whenNaN;
  return Math.min(Math.max(bound < 0 ? bound + length : bound, 0), length);
}

/** `.[from:to]` */
export function getSlice(value: JqValue, from: JqValue, to: JqValue, key?: JqValue): JqValue {
  if (value === null || value === undefined) return null;
  if (isArray(value)) {
    const { start, end } = sliceRange(value.length, from, to);
    countArray(end - start);
    return value.slice(start, end);
  }
  if (typeof value === 'string') {
    spendLength(value.length);
    const { start, end } = sliceRange(countCodePoints(value), from, to);
    countString(end - start);
    return sliceCodePoints(value, start, end);
  }
  return cannotIndex(value, key ?? { start: from, end: to });
}

/** The value with `.[key]` replaced. The old value was read before, so `getKey` has refused keys of the wrong type. */
export function setKey(value: JqValue, key: JqValue, replacement: JqValue): JqValue {
  if (typeof key === 'string') return withKey((value ?? {}) as JqObject, key, replacement);
  if (isNumber(key)) return setIndex((value ?? []) as JqArray, toDouble(key), replacement);
  if (isObject(key)) return setSlice(value, key, replacement);
  return raise('Cannot update field at array index of array');
}

function setIndex(value: JqArray, key: number, replacement: JqValue): JqValue {
  const items = [...value];
  spendSteps(items.length >> 4);
  countArray(items.length);
  writeIndex(items, key, replacement);
  return items;
}

/** Writes into an array that is not shared yet. */
function writeIndex(items: JqValue[], key: number, replacement: JqValue): void {
  if (Number.isNaN(key)) raise('Cannot set array element at NaN index');
  // as in C, the fraction is truncated
  let index = Math.trunc(key);
  if (index < 0) index += items.length;
  if (index < 0) raise('Out of bounds negative array index');
  if (index > maxIndex) raise('Array index too large');
  checkArrayLength(index + 1);
  if (index >= items.length) {
    countValues(1 + ((index - items.length) >> 2));
    spendLength(index - items.length);
  }
  while (items.length < index) items.push(null);
  items[index] = replacement;
}

function setSlice(value: JqValue, key: JqObject, replacement: JqValue): JqValue {
  if (typeof value === 'string') return raise('Cannot update string slices');
  const items = (value ?? []) as JqArray;
  const { start, end } = sliceRange(items.length, boundIn(key, 'start'), boundIn(key, 'end'));
  if (!isArray(replacement)) return raise('A slice of an array can only be assigned another array');
  checkArrayLength(items.length + replacement.length);
  countArray(items.length + replacement.length);
  return [...items.slice(0, start), ...replacement, ...items.slice(end)];
}

export function itemsOf(input: JqValue): JqArray {
  if (isArray(input)) return input;
  if (!isObject(input)) return cannotIterate(input);
  const items = Object.values(input);
  spendKeys(2 * items.length);
  return items;
}

function withKey(object: JqObject, key: string, value: JqValue): JqObject {
  const copy: { [key: string]: JqValue } = { ...object };
  writeKey(copy, key, value);
  return countCopy(copy);
}

/** Copying an object counts as work, and the copy as values. */
export function countCopy<Value extends JqObject>(copy: Value): Value {
  const keys = Object.keys(copy).length;
  spendKeys(2 * keys);
  countObject(keys);
  return copy;
}

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

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
} from '../run-state.ts';
import { equalValues } from './compare.ts';
import { toDouble } from './numbers.ts';
import { describe } from './stringify.ts';
import { countCodePoints, sliceCodePoints } from './strings.ts';

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

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A bound of a slice in object form: both are required, even as null. */
export function boundIn(slice: JqObject, name: 'start' | 'end'): JqValue {
  return Object.hasOwn(slice, name) ? readKey(slice, name) : false;
}

/** Resolves slice bounds against a length: negative ones count from the end, all are clamped. */
export function sliceRange(length: number, from: JqValue, to: JqValue): Range {
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

/** The value with `.[key]` replaced. */
export function setKey(value: JqValue, key: JqValue, replacement: JqValue): JqValue {
  if (typeof key === 'string') {
    if (value === null || value === undefined) return withKey({}, key, replacement);
    return isObject(value) ? withKey(value, key, replacement) : cannotIndex(value, key);
  }
  if (isNumber(key)) return setIndex(value, toDouble(key), replacement);
  if (isObject(key)) return setSlice(value, key, replacement);
  if (isArray(key) && isArray(value)) return raise('Cannot update field at array index of array');
  return cannotIndex(value, key);
}

function setIndex(value: JqValue, key: number, replacement: JqValue): JqValue {
  if (value !== null && !isArray(value)) return cannotIndex(value, key);
  const items = [...(value ?? [])];
  spendSteps(items.length >> 4);
  countArray(items.length);
  writeIndex(items, key, replacement);
  return items;
}

/** Writes into an array that is not shared yet. */
export function writeIndex(items: JqValue[], key: number, replacement: JqValue): void {
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
  if (value !== null && !isArray(value)) return cannotIndex(value, key);
  const items = value ?? [];
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

/** A copy of the object with one key set. */
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

import { type Code, codeOfSingle, type Env } from '../code/code.ts';
import { collectOutputs } from '../code/expressions.ts';
import {
  isArray,
  isNumber,
  isObject,
  isTruthy,
  type JqArray,
  type JqValue,
  readKey,
  typeOf,
  writeKey,
} from '../jq-value.ts';
import { checkArrayLength, countObject, countValues, raise, spendKeys, spendSteps, step } from '../run-state.ts';
import { getKey, getSlice, indicesOfArray, itemsOf } from '../values/access.ts';
import { addTo, arithmetic } from '../values/arithmetic.ts';
import { compareValues, equalValues, maxValueDepth, sortedKeys } from '../values/compare.ts';
import { describe, refuse } from '../values/json.ts';
import { containsString, stringIndices, toDouble } from '../values/scalars.ts';
import { linear, type Native, type NativeTable, value } from './native.ts';
import { length } from './types.ts';

function sum(input: JqValue): JqValue {
  const items = itemsOf(input);
  spendSteps(items.length);
  if (items.length > 0 && items.every(isArray)) {
    checkArrayLength(items.reduce((length, item) => length + item.length, 0));
    return items.flat();
  }
  let total: JqValue = null;
  for (const item of items) total = addTo(total, item);
  return total;
}

interface FlattenLevel {
  readonly items: JqArray;
  /** Counted down to 0, which a fraction never reaches. */
  readonly depth: JqValue;
  at: number;
}

function flatten(input: JqValue, depth: JqValue): JqValue {
  if (compareValues(depth, 0) < 0) return raise('flatten depth must not be negative');
  const result: JqValue[] = [];
  const levels: FlattenLevel[] = [{ items: itemsOf(input), depth, at: 0 }];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    if (level.at >= level.items.length) {
      levels.pop();
      continue;
    }
    step();
    const item = level.items[level.at++]!;
    if (isArray(item) && level.depth !== 0) {
      levels.push({ items: item, depth: arithmetic['-'](level.depth, 1), at: 0 });
    } else result.push(item);
    checkArrayLength(result.length);
  }
  return result;
}

/** Only arrays have items to reverse; for other types jq reads the last item, which fails unless there is none. */
function reverse(input: JqValue): JqValue {
  if (isArray(input)) return input.toReversed();
  const count = toDouble(length(input) as number);
  return count > 0 ? getKey(input, count - 1) : [];
}

interface Pair {
  readonly whole: JqValue;
  readonly part: JqValue;
  readonly depth: number;
}

/** Whether `part` is inside `whole`. Counts the depth instead of relying on the stack. */
function contains(input: JqValue, wanted: JqValue): boolean {
  const bothObjects = isObject(input) && isObject(wanted);
  if (!bothObjects && typeOf(input) !== typeOf(wanted)) {
    return raise(`${describe(input)} and ${describe(wanted)} cannot have their containment checked`);
  }
  return containsPair({ whole: input, part: wanted, depth: 0 });
}

function containsPair(start: Pair): boolean {
  const pending: Pair[] = [start];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    step();
    const { whole, part, depth } = pair;
    if (depth > maxValueDepth) return raise('Containment check too deep');
    if (isObject(whole) && isObject(part)) {
      for (const key of Object.keys(part)) {
        step();
        if (!Object.hasOwn(whole, key)) return false;
        pending.push({ whole: readKey(whole, key), part: readKey(part, key), depth: depth + 1 });
      }
    } else if (isArray(whole) && isArray(part)) {
      const [only] = whole;
      if (whole.length === 1) for (const item of part) pending.push({ whole: only!, part: item, depth: depth + 1 });
      else if (
        !part.every((item) => whole.some((inner) => containsPair({ whole: inner, part: item, depth: depth + 1 })))
      ) {
        return false;
      }
    } else if (typeof whole === 'string' && typeof part === 'string') {
      if (!containsString(whole, part)) return false;
    } else if (!equalValues(whole, part)) return false;
  }
  return true;
}

function has(input: JqValue, key: JqValue): JqValue {
  if (input === null) return false;
  if (isObject(input) && typeof key === 'string') return Object.hasOwn(input, key);
  if (isArray(input) && isNumber(key)) {
    const index = Math.floor(toDouble(key));
    return index >= 0 && index < input.length;
  }
  return raise(`Cannot check whether ${typeOf(input)} has a ${typeof key === 'string' ? 'string' : typeOf(key)} key`);
}

function indices(input: JqValue, wanted: JqValue): JqValue {
  if (typeof input === 'string' && typeof wanted === 'string') return stringIndices(input, wanted);
  if (isArray(input)) return indicesOfArray(input, isArray(wanted) ? wanted : [wanted]);
  return getKey(input, wanted);
}

function firstOf(indices: JqValue): JqValue {
  return getKey(indices, 0);
}

function binarySearch(input: JqValue, wanted: JqValue): JqValue {
  if (!isArray(input)) return refuse(input, 'cannot be searched from');
  let low = 0;
  let high = input.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = compareValues(input[middle]!, wanted);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1 - low;
}

function transpose(input: JqValue): JqValue {
  const rows = itemsOf(input);
  const width = rows.reduce<number>((widest, row) => Math.max(widest, toDouble(length(row) as number)), 0);
  // anything but rows fails at its first column
  const columns = rows.every((row) => isArray(row) || row === null) ? width : Math.min(width, 1);
  checkArrayLength(columns * rows.length);
  countValues(columns + ((columns * rows.length) >> 2));
  spendSteps(columns * rows.length);
  return Array.from({ length: Math.ceil(columns) }, (_column, index) => rows.map((row) => getKey(row, index)));
}

interface Keyed {
  readonly key: JqValue;
  readonly item: JqValue;
}

type Arrange = (keyed: readonly Keyed[]) => JqValue;

const notSorted = 'cannot be sorted, as they are not both arrays';
const notIterated = 'cannot be iterated over';

/** Pairs every item with the outputs of `key` for it; several outputs form a key that is compared part by part. */
function keyed(input: JqValue, key: Code, env: Env, complaint: string): Keyed[] {
  const { single } = key;
  const items = itemsOf(input);
  if (!isArray(input)) {
    const keys = items.map((item) => collectOutputs(key, item, env));
    return raise(`${describe(input)} and ${describe(keys)} ${complaint}`);
  }
  return items.map((item) => ({
    key: single === undefined ? collectOutputs(key, item, env) : single(item, env),
    item,
  }));
}

function byKey(complaint: string, arrange: Arrange): Native {
  return (key) => codeOfSingle((input, env) => arrange(keyed(input, key, env, complaint)));
}

function compare(left: Keyed, right: Keyed): number {
  step();
  return compareValues(left.key, right.key);
}

function sorted(items: readonly Keyed[]): Keyed[] {
  return [...items].sort((left, right) => compare(left, right));
}

/** Runs of equal keys, in key order. */
function groups(items: readonly Keyed[]): Keyed[][] {
  const result: Keyed[][] = [];
  for (const entry of sorted(items)) {
    const last = result.at(-1);
    if (last !== undefined && compare(last[0]!, entry) === 0) last.push(entry);
    else {
      countValues(3);
      result.push([entry]);
    }
  }
  return result;
}

/** The first of the smallest items, or the last of the largest. */
function extreme(isBetter: (order: number) => boolean): Arrange {
  return (items) => {
    let best: Keyed | undefined;
    for (const entry of items) if (best === undefined || isBetter(compare(entry, best))) best = entry;
    return best === undefined ? null : best.item;
  };
}

const smallest = extreme((order) => order < 0);
const largest = extreme((order) => order >= 0);
const sortEntries: Arrange = (items) => sorted(items).map((entry) => entry.item);
const uniqueEntries: Arrange = (items) => groups(items).map((group) => group[0]!.item);
const groupEntries: Arrange = (items) => groups(items).map((group) => group.map((entry) => entry.item));

function bySelf(refuseInput: (input: JqValue) => never, arrange: Arrange): Native {
  return value((input) => arrange((isArray(input) ? input : refuseInput(input)).map((item) => ({ key: item, item }))));
}

function cannotSort(input: JqValue): never {
  return refuse(input, 'cannot be sorted, as it is not an array');
}

function cannotCompare(input: JqValue): never {
  return raise(`${describe(input)} and ${describe(input)} ${notIterated}`);
}

export const arrayNatives: NativeTable = {
  'add/0': value(sum),
  'flatten/0': value((input) => flatten(input, Infinity)),
  'flatten/1': value(flatten),
  'reverse/0': linear(reverse),
  'contains/1': value(contains),
  'inside/1': value((input, whole) => contains(whole, input)),
  'has/1': value(has),
  'in/1': value((input, container) => has(container, input)),
  'indices/1': value(indices),
  'index/1': value((input, wanted) => firstOf(indices(input, wanted))),
  'rindex/1': value((input, wanted) => firstOf(getSlice(indices(input, wanted), -1, null))),
  'bsearch/1': value(binarySearch),
  'transpose/0': value(transpose),
  'sort/0': bySelf(cannotSort, sortEntries),
  'sort_by/1': byKey(notSorted, sortEntries),
  'group_by/1': byKey(notSorted, groupEntries),
  'unique/0': bySelf(cannotSort, uniqueEntries),
  'unique_by/1': byKey(notSorted, uniqueEntries),
  'min/0': bySelf(cannotCompare, smallest),
  'min_by/1': byKey(notIterated, smallest),
  'max/0': bySelf(cannotCompare, largest),
  'max_by/1': byKey(notIterated, largest),
};

function keysOf(input: JqValue, sort: boolean): JqValue {
  if (isArray(input)) {
    spendSteps(input.length >> 3);
    return input.map((_item, index) => index);
  }
  if (!isObject(input)) return refuse(input, 'has no keys');
  if (sort) return sortedKeys(input);
  const keys = Object.keys(input);
  spendKeys(keys.length);
  return keys;
}

function toEntries(input: JqValue): JqValue {
  if (!isObject(input)) {
    if (isArray(input)) {
      countValues(2 * input.length);
      return input.map((item, index) => ({ key: index, value: item }));
    }
    return refuse(input, 'has no keys');
  }
  const keys = Object.keys(input);
  spendKeys(keys.length);
  countValues(2 * keys.length);
  return keys.map((key) => ({ key, value: input[key]! }));
}

const keyNames = ['key', 'Key', 'name', 'Name'];

/** The key of an entry: the first of the accepted fields that is set. */
function entryKey(entry: JqValue): string {
  let key: JqValue = null;
  for (const name of keyNames) {
    key = getKey(entry, name);
    if (isTruthy(key)) break;
  }
  return typeof key === 'string' ? key : raise(`Cannot use ${describe(key)} as object key`);
}

function entryValue(entry: JqValue): JqValue {
  return getKey(entry, isObject(entry) && Object.hasOwn(entry, 'value') ? 'value' : 'Value');
}

function fromEntries(input: JqValue): JqValue {
  const object: { [key: string]: JqValue } = {};
  const entries = itemsOf(input);
  spendKeys(2 * entries.length);
  countObject(entries.length);
  for (const entry of entries) writeKey(object, entryKey(entry), entryValue(entry));
  return object;
}

export const objectNatives: NativeTable = {
  'keys/0': value((input) => keysOf(input, true)),
  'keys_unsorted/0': value((input) => keysOf(input, false)),
  'to_entries/0': value(toEntries),
  'from_entries/0': value(fromEntries),
};

import { type Code, codeOfSingle, type Env } from '../code/code.ts';
import { collectOutputs } from '../code/construction.ts';
import { hasKey, isArray, isNumber, isObject, type JqArray, type JqValue, readKey, typeOf } from '../jq-value.ts';
import { checkArrayLength, countValues, raise, spendSteps, step } from '../run-state.ts';
import { getKey, indicesOfArray, itemsOf } from '../values/access.ts';
import { addTo } from '../values/arithmetic.ts';
import { compareValues, equalValues, maxValueDepth } from '../values/compare.ts';
import { toDouble } from '../values/numbers.ts';
import { describe, refuse } from '../values/stringify.ts';
import { containsString, countCodePoints, stringIndices } from '../values/strings.ts';
import { code, linear, type Native, type NativeTable, value } from './native.ts';

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
  readonly depth: number;
  at: number;
}

function flatten(input: JqValue, depth: JqValue): JqValue {
  if (!isNumber(depth)) return raise('flatten depth must not be negative');
  if (toDouble(depth) < 0) return raise('flatten depth must not be negative');
  const result: JqValue[] = [];
  const levels: FlattenLevel[] = [{ items: itemsOf(input), depth: toDouble(depth), at: 0 }];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    if (level.at >= level.items.length) {
      levels.pop();
      continue;
    }
    step();
    const item = level.items[level.at++]!;
    if (isArray(item) && level.depth > 0) levels.push({ items: item, depth: level.depth - 1, at: 0 });
    else result.push(item);
    checkArrayLength(result.length);
  }
  return result;
}

function reverse(input: JqValue): JqValue {
  if (typeof input === 'string') {
    checkArrayLength(countCodePoints(input));
    return Array.from(input).reverse().join('');
  }
  if (isArray(input)) return input.toReversed();
  if (input === null) return [];
  const count = isNumber(input) ? Math.abs(toDouble(input)) : isObject(input) ? Object.keys(input).length : undefined;
  if (count === undefined) return refuse(input, 'has no length');
  return count > 0 ? getKey(input, count - 1) : [];
}

interface Pair {
  readonly whole: JqValue;
  readonly part: JqValue;
  readonly depth: number;
}

/** Whether `part` is inside `whole`. Depth is counted, not trusted to the stack. */
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
        if (!hasKey(whole, key)) return false;
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
  if (isObject(input) && typeof key === 'string') return hasKey(input, key);
  if (isArray(input) && isNumber(key)) {
    const index = Math.floor(toDouble(key));
    return index >= 0 && index < input.length;
  }
  return raise(`Cannot check whether ${typeOf(input)} has a ${typeof key === 'string' ? 'string' : typeOf(key)} key`);
}

function indices(input: JqValue, wanted: JqValue): JqValue {
  if (input === null) return null;
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
  const width = rows.reduce<number>((widest, row) => Math.max(widest, isArray(row) ? row.length : countOf(row)), 0);
  checkArrayLength(width * rows.length);
  countValues(width + ((width * rows.length) >> 2));
  spendSteps(width * rows.length);
  return Array.from({ length: width }, (_column, index) => rows.map((row) => getKey(row, index)));
}

function countOf(row: JqValue): number {
  if (row === null) return 0;
  return typeof row === 'string' ? countCodePoints(row) : refuse(row, 'cannot be transposed');
}

interface Keyed {
  readonly key: JqValue;
  readonly item: JqValue;
}

type Arrange = (keyed: readonly Keyed[]) => JqValue;

function listOf(input: JqValue, purpose: string): JqArray {
  return isArray(input) ? input : refuse(input, `cannot be ${purpose}, as it is not an array`);
}

/** Attaches to every item the outputs of `key` for it; several outputs make a key compared part by part. */
function keyed(input: JqValue, key: Code, env: Env, purpose: string): Keyed[] {
  itemsOf(input);
  const { single } = key;
  return listOf(input, purpose).map((item) => ({
    key: single === undefined ? collectOutputs(key, item, env) : single(item, env),
    item,
  }));
}

function byKey(purpose: string, arrange: Arrange): Native {
  return code((key) => codeOfSingle((input, env) => arrange(keyed(input, key, env, purpose))));
}

function compare(left: Keyed, right: Keyed): number {
  step();
  return compareValues(left.key, right.key);
}

function sorted(items: readonly Keyed[]): Keyed[] {
  return [...items].sort((left, right) => compare(left, right));
}

/** Runs of equal keys, in the order of the keys. */
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

function smallest(items: readonly Keyed[]): JqValue {
  let best: Keyed | undefined;
  for (const entry of items) if (best === undefined || compare(entry, best) < 0) best = entry;
  return best === undefined ? null : best.item;
}

function largest(items: readonly Keyed[]): JqValue {
  let best: Keyed | undefined;
  for (const entry of items) if (best === undefined || compare(entry, best) >= 0) best = entry;
  return best === undefined ? null : best.item;
}

const sortEntries: Arrange = (items) => sorted(items).map((entry) => entry.item);
const uniqueEntries: Arrange = (items) => groups(items).map((group) => group[0]!.item);
const groupEntries: Arrange = (items) => groups(items).map((group) => group.map((entry) => entry.item));

function bySelf(purpose: string, arrange: Arrange): Native {
  return value((input) => arrange(listOf(input, purpose).map((item) => ({ key: item, item }))));
}

export const arrayNatives: NativeTable = {
  'add/0': value(sum),
  'flatten/0': value((input) => flatten(input, 1e9)),
  'flatten/1': value((input, depth) => flatten(input, depth)),
  'reverse/0': linear(reverse),
  'contains/1': value((input, wanted) => contains(input, wanted)),
  'inside/1': value((input, whole) => contains(whole, input)),
  'has/1': value((input, key) => has(input, key)),
  'in/1': value((input, container) => has(container, input)),
  'indices/1': value((input, wanted) => indices(input, wanted)),
  'index/1': value((input, wanted) => firstOf(indices(input, wanted))),
  'rindex/1': value((input, wanted) => getKey(indices(input, wanted), -1)),
  'bsearch/1': value((input, wanted) => binarySearch(input, wanted)),
  'transpose/0': value(transpose),
  'sort/0': bySelf('sorted', sortEntries),
  'sort_by/1': byKey('sorted', sortEntries),
  'group_by/1': byKey('grouped', groupEntries),
  'unique/0': bySelf('sorted', uniqueEntries),
  'unique_by/1': byKey('grouped', uniqueEntries),
  'min/0': bySelf('compared', smallest),
  'min_by/1': byKey('compared', smallest),
  'max/0': bySelf('compared', largest),
  'max_by/1': byKey('compared', largest),
};

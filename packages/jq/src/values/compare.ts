import { isArray, type JqArray, type JqObject, type JqValue } from '../jq-value.ts';
import { raise, spendKeys, spendLength, spendSteps, step } from '../run-state.ts';

/** Deeper nesting is rejected, as in jq, instead of exhausting the stack. */
export const maxValueDepth = 10_000;

function rank(value: JqValue): number {
  if (value === null || value === undefined) return 0;
  switch (typeof value) {
    case 'boolean':
      return value ? 2 : 1;
    case 'number':
    case 'bigint':
      return 3;
    case 'string':
      return 4;
    default:
      return Array.isArray(value) ? 5 : 6;
  }
}

/** Orders strings by code point; UTF-16 units alone would put U+FFFF after U+10000. */
function compareStrings(left: string, right: string): number {
  if (left === right) return 0;
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    spendLength(2 * index);
    return surrogatesLast(a) - surrogatesLast(b);
  }
  spendLength(2 * shorter);
  return left.length - right.length;
}

function surrogatesLast(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

export function sortedKeys(object: JqObject): string[] {
  const keys = Object.keys(object);
  spendKeys(2 * keys.length);
  return keys.sort(compareStrings);
}

function compareNumbers(left: number | bigint, right: number | bigint): number {
  if (typeof left === 'bigint' && typeof right === 'bigint') return left < right ? -1 : left > right ? 1 : 0;
  const a = Number(left);
  const b = Number(right);
  // jq sorts NaN below every number, itself included
  if (Number.isNaN(a)) return -1;
  return a < b ? -1 : a > b || Number.isNaN(b) ? 1 : 0;
}

/** jq's order over all values: null, false, true, numbers, strings, arrays, objects. */
export function compareValues(left: JqValue, right: JqValue): number {
  if (typeof left === 'number' && typeof right === 'number') return compareNumbers(left, right);
  if (typeof left === 'string' && typeof right === 'string') return compareStrings(left, right);
  return compareDeep(left, right);
}

interface Pending {
  readonly left: JqValue;
  readonly right: JqValue;
  readonly depth: number;
}

function compareDeep(left: JqValue, right: JqValue): number {
  const pending: Pending[] = [{ left, right, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    step();
    const { left: a, right: b, depth } = next;
    if (depth > maxValueDepth) raise('Comparison too deep');
    const order = compareShallow(a, b, depth, pending);
    if (order !== 0) return order;
  }
  return 0;
}

/** Decides at this level if possible; otherwise leaves the remaining parts in `pending`, the first part last. */
function compareShallow(a: JqValue, b: JqValue, depth: number, pending: Pending[]): number {
  const byRank = rank(a) - rank(b);
  if (byRank !== 0) return byRank;
  if (typeof a === 'string') return compareStrings(a, b as string);
  if (typeof a === 'number' || typeof a === 'bigint') return compareNumbers(a, b as number | bigint);
  if (typeof a !== 'object' || a === null) return 0;
  if (isArray(a)) {
    const other = b as JqArray;
    const shared = Math.min(a.length, other.length);
    if (a.length !== other.length) pending.push({ left: a.length, right: other.length, depth });
    for (let index = shared - 1; index >= 0; index--) {
      pending.push({ left: a[index]!, right: other[index]!, depth: depth + 1 });
    }
    return 0;
  }
  const leftKeys = sortedKeys(a);
  const rightKeys = sortedKeys(b as JqObject);
  for (let index = 0; index < leftKeys.length && index < rightKeys.length; index++) {
    const order = compareStrings(leftKeys[index]!, rightKeys[index]!);
    if (order !== 0) return order;
  }
  if (leftKeys.length !== rightKeys.length) return leftKeys.length - rightKeys.length;
  for (let index = leftKeys.length - 1; index >= 0; index--) {
    const key = leftKeys[index]!;
    pending.push({ left: a[key]!, right: (b as JqObject)[key]!, depth: depth + 1 });
  }
  return 0;
}

export function equalValues(left: JqValue, right: JqValue): boolean {
  if (typeof left !== 'object' || left === null) return equalScalars(left, right);
  if (typeof right !== 'object' || right === null) return false;
  const pending: Pending[] = [{ left, right, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.depth > maxValueDepth) raise('Equality check too deep');
    if (!equalShallow(next.left, next.right, next.depth + 1, pending)) return false;
  }
  return true;
}

function equalScalars(left: JqValue, right: JqValue): boolean {
  if (typeof left === 'string' && typeof right === 'string' && left.length === right.length)
    spendSteps(left.length >> 7);
  if (left === right) return true;
  if (typeof left === 'bigint' && typeof right === 'number') return Number(left) === right;
  if (typeof left === 'number' && typeof right === 'bigint') return left === Number(right);
  return (left ?? null) === null && (right ?? null) === null;
}

function equalShallow(left: JqValue, right: JqValue, depth: number, pending: Pending[]): boolean {
  step();
  if (typeof left !== 'object' || left === null) return equalScalars(left, right);
  if (typeof right !== 'object' || right === null) return false;
  if (isArray(left)) {
    if (!isArray(right) || left.length !== right.length) return false;
    for (let index = 0; index < left.length; index++) {
      pending.push({ left: left[index]!, right: right[index]!, depth });
    }
    return true;
  }
  if (isArray(right)) return false;
  const keys = Object.keys(left);
  spendKeys(keys.length);
  if (keys.length !== Object.keys(right).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(right, key)) return false;
    pending.push({ left: left[key]!, right: right[key]!, depth });
  }
  return true;
}

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

export const comparisons: { readonly [Operator in ComparisonOperator]: (left: JqValue, right: JqValue) => boolean } = {
  '==': equalValues,
  '!=': (left, right) => !equalValues(left, right),
  '<': (left, right) => compareValues(left, right) < 0,
  '<=': (left, right) => compareValues(left, right) <= 0,
  '>': (left, right) => compareValues(left, right) > 0,
  '>=': (left, right) => compareValues(left, right) >= 0,
};

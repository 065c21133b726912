import {
  isArray,
  isNumber,
  isObject,
  isTruthy,
  type JqArray,
  type JqObject,
  type JqValue,
  writeKey,
} from '../jq-value.ts';
import {
  checkArrayLength,
  checkStringLength,
  countArray,
  countString,
  countValues,
  raise,
  spendLength,
  step,
} from '../run-state.ts';
import { countCopy } from './access.ts';
import { equalValues, maxValueDepth } from './compare.ts';
import { countCodePoints, forEachOccurrence, toDouble } from './scalars.ts';
import { describe } from './json.ts';

function incompatible(left: JqValue, right: JqValue, verb: string): never {
  return raise(`${describe(left)} and ${describe(right)} cannot be ${verb}`);
}

function add(left: JqValue, right: JqValue): JqValue {
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  if (typeof left === 'string' && typeof right === 'string') {
    checkStringLength(left.length + right.length);
    countString(left.length + right.length);
    return left + right;
  }
  if (left === null || left === undefined) return right;
  if (right === null || right === undefined) return left;
  if (isNumber(left) && isNumber(right)) return toDouble(left) + toDouble(right);
  if (isArray(left) && isArray(right)) {
    checkArrayLength(left.length + right.length);
    countArray(left.length + right.length);
    return left.concat(right);
  }
  if (isObject(left) && isObject(right)) return countCopy({ ...left, ...right });
  return incompatible(left, right, 'added');
}

/** Adds to a sum that is not shared yet, so only the added part counts. */
export function addTo(sum: JqValue, item: JqValue): JqValue {
  if (typeof sum !== 'string' || typeof item !== 'string') return add(sum, item);
  checkStringLength(sum.length + item.length);
  countString(item.length);
  return sum + item;
}

function subtract(left: JqValue, right: JqValue): JqValue {
  if (isNumber(left) && isNumber(right)) return toDouble(left) - toDouble(right);
  if (isArray(left) && isArray(right)) return without(left, right);
  return incompatible(left, right, 'subtracted');
}

function without(left: JqArray, right: JqArray): JqArray {
  // most elements are strings, which a set finds quickly
  const strings = new Set(right.filter((item) => typeof item === 'string'));
  const others = right.filter((item) => typeof item !== 'string');
  spendLength(8 * (left.length + right.length));
  countArray(left.length);
  return left.filter((item) => {
    if (typeof item === 'string') return !strings.has(item);
    return !others.some((other) => {
      step();
      return equalValues(item, other);
    });
  });
}

function multiply(left: JqValue, right: JqValue): JqValue {
  if (isNumber(left) && isNumber(right)) return toDouble(left) * toDouble(right);
  if (typeof left === 'string' && isNumber(right)) return repeatString(left, toDouble(right));
  if (typeof right === 'string' && isNumber(left)) return repeatString(right, toDouble(left));
  if (isObject(left) && isObject(right)) return mergeDeep(left, right);
  return incompatible(left, right, 'multiplied');
}

function repeatString(text: string, times: number): JqValue {
  if (Number.isNaN(times) || times < 0) return null;
  const count = Math.floor(times);
  if (text === '') return '';
  if (text.length * count > 0x1fffffff) return raise('Repeat string result too long');
  checkStringLength(text.length * count);
  countString(text.length * count);
  return text.repeat(count);
}

interface Merge {
  readonly into: { [key: string]: JqValue };
  readonly from: JqObject;
  readonly depth: number;
}

/** Merges objects at every level, without recursion. */
function mergeDeep(left: JqObject, right: JqObject): JqObject {
  const result: { [key: string]: JqValue } = countCopy({ ...left });
  const pending: Merge[] = [{ into: result, from: right, depth: 0 }];
  for (let merge = pending.pop(); merge !== undefined; merge = pending.pop()) {
    const { into, from, depth } = merge;
    if (depth > maxValueDepth) raise('Object merge too deep');
    for (const key of Object.keys(from)) {
      step();
      const theirs = from[key]!;
      const ours = Object.hasOwn(into, key) ? into[key]! : null;
      if (!isObject(theirs) || !isObject(ours)) {
        writeKey(into, key, theirs);
        continue;
      }
      const merged = countCopy({ ...ours });
      writeKey(into, key, merged);
      pending.push({ into: merged, from: theirs, depth: depth + 1 });
    }
  }
  return result;
}

function divide(left: JqValue, right: JqValue): JqValue {
  if (isNumber(left) && isNumber(right)) {
    const divisor = toDouble(right);
    if (divisor === 0) return incompatible(left, right, 'divided because the divisor is zero');
    return toDouble(left) / divisor;
  }
  if (typeof left === 'string' && typeof right === 'string') return splitString(left, right);
  return incompatible(left, right, 'divided');
}

export function splitString(text: string, separator: string): JqArray {
  if (text === '') return [];
  if (separator === '') {
    const length = countCodePoints(text);
    checkArrayLength(length);
    countValues(length);
    return Array.from(text);
  }
  const parts: string[] = [];
  let start = 0;
  forEachOccurrence(text, separator, false, (at) => {
    parts.push(text.slice(start, at));
    start = at + separator.length;
    countValues(1);
    if ((parts.length & 0xff) === 0) checkArrayLength(parts.length);
  });
  parts.push(text.slice(start));
  return parts;
}

const largestInteger = 2n ** 63n - 1n;
const smallestInteger = -(2n ** 63n);

/** Truncates to a 64-bit integer; values out of range are clamped. */
function toInteger(value: number): bigint {
  if (value >= 2 ** 63) return largestInteger;
  return value <= -(2 ** 63) ? smallestInteger : BigInt(Math.trunc(value));
}

function remainder(left: JqValue, right: JqValue): JqValue {
  if (!isNumber(left) || !isNumber(right)) return incompatible(left, right, 'divided (remainder)');
  const dividend = toDouble(left);
  const divisor = toDouble(right);
  if (Number.isNaN(dividend) || Number.isNaN(divisor)) return Number.NaN;
  if (Math.trunc(divisor) === 0) return incompatible(left, right, 'divided (remainder) because the divisor is zero');
  if (Number.isSafeInteger(Math.trunc(dividend)) && Number.isSafeInteger(Math.trunc(divisor))) {
    // adding 0 turns -0 into 0: integers have no negative zero
    return (Math.trunc(dividend) % Math.trunc(divisor)) + 0;
  }
  return Number(toInteger(dividend) % toInteger(divisor));
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';

export const arithmetic: { readonly [Operator in ArithmeticOperator]: (left: JqValue, right: JqValue) => JqValue } = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
  '%': remainder,
};

export type AssignmentOperator = '=' | '|=' | '+=' | '-=' | '*=' | '/=' | '%=' | '//=';

/** The new value that an operator other than `|=` computes from the old value and its operand. */
export function changeOf(operator: Exclude<AssignmentOperator, '|='>): (old: JqValue, operand: JqValue) => JqValue {
  if (operator === '=') return (_old, operand) => operand;
  if (operator === '//=') return (old, operand) => (isTruthy(old) ? old : operand);
  return arithmetic[operator.slice(0, -1) as ArithmeticOperator];
}

import { isArray, isNumber, isObject, isTruthy, type JqValue, readKey, writeKey } from '../jq-value.ts';
import { countObject, countValues, raise, spendKeys, spendSteps } from '../run-state.ts';
import { itemsOf } from '../values/access.ts';
import { sortedKeys } from '../values/compare.ts';
import { refuse, stringify } from '../values/stringify.ts';
import { type NativeTable, value } from './native.ts';

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

const keyNames = ['key', 'k', 'name', 'Name', 'Key', 'K'];
const valueNames = ['value', 'v', 'Value', 'V'];

/** The name of an entry: the first of the accepted fields that holds something; `false` and `null` are names too. */
function entryKey(entry: JqValue): string {
  if (!isObject(entry)) return raise(`Cannot index ${kind(entry)} with string ("key")`);
  let key: JqValue = null;
  for (const name of keyNames) {
    const candidate = readKey(entry, name);
    if (candidate === null) continue;
    key = candidate;
    if (isTruthy(candidate)) break;
  }
  if (typeof key === 'string') return key;
  if (isNumber(key) || typeof key === 'boolean' || key === null) return stringify(key);
  return raise(`Cannot use ${kind(key)} (${stringify(key, 20)}) as object key`);
}

function kind(input: JqValue): string {
  return isArray(input) ? 'array' : isObject(input) ? 'object' : isNumber(input) ? 'number' : typeof input;
}

function entryValue(entry: JqValue): JqValue {
  if (!isObject(entry)) return null;
  const name = valueNames.find((candidate) => Object.hasOwn(entry, candidate));
  return name === undefined ? null : readKey(entry, name);
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

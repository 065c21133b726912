import { isArray, isObject, isTruthy, type JqValue, writeKey } from '../jq-value.ts';
import { countObject, countValues, raise, spendKeys, spendSteps } from '../run-state.ts';
import { getKey, itemsOf } from '../values/access.ts';
import { sortedKeys } from '../values/compare.ts';
import { describe, refuse } from '../values/stringify.ts';
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

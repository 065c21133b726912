import { type Code, codeOfOne, type Env } from '../compile/code.ts';
import { collectOutputs } from '../compile/construction.ts';
import { countValues, step } from '../run-state.ts';
import { compareValues } from '../values/compare.ts';
import { refuse } from '../values/describe.ts';
import { isArray, type JqArray, type JqValue } from '../values/jq-value.ts';
import { itemsOf } from './arrays.ts';
import { code, type Native, type NativeTable, value } from './native.ts';

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
  const { one } = key;
  return listOf(input, purpose).map((item) => ({
    key: one === undefined ? collectOutputs(key, item, env) : one(item, env),
    item,
  }));
}

function byKey(purpose: string, arrange: Arrange): Native {
  return code((key) => codeOfOne((input, env) => arrange(keyed(input, key, env, purpose))));
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
  const found: Keyed[][] = [];
  for (const entry of sorted(items)) {
    const last = found.at(-1);
    if (last !== undefined && compare(last[0]!, entry) === 0) last.push(entry);
    else {
      countValues(3);
      found.push([entry]);
    }
  }
  return found;
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

export const orderingNatives: NativeTable = {
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

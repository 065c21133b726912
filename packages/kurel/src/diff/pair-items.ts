import type { Json, JsonArray } from '../model/index.ts';
import type { SchemaNode } from '../schema/index.ts';
import { findCommon, findRising } from './common-subsequence.ts';
import type { Pair } from './common-subsequence.ts';
import type { ItemKey } from './difference.ts';
import { findItemKeys, printKeys } from './list-keys.ts';

/** Items of two lists that are one. */
export interface ItemPair {
  readonly before: number;
  readonly after: number;
  readonly keys?: readonly ItemKey[];
  /** It passed others that stay. */
  readonly moved?: boolean;
}

export interface ItemPairing {
  /** In the order of the new list. */
  readonly pairs: readonly ItemPair[];
  /** What is known to tell an item of the old list from the others. */
  readonly keysBefore?: readonly (readonly ItemKey[])[];
  readonly keysAfter?: readonly (readonly ItemKey[])[];
}

interface PairingOptions {
  readonly node: SchemaNode | undefined;
  readonly print: (value: Json) => string;
}

/** Which items of two lists are one: by the key that the schema has, or else by what they say and where they stand. */
export function pairItems(before: JsonArray, after: JsonArray, { node, print }: PairingOptions): ItemPairing {
  const keys = findItemKeys([before, after], node);
  if (keys === undefined) return { pairs: pairByContent(before, after, print) };
  const [keysBefore, keysAfter] = keys;
  return { pairs: pairByKeys(keysBefore, keysAfter), keysBefore, keysAfter };
}

function pairByKeys(
  keysBefore: readonly (readonly ItemKey[])[],
  keysAfter: readonly (readonly ItemKey[])[],
): readonly ItemPair[] {
  const positions = new Map(keysBefore.map((keys, index) => [printKeys(keys), index]));
  const found = keysAfter.map((keys) => positions.get(printKeys(keys)) ?? -1);
  const staying = new Set(findRising(found.filter((before) => before !== -1)));
  const pairs: ItemPair[] = [];
  for (const [after, before] of found.entries()) {
    if (before === -1) continue;
    const moved = !staying.has(pairs.length);
    pairs.push({ before, after, keys: keysAfter[after]!, moved });
  }
  return pairs;
}

/** Items that are equal hold the lists together; between them the first is the first, and so on. */
function pairByContent(before: JsonArray, after: JsonArray, print: PairingOptions['print']): readonly ItemPair[] {
  const common: readonly Pair[] =
    before.length > 1 || after.length > 1 ? findCommon(before.map(print), after.map(print)) : [];
  const pairs: ItemPair[] = [];
  let [left, right] = [0, 0];
  for (const [i, j] of [...common, [before.length, after.length] as const]) {
    while (left < i && right < j) pairs.push({ before: left++, after: right++ });
    if (i < before.length) pairs.push({ before: i, after: j });
    [left, right] = [i + 1, j + 1];
  }
  return pairs;
}

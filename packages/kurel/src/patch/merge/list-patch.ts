import { quote } from '../../diagnostics/index.ts';
import type { Json, JsonArray } from '../../model/index.ts';
import { refuse } from './directives.ts';
import { locationOf, nameOf } from './merging.ts';
import type { Place } from './merging.ts';
import { mergeProblems } from './problems.ts';

/** The change that a patch makes to one list. */
export interface ListPatch {
  /** `undefined` if the object does not have the list. */
  readonly before: JsonArray | undefined;
  /** `undefined` if only the order changes. */
  readonly patch: JsonArray | undefined;
  readonly order: ParallelList | undefined;
  readonly place: Place;
}

/** The list of a directive such as `$setElementOrder`, with its location. */
export interface ParallelList {
  readonly items: JsonArray;
  readonly place: Place;
}

export interface OrderReading {
  readonly identify: (item: Json) => string | undefined;
  /** Required form of every item: `{name: …}`. */
  readonly shape: string;
}

/** Identities of the items in their requested order; `undefined` if an item has none, which is reported. */
export function readOrder(order: ParallelList, { identify, shape }: OrderReading): readonly string[] | undefined {
  const ids = order.items.map((item) => identify(item));
  const wrong = ids.indexOf(undefined);
  if (wrong === -1) return ids.filter((id) => id !== undefined);
  const reason = `item ${wrong + 1} of ${quote(nameOf(order.place))} does not identify an item`;
  const place = { ...order.place, path: [...order.place.path, wrong] };
  refuse(place, { reason, hint: `use this form for every item: ${shape}` });
  return undefined;
}

export interface PatchItem {
  readonly id: string;
  /** Name in messages. */
  readonly words: string;
}

/** Reports the first item of the patch that is missing in the order, or out of order. */
export function checkOrder(order: readonly string[], { items, place, list }: OrderCheck): void {
  let next = 0;
  for (const { id, words } of items) {
    while (next < order.length && order[next] !== id) next += 1;
    if (next === order.length) {
      const args = { directive: nameOf(place), item: words, list: nameOf(list), isNamed: order.includes(id) };
      place.merging.report(mergeProblems.create('smp-element-order', args, locationOf(place, 'key')));
      return;
    }
    next += 1;
  }
}

interface OrderCheck {
  /** Items that the patch sets, in patch order. */
  readonly items: readonly PatchItem[];
  /** Location of the order. */
  readonly place: Place;
  /** Location of the list. */
  readonly list: Place;
}

/** Returns the object's own list if nothing in it has changed. */
export function shareList(before: JsonArray | undefined, after: JsonArray): JsonArray {
  if (before?.length !== after.length) return after;
  return after.every((item, index) => item === before[index]) ? before : after;
}

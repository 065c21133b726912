import { quote } from '../../diagnostics/index.ts';
import type { Json, JsonArray } from '../../model/index.ts';
import { refuse } from './directives.ts';
import { locationOf, nameOf } from './merging.ts';
import type { Place } from './merging.ts';
import { mergeProblems } from './problems.ts';

/** What a patch wants of one list. */
export interface ListPatch {
  /** `undefined` when the object has no such list. */
  readonly before: JsonArray | undefined;
  /** `undefined` when only the order changes. */
  readonly patch: JsonArray | undefined;
  readonly order: ParallelList | undefined;
  readonly place: Place;
}

/** The list of a `$setParallelList`, and where it stands. */
export interface ParallelList {
  readonly items: JsonArray;
  readonly place: Place;
}

export interface OrderReading {
  readonly identify: (item: Json) => string | undefined;
  /** What every item has to look like: `{name: …}`. */
  readonly shape: string;
}

/** The identities of the items in their wanted order; `undefined` when an item has none, which is reported. */
export function readOrder(order: ParallelList, { identify, shape }: OrderReading): readonly string[] | undefined {
  const ids = order.items.map((item) => identify(item));
  const wrong = ids.indexOf(undefined);
  if (wrong === -1) return ids.filter((id) => id !== undefined);
  const reason = `item ${wrong + 1} of ${quote(nameOf(order.place))} does not say which item is meant`;
  const place = { ...order.place, path: [...order.place.path, wrong] };
  refuse(place, { reason, hint: `write every item as ${shape}` });
  return undefined;
}

export interface PatchItem {
  readonly id: string;
  /** As messages name it. */
  readonly words: string;
}

/** Reports the first item of the patch that the order does not have, or not behind the items before it. */
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
  /** Items that the patch sets, in its order. */
  readonly items: readonly PatchItem[];
  /** Of the order. */
  readonly place: Place;
  /** Of the list. */
  readonly list: Place;
}

/** The list of the object itself when nothing in it has changed. */
export function shareList(before: JsonArray | undefined, after: JsonArray): JsonArray {
  if (before?.length !== after.length) return after;
  return after.every((item, index) => item === before[index]) ? before : after;
}

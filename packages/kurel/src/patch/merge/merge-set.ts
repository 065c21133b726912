import { quote } from '../../diagnostics/index.ts';
import type { Json, JsonArray } from '../../model/index.ts';
import { describeType, describeValue } from '../apply/format-path.ts';
import { refuse } from './directives.ts';
import { identityOfScalar } from './item-identity.ts';
import { checkOrder, readOrder, shareList } from './list-patch.ts';
import type { ListPatch, ParallelList } from './list-patch.ts';
import { locationOf, nameOf, placeOfItem } from './merging.ts';
import type { Place } from './merging.ts';
import { orderItems } from './order-items.ts';
import type { Identified } from './order-items.ts';
import { mergeProblems } from './problems.ts';

/** A list of plain values that has each once: the values of both. */
export function mergeSet({ before, patch = [], order, place }: ListPatch): JsonArray {
  if (order === undefined && patch.length === 0) return before ?? patch;
  const wanted = order && readOrder(order, { identify: identityOfScalar, shape: 'a value of the list' });
  const old = identifyValues(before ?? [], { place, of: 'object' });
  const added = identifyValues(patch, { place, of: 'patch', type: old[0] && describeType(old[0].value) });
  // What is new is not merged with itself.
  if (order === undefined && before === undefined) return patch;
  if (wanted !== undefined) {
    const items = added.map(({ id, value }) => ({ id, words: describeValue(value) }));
    checkOrder(wanted, { items, place: order!.place, list: place });
  }
  const isMerging = before !== undefined && patch.length > 0;
  const united = isMerging ? uniteValues(old, added) : [...old, ...added];
  const ordered = orderItems(united, {
    wanted: wanted ?? added.map(({ id }) => id),
    before: old.map(({ id }) => id),
  });
  return shareList(
    before,
    ordered.map(({ value }) => value),
  );
}

function uniteValues(old: readonly Identified<Json>[], added: readonly Identified<Json>[]) {
  return [...new Map([...added, ...old].map((one) => [one.id, one] as const)).values()];
}

interface ValueReading {
  readonly place: Place;
  readonly of: 'patch' | 'object';
  /** What the values must be; as the first unless said. */
  readonly type?: string | undefined;
}

function identifyValues(values: JsonArray, { place, of, type }: ValueReading): readonly Identified<Json>[] {
  let wanted = type;
  return values.flatMap((value, index) => {
    const id = identityOfScalar(value);
    wanted ??= id === undefined ? undefined : describeType(value);
    if (id !== undefined && describeType(value) === wanted) return [{ id, value }];
    const at = of === 'patch' ? placeOfItem(place, index) : place;
    const args = { list: nameOf(place), item: index + 1, of, found: describeType(value), wanted: wanted ?? 'a text' };
    at.merging.report(
      mergeProblems.create('smp-type-mismatch', args, locationOf(at, of === 'object' ? 'key' : 'value')),
    );
    return [];
  });
}

/** Takes values out of a list; those that are not there are passed over. `patch` is what the same patch puts into it. */
export function deleteValues(list: JsonArray, deleted: ParallelList, patch: JsonArray): JsonArray {
  const { items, place } = deleted;
  const name = quote(nameOf(place));
  if (list.some((item) => identityOfScalar(item) === undefined)) {
    const hint = 'to delete an item of a list of mappings, write "$patch: delete" into an item with its key';
    refuse(place, { reason: `${name} is for lists of plain values`, hint });
    return list;
  }
  const added = new Set(patch.map((item) => identityOfScalar(item)));
  const ids = new Set<string>();
  for (const [index, value] of items.entries()) {
    const id = identityOfScalar(value);
    const at = placeOfItem(place, index);
    if (id === undefined) {
      const reason = `${name} deletes plain values, not ${describeType(value)}`;
      refuse(at, { reason, hint: 'list the values to delete' });
    } else if (added.has(id)) {
      const reason = `the patch both sets and deletes ${describeValue(value)}`;
      refuse(at, { reason, hint: 'leave it out of one of the two lists' });
    } else {
      ids.add(id);
    }
  }
  return shareList(
    list,
    list.filter((item) => !ids.has(identityOfScalar(item)!)),
  );
}

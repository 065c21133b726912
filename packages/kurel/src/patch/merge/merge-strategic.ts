import { describeType, quote } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject, isSameJson, stepInto } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject, Report } from '../../model/index.ts';
import type { SchemaNode } from '../../schema/index.ts';
import {
  deletionPrefix,
  isAtomic,
  listRuleOf,
  locationOf,
  nameOf,
  orderPrefix,
  patchDirective,
  placeOfItem,
  placeOfKey,
  readDirectives,
  readPatchDirective,
  refuse,
  withChanges,
  withoutPatch,
} from './merging.ts';
import type { Locate, Place } from './merging.ts';
import { checkReplacing, deleteValues, mergeKeyedList, mergeSet } from './merge-list.ts';
import type { ListPatch, ParallelList } from './merge-list.ts';
import { mergeJson, reportDirectives } from './merge-json.ts';
import { mergeProblems } from './problems.ts';

interface StrategicOptions {
  /** Schema of the whole object. Without it, the patch is merged by RFC 7386. */
  readonly schema: SchemaNode | undefined;
  /** Built-in kinds merge by patch strategies only; other kinds by list types as well. */
  readonly builtIn: boolean;
  readonly report: Report;
  readonly locate: Locate;
}

/** Merges the patch into the object. Untouched parts are shared; after an error the object itself is returned. */
export function mergeStrategic(target: JsonObject, patch: JsonObject, options: StrategicOptions): JsonObject {
  const { schema, builtIn, locate } = options;
  let failed = false;
  const report: Report = (diagnostic) => {
    failed ||= diagnostic.severity === 'error';
    options.report(diagnostic);
  };
  const root: Place = { path: [], node: schema, merging: { builtIn, report, locate } };
  const merged = schema === undefined ? mergeUnknown(target, patch, root) : mergeMapping(target, patch, root);
  return failed ? target : merged;
}

/** An unknown kind is merged by RFC 7386, which has no directives. */
function mergeUnknown(target: JsonObject, patch: JsonObject, root: Place): JsonObject {
  const { merging } = root;
  if (reportDirectives(patch, merging)) return target;
  const merged = mergeJson(target, patch, (path, before) => reportReplaced(before, { ...root, path }));
  return isJsonObject(merged) ? merged : target;
}

function mergeMapping(before: JsonObject, patch: JsonObject, place: Place): JsonObject {
  const directive = readPatchDirective(patch, place);
  if (directive === 'delete') return {};
  if (directive === 'replace') return replaceMapping(before, withoutPatch(patch), place);
  const { retain, orders, deletions, fields } = readDirectives(patch, place);
  const changes = new Map<string, Json | undefined>();
  if (retain !== undefined) {
    for (const key of Object.keys(before)) if (!retain.has(key)) changes.set(key, undefined);
  }
  const named = orders.size + deletions.size === 0 ? fields : [...fields, ...orders.keys(), ...deletions.keys()];
  for (const key of new Set(named)) {
    const old = changes.has(key) ? undefined : stepInto(before, key);
    const merged = mergeField(old, {
      value: stepInto(patch, key),
      order: parallel(orderPrefix, orders.get(key)),
      deleted: parallel(deletionPrefix, deletions.get(key)),
      place: placeOfKey(place, key),
    });
    if (merged !== old) changes.set(key, merged);

    function parallel(prefix: string, items: JsonArray | undefined): ParallelList | undefined {
      return items && { items, place: placeOfKey(place, `${prefix}/${key}`) };
    }
  }
  return withChanges(before, changes);
}

function replaceMapping(before: JsonObject, patch: JsonObject, place: Place): JsonObject {
  const replaced = mergeMapping({}, patch, place);
  return isSameJson(before, replaced) ? before : replaced;
}

interface FieldPatch {
  readonly value: Json | undefined;
  readonly order: ParallelList | undefined;
  readonly deleted: ParallelList | undefined;
  readonly place: Place;
}

function mergeField(before: Json | undefined, field: FieldPatch): Json | undefined {
  const { value, order, deleted, place } = field;
  let merged = before;
  if (order !== undefined) merged = mergeOrdered(before, field, order);
  else if (value !== undefined) merged = mergeValue(before, value, place);
  if (deleted === undefined || !isJsonArray(merged)) return merged;
  return deleteValues(merged, deleted, isJsonArray(value) ? value : []);
}

function mergeOrdered(before: Json | undefined, { value, place }: FieldPatch, order: ParallelList): Json | undefined {
  const wrong = [value, before].find((list) => list !== undefined && !isJsonArray(list));
  if (wrong !== undefined) {
    const reason = `${quote(nameOf(order.place))} orders a list, but ${quote(nameOf(place))} is ${describeType(wrong)}`;
    refuse(order.place, { reason, hint: 'remove the order' });
    return before;
  }
  if (value === undefined && before === undefined) return undefined;
  return mergeList({
    before: isJsonArray(before) ? before : undefined,
    patch: isJsonArray(value) ? value : undefined,
    order,
    place,
  });
}

/** Returns `undefined` to delete the value. The patch replaces a missing value and one of another type. */
function mergeValue(before: Json | undefined, patch: Json, place: Place): Json | undefined {
  if (patch === null) return undefined;
  if (isJsonArray(patch)) {
    return mergeList({ before: isJsonArray(before) ? before : undefined, patch, order: undefined, place });
  }
  if (!isJsonObject(patch)) return isSameJson(before, patch) ? before : patch;
  const old = isJsonObject(before) ? before : undefined;
  if (old !== undefined) {
    return isAtomic(place.node, place.merging.builtIn)
      ? replaceMapping(old, patch, place)
      : mergeMapping(old, patch, place);
  }
  return patch[patchDirective] === 'delete' ? undefined : mergeMapping({}, patch, place);
}

function mergeList(list: ListPatch): JsonArray {
  const { place, order, before, patch = [] } = list;
  const rule = listRuleOf(place.node, place.merging.builtIn);
  if (rule.type === 'set') return mergeSet(list);
  if (rule.type === 'keyed') return mergeKeyedList(list, rule.keys, mergeMapping);
  if (order === undefined) return replaceList(before, patch, place);
  const reason = `${quote(nameOf(place))} is always replaced entirely, so ${quote(nameOf(order.place))} has no effect`;
  refuse(order.place, { reason, hint: `remove the order, and list the items of ${nameOf(place)} in the right order` });
  return patch;
}

function replaceList(before: JsonArray | undefined, patch: JsonArray, place: Place): JsonArray {
  let isWanted = false;
  const items = patch.flatMap((item, index): readonly Json[] => {
    const at = placeOfItem(place, index);
    const directive = isJsonObject(item) ? readPatchDirective(item, at) : undefined;
    if (directive === undefined) return [item === null ? null : mergeValue(undefined, item, at)!];
    if (directive === 'replace') {
      isWanted = true;
      checkReplacing(item as JsonObject, at);
    } else if (directive === 'delete') {
      const reason = `"$patch: delete" cannot delete an item of ${quote(nameOf(place))}, which is always replaced entirely`;
      refuse(at, { reason, hint: `list every item of ${nameOf(place)} to keep` });
    }
    return [];
  });
  if (before === undefined || isSameJson(before, items)) return before ?? items;
  if (!isWanted) reportReplaced(before, place);
  return items;
}

/** Not reported for built-in kinds: which of their lists merge is documented. */
function reportReplaced(before: JsonArray, place: Place): void {
  if (place.merging.builtIn || !before.some((item) => isJsonObject(item))) return;
  const args = { list: nameOf(place), length: before.length };
  place.merging.report(mergeProblems.create('smp-list-replaced', args, locationOf(place, 'key')));
}

import { getOrAdd } from '../../budget/index.ts';
import { escapeControls } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject, isSameJson, stepInto } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject } from '../../model/index.ts';
import { identityOfItem } from '../../schema/index.ts';
import type { ListKey, SchemaNode } from '../../schema/index.ts';
import type { PatchConflict } from '../patch.ts';
import { describeValue, formatPath } from '../apply/format-path.ts';
import {
  deletionPrefix,
  isAtomic,
  isDirective,
  listRuleOf,
  orderPrefix,
  patchDirective,
  retainDirective,
} from './merging.ts';
import { describeItem, identityOfScalar } from './merge-list.ts';

interface ConflictOptions {
  /** Schema of the whole object; without it, all lists are replaced. */
  readonly schema: SchemaNode | undefined;
  readonly builtIn: boolean;
}

/** A location that both patches change. */
interface Place {
  readonly path: string;
  readonly node: SchemaNode | undefined;
  readonly builtIn: boolean;
}

/** Pairs of patches whose result depends on their order, each with the first path where it does. */
export function findConflicts(patches: readonly JsonObject[], options: ConflictOptions): readonly PatchConflict[] {
  const root: Place = { path: '', node: options.schema, builtIn: options.builtIn };
  return patches.flatMap((a, patchIndexA) =>
    patches.flatMap((b, patchIndexB) => {
      if (patchIndexB <= patchIndexA) return [];
      const clash = compareMappings(a, b, root);
      return clash === undefined ? [] : [{ patchIndexA, patchIndexB, ...clash }];
    }),
  );
}

function compareValues(a: Json, b: Json, place: Place): Clash | undefined {
  if (isJsonObject(a) && isJsonObject(b)) return compareMappings(a, b, place);
  if (isJsonArray(a) && isJsonArray(b)) return compareLists(a, b, place);
  return compareWhole(a, b, place);
}

function compareWhole(a: Json, b: Json, { path }: Place): Clash | undefined {
  if (isSameJson(a, b)) return undefined;
  const [first, other] = [a, b].map((value) => (value === null ? undefined : describeValue(value)));
  const place = nameOf(path);
  const description =
    first === undefined
      ? `one patch removes ${place}, the other sets it to ${other!}`
      : `one patch sets ${place} to ${first}, the other ${other === undefined ? 'removes it' : `to ${other}`}`;
  return { path, valueA: a, valueB: b, description };
}

function compareMappings(a: JsonObject, b: JsonObject, place: Place): Clash | undefined {
  const directives = [stepInto(a, patchDirective), stepInto(b, patchDirective)];
  if (directives.some((directive) => directive !== undefined)) {
    const areSame = directives.every((directive) => directive === 'delete') || isSameJson(a, b);
    return areSame
      ? undefined
      : { path: place.path, valueA: a, valueB: b, description: describeDirectives(directives, nameOf(place.path)) };
  }
  if (isAtomic(place.node, place.builtIn)) return compareWhole(a, b, place);
  for (const key of Object.keys(a)) {
    const clash = isDirective(key) ? compareDirective(key, { a, b, place }) : compareField(key, { a, b, place });
    if (clash !== undefined) return clash;
  }
  return compareRetained(a, b, place) ?? swap(compareRetained(b, a, place));
}

interface Pair {
  readonly a: JsonObject;
  readonly b: JsonObject;
  readonly place: Place;
}

function compareField(key: string, { a, b, place }: Pair): Clash | undefined {
  const value = a[key]!;
  const other = stepInto(b, key);
  const at: Place = { ...place, path: pathOfKey(place.path, key), node: place.node?.property(key) };
  const clash = other === undefined ? undefined : compareValues(value, other, at);
  return clash ?? compareDeletion(value, stepInto(b, `${deletionPrefix}/${key}`), at);
}

function compareDirective(key: string, { a, b, place }: Pair): Clash | undefined {
  const name = key.slice(key.indexOf('/') + 1);
  const path = pathOfKey(place.path, name);
  if (key === `${orderPrefix}/${name}`) {
    const other = stepInto(b, key);
    if (other === undefined || isSameJson(a[key], other)) return undefined;
    const description = `the patches order the items of ${path} differently`;
    return { path, valueA: a[key]!, valueB: other, description };
  }
  if (key !== `${deletionPrefix}/${name}`) return undefined;
  return swap(compareDeletion(stepInto(b, name), a[key], { ...place, path }));
}

/** A value that one patch adds to a list and the other removes. */
function compareDeletion(list: Json | undefined, deleted: Json | undefined, { path }: Place): Clash | undefined {
  if (!isJsonArray(list) || !isJsonArray(deleted)) return undefined;
  const ids = new Set(deleted.map((item) => identityOfScalar(item)).filter((id) => id !== undefined));
  const both = list.find((item) => ids.has(identityOfScalar(item) ?? ''));
  if (both === undefined) return undefined;
  const description = `one patch adds ${describeValue(both)} to ${path}, the other deletes it`;
  return { path, valueA: list, valueB: deleted, description };
}

/** A key that one patch sets and the other removes. */
function compareRetained(a: JsonObject, b: JsonObject, { path }: Place): Clash | undefined {
  const retain = stepInto(a, retainDirective);
  if (!isJsonArray(retain)) return undefined;
  const lost = Object.keys(b).find((key) => !isDirective(key) && b[key] !== null && !retain.includes(key));
  if (lost === undefined) return undefined;
  const field = pathOfKey(path, lost);
  const description = `one patch sets ${field}, which the other does not list in $retainKeys`;
  return { path: field, valueA: retain, valueB: b[lost]!, description };
}

function compareLists(a: JsonArray, b: JsonArray, place: Place): Clash | undefined {
  const rule = listRuleOf(place.node, place.builtIn);
  if (rule.type === 'set' || (rule.type === 'keyed' && a.length * b.length === 0)) return undefined;
  const replaces = [a, b].some((list) => list.some((item) => isJsonObject(item) && item[patchDirective] === 'replace'));
  if (rule.type === 'replace' || replaces) return compareWhole(a, b, place);
  return compareItems(a, b, { ...place, keys: rule.keys });
}

function compareItems(a: JsonArray, b: JsonArray, place: Place & { readonly keys: readonly ListKey[] }) {
  const others = groupItems(b, place.keys);
  for (const item of a) {
    const id = identityOfItem(item, place.keys);
    // An item without its merge key is rejected.
    if (id === undefined) continue;
    const path = `${place.path}[${escapeControls(describeItem(item as JsonObject, place.keys))}]`;
    for (const other of others.get(id) ?? []) {
      const at: Place = { path, node: place.node?.items, builtIn: place.builtIn };
      const clash = compareMappings(item as JsonObject, other, at);
      if (clash !== undefined) return clash;
    }
  }
  return undefined;
}

function groupItems(list: JsonArray, keys: readonly ListKey[]): ReadonlyMap<string, readonly JsonObject[]> {
  const groups = new Map<string, JsonObject[]>();
  for (const item of list) {
    const id = identityOfItem(item, keys);
    if (id !== undefined) getOrAdd(groups, id, () => []).push(item as JsonObject);
  }
  return groups;
}

function swap(clash: Clash | undefined): Clash | undefined {
  return clash && { ...clash, valueA: clash.valueB, valueB: clash.valueA };
}

function pathOfKey(path: string, key: string): string {
  const step = formatPath([key]);
  return path === '' || step.startsWith('[') ? `${path}${step}` : `${path}.${step}`;
}

/** The first difference between two patches. */
type Clash = Required<Omit<PatchConflict, 'patchIndexA' | 'patchIndexB'>>;

function nameOf(path: string): string {
  return path === '' ? 'the object' : path;
}

const verbs = new Map<Json | undefined, string>([
  ['delete', 'deletes'],
  ['replace', 'replaces'],
]);

function describeDirectives(directives: readonly (Json | undefined)[], place: string): string {
  const [verb = 'changes', other = 'changes'] = directives.map((directive) => verbs.get(directive));
  return verb === other
    ? `both patches ${verb === 'replaces' ? 'replace' : 'change'} ${place} differently`
    : `one patch ${verb} ${place}, the other ${other} it`;
}

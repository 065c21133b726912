import { didYouMean, nearest, quote } from '../../diagnostics/index.ts';
import { isJsonArray } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject, Location, Path, Report } from '../../model/index.ts';
import { listKeysOf, mergeKeysOf, mergeRuleOf } from '../../schema/index.ts';
import type { KindSchema, ListKey, SchemaNode } from '../../schema/index.ts';
import { describeValue } from '../apply/format-path.ts';
import { mergeProblems } from './problems.ts';

/** Location of a key or value of the patch document in its file. */
export type Locate = (path: Path, at: 'key' | 'value') => Location | undefined;

/** State of one merge. */
interface Merging {
  readonly builtIn: boolean;
  readonly report: Report;
  readonly locate: Locate;
}

/** A location in the patch document, with its schema. */
export interface Place {
  readonly path: Path;
  readonly node: SchemaNode | undefined;
  readonly merging: Merging;
}

export function placeOfKey({ path, node, merging }: Place, key: string): Place {
  return { path: [...path, key], node: node?.property(key), merging };
}

export function placeOfItem({ path, node, merging }: Place, index: number): Place {
  return { path: [...path, index], node: node?.items, merging };
}

export function locationOf({ path, merging }: Place, at: 'key' | 'value'): { readonly location: Location | undefined } {
  return { location: merging.locate(path, at) };
}

/** Name of a list in messages: the last key of its path. */
export function nameOf({ path }: Place): string {
  return path.findLast((step) => typeof step === 'string') ?? '';
}

/** Copies the object with some keys changed, or deleted if the change is `undefined`; the same object without changes. */
export function withChanges(mapping: JsonObject, changes: ReadonlyMap<string, Json | undefined>): JsonObject {
  if (changes.size === 0) return mapping;
  const entries: [string, Json][] = [];
  for (const key of Object.keys(mapping)) {
    const value = changes.has(key) ? changes.get(key) : mapping[key];
    if (value !== undefined) entries.push([key, value]);
  }
  for (const [key, value] of changes) {
    if (value !== undefined && !Object.hasOwn(mapping, key)) entries.push([key, value]);
  }
  // Creates own keys even for `__proto__`.
  return Object.fromEntries(entries);
}

export type ListRule =
  | { readonly type: 'replace' }
  /** Unique scalars. */
  | { readonly type: 'set' }
  | { readonly type: 'keyed'; readonly keys: readonly ListKey[] };

const replace: ListRule = { type: 'replace' };
const set: ListRule = { type: 'set' };

/** Strategic merge of built-in kinds uses only patch strategies; CRDs use list types instead. */
export function isBuiltIn(kind: KindSchema | undefined): boolean {
  return kind?.source.startsWith('Kubernetes ') ?? false;
}

/**
 * How a patch changes a list. Built-in kinds use patch strategies only, even where list types are more specific; other kinds
 * have no strategies and use list types.
 */
export function listRuleOf(node: SchemaNode | undefined, builtIn: boolean): ListRule {
  if (node === undefined) return replace;
  if (node.patchStrategy !== undefined) {
    if (mergeRuleOf(node).strategy === 'replace') return replace;
    const keys = mergeKeysOf(node);
    return keys === undefined ? set : { type: 'keyed', keys };
  }
  if (builtIn) return replace;
  const keys = listKeysOf(node);
  if (keys !== undefined) return { type: 'keyed', keys };
  // Objects in a set are rare and have no key to match.
  return node.listType === 'set' && node.items?.type !== 'object' && node.items?.type !== 'list' ? set : replace;
}

/** Whether an object is always replaced entirely. */
export function isAtomic(node: SchemaNode | undefined, builtIn: boolean): boolean {
  if (node === undefined) return false;
  if (node.patchStrategy !== undefined) return mergeRuleOf(node).strategy === 'replace';
  return !builtIn && node.mapType === 'atomic';
}

export const patchDirective = '$patch';
export const retainDirective = '$retainKeys';
export const orderPrefix = '$setElementOrder';
export const deletionPrefix = '$deleteFromPrimitiveList';

/** An object in a patch, with its directives separated from its fields. */
interface PatchMapping {
  /** Keys to keep; `undefined` for all. */
  readonly retain: ReadonlySet<string> | undefined;
  /** By list name. */
  readonly orders: ReadonlyMap<string, JsonArray>;
  readonly deletions: ReadonlyMap<string, JsonArray>;
  /** Keys that the patch sets. */
  readonly fields: readonly string[];
}

const noLists: ReadonlyMap<string, JsonArray> = new Map();

export function isDirective(key: string): boolean {
  if (!key.startsWith('$')) return false;
  return key === patchDirective || key === retainDirective || prefixOf(key) !== undefined;
}

function prefixOf(key: string): string | undefined {
  return [orderPrefix, deletionPrefix].find((prefix) => key.startsWith(prefix));
}

/** Reads all directives except `$patch`; malformed ones are reported and left out. */
export function readDirectives(patch: JsonObject, place: Place): PatchMapping {
  const keys = Object.keys(patch);
  if (!keys.some((key) => key.startsWith('$'))) {
    return { retain: undefined, orders: noLists, deletions: noLists, fields: keys };
  }
  const orders = new Map<string, JsonArray>();
  const deletions = new Map<string, JsonArray>();
  const fields: string[] = [];
  for (const key of keys) {
    if (key === patchDirective || key === retainDirective) continue;
    if (isDirective(key)) {
      const list = readParallelList(patch[key]!, key, place);
      if (list !== undefined) (key.startsWith(orderPrefix) ? orders : deletions).set(list.name, list.items);
    } else if (!isMisspelled(key, place)) {
      fields.push(key);
    }
  }
  const retain = readRetainedKeys(patch, place);
  for (const key of retain === undefined ? [] : fields) {
    if (patch[key] === null || retain!.has(key)) continue;
    const reason = `${quote(retainDirective)} does not list ${quote(key)}, which the patch sets`;
    refuse(placeOfKey(place, key), { reason, hint: retainHint });
  }
  return { retain, orders, deletions, fields };
}

function readParallelList(value: Json, key: string, place: Place) {
  const prefix = prefixOf(key)!;
  const name = key.slice(prefix.length + 1);
  if (key[prefix.length] !== '/' || name === '') {
    const hint = `use ${quote(`${prefix}/`)} followed by the name of a list in the same object`;
    refuse(placeOfKey(place, key), { reason: `${quote(key)} does not name a list`, hint });
    return undefined;
  }
  if (isJsonArray(value)) return { name, items: value };
  const reason = `${quote(key)} must be a list, got ${describeValue(value)}`;
  refuse(placeOfKey(place, key), { reason, hint: `list the items of ${name}` });
  return undefined;
}

/** Otherwise an unknown directive would become a field of the object. */
function isMisspelled(key: string, place: Place): boolean {
  if (!key.startsWith('$') || place.node === undefined || place.node.property(key) !== undefined) return false;
  const slash = key.indexOf('/');
  const [word, rest] = slash === -1 ? [key, ''] : [key.slice(0, slash), key.slice(slash)];
  const meant = nearest(word, [patchDirective, retainDirective, orderPrefix, deletionPrefix]);
  if (meant === undefined) return false;
  const hint = `did you mean ${quote(`${meant}${rest}`)}?`;
  refuse(placeOfKey(place, key), { reason: `unknown directive ${quote(key)}`, hint });
  return true;
}

const retainHint = 'list all keys to keep, including those that the patch sets';

function readRetainedKeys(patch: JsonObject, place: Place): ReadonlySet<string> | undefined {
  if (!Object.hasOwn(patch, retainDirective)) return undefined;
  const value = patch[retainDirective]!;
  if (isJsonArray(value) && value.every((item) => typeof item === 'string')) return new Set(value);
  const reason = `${quote(retainDirective)} must be a list of keys, got ${describeValue(value)}`;
  refuse(placeOfKey(place, retainDirective), { reason, hint: retainHint });
  return undefined;
}

/** Reads `$patch`; an unknown value is reported. */
export function readPatchDirective(patch: JsonObject, place: Place): 'replace' | 'delete' | 'invalid' | undefined {
  if (!Object.hasOwn(patch, patchDirective)) return undefined;
  const value = patch[patchDirective]!;
  if (value === 'replace' || value === 'delete') return value;
  const meant = typeof value === 'string' ? nearest(value, ['replace', 'delete']) : undefined;
  const reason = `${quote(patchDirective)} must be "replace" or "delete", got ${describeValue(value)}`;
  const hint = didYouMean(meant) ?? `remove ${quote(patchDirective)} to merge`;
  refuse(placeOfKey(place, patchDirective), { reason, hint });
  return 'invalid';
}

export function withoutPatch(patch: JsonObject): JsonObject {
  const { [patchDirective]: _, ...rest } = patch;
  return rest;
}

/** Reports a directive at its key, or at an item of its list. */
export function refuse(place: Place, words: { readonly reason: string; readonly hint: string }): void {
  const at = typeof place.path.at(-1) === 'number' ? 'value' : 'key';
  place.merging.report(mergeProblems.create('smp-directive-invalid', words, locationOf(place, at)));
}

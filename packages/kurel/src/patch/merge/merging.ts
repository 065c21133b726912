import { isJsonArray } from '../../model/index.ts';
import type { Json, JsonObject, Location, Path, Report } from '../../model/index.ts';
import { mergeRuleOf } from '../../schema/index.ts';
import type { SchemaNode } from '../../schema/index.ts';

/** Location of a key or value of the patch document in its file. */
export type Locate = (path: Path, at: 'key' | 'value') => Location | undefined;

/** State of one merge. */
export interface Merging {
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

/** The limit of the YAML reader. */
export const deepest = 256;

/** Whether the value is too deep to process recursively; checked without recursion. */
export function isTooDeep(value: Json): boolean {
  let level: readonly Json[] = [value];
  for (let depth = 0; depth <= deepest; depth += 1) {
    const collections = level.filter((item) => typeof item === 'object' && item !== null);
    if (collections.length === 0) return false;
    level = collections.flatMap((item) => (isJsonArray(item) ? item : Object.values(item)));
  }
  return true;
}

/** Value of an own key, because `constructor` is inherited by every object. */
export function ownValue(mapping: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
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

type ListRule =
  | { readonly type: 'replace' }
  /** Unique scalars. */
  | { readonly type: 'set' }
  | { readonly type: 'keyed'; readonly keys: readonly MergeKey[] };

export interface MergeKey {
  readonly name: string;
  /** Assumed value for an item without the key. */
  readonly default: Json | undefined;
}

const replace: ListRule = { type: 'replace' };
const set: ListRule = { type: 'set' };

/**
 * How a patch changes a list. Built-in kinds use patch strategies only, even where list types are more specific; other kinds
 * have no strategies and use list types.
 */
export function listRuleOf(node: SchemaNode | undefined, builtIn: boolean): ListRule {
  if (node === undefined) return replace;
  if (node.patchStrategy !== undefined) {
    const { strategy, key } = mergeRuleOf(node);
    if (strategy === 'replace') return replace;
    return key === undefined ? set : { type: 'keyed', keys: [{ name: key, default: undefined }] };
  }
  if (builtIn) return replace;
  if (node.listType === 'map' && node.listMapKeys !== undefined) {
    const keys = node.listMapKeys.map((name) => ({ name, default: node.items?.property(name)?.default }));
    return { type: 'keyed', keys };
  }
  // Objects in a set are rare and have no key to match.
  return node.listType === 'set' && node.items?.type !== 'object' && node.items?.type !== 'list' ? set : replace;
}

/** Whether an object is always replaced entirely. */
export function isAtomic(node: SchemaNode | undefined, builtIn: boolean): boolean {
  if (node === undefined) return false;
  if (node.patchStrategy !== undefined) return mergeRuleOf(node).strategy === 'replace';
  return !builtIn && node.mapType === 'atomic';
}

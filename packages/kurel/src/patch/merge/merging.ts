import { isJsonArray } from '../../model/index.ts';
import type { Json, JsonObject, Location, Path, Report } from '../../model/index.ts';
import { mergeRuleOf } from '../../schema/index.ts';
import type { SchemaNode } from '../../schema/index.ts';

/** Where a key or value of the patch document stands in its file. */
export type Locate = (path: Path, at: 'key' | 'value') => Location | undefined;

/** One merge on its way. */
export interface Merging {
  readonly builtIn: boolean;
  readonly report: Report;
  readonly locate: Locate;
}

/** A place in the patch document and what is known about it. */
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

/** The name of a list in messages: the last key on the way to it. */
export function nameOf({ path }: Place): string {
  return path.findLast((step) => typeof step === 'string') ?? '';
}

/** As deep as the YAML reader goes. */
export const deepest = 256;

/** Whether following the value would take more calls than a program should make; finding out takes none. */
export function isTooDeep(value: Json): boolean {
  let level: readonly Json[] = [value];
  for (let depth = 0; depth <= deepest; depth += 1) {
    const collections = level.filter((item) => typeof item === 'object' && item !== null);
    if (collections.length === 0) return false;
    level = collections.flatMap((item) => (isJsonArray(item) ? item : Object.values(item)));
  }
  return true;
}

/** The value of a key of the mapping itself: `constructor` is in every mapping, and in hardly any its own key. */
export function ownValue(mapping: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}

/** The mapping with some keys changed, or taken away where the change is `undefined`; the very same when there are none. */
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
  // It makes own keys of all of them, also of `__proto__`.
  return Object.fromEntries(entries);
}

type ListRule =
  | { readonly type: 'replace' }
  /** Plain values, of which the list has each once. */
  | { readonly type: 'set' }
  | { readonly type: 'keyed'; readonly keys: readonly MergeKey[] };

export interface MergeKey {
  readonly name: string;
  /** What an item without the key is taken to have. */
  readonly default: Json | undefined;
}

const replace: ListRule = { type: 'replace' };
const set: ListRule = { type: 'set' };

/**
 * How a list takes a patch. Strategic merge of Kubernetes knows only patch strategies, also where list types say more; for
 * kinds that are not built in, which have no strategies, list types are all there is.
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
  // Mappings in a set are rare and have nothing to be found by.
  return node.listType === 'set' && node.items?.type !== 'object' && node.items?.type !== 'list' ? set : replace;
}

/** Whether a mapping is only ever replaced as a whole. */
export function isAtomic(node: SchemaNode | undefined, builtIn: boolean): boolean {
  if (node === undefined) return false;
  if (node.patchStrategy !== undefined) return mergeRuleOf(node).strategy === 'replace';
  return !builtIn && node.mapType === 'atomic';
}

import type { Json } from '../../model/index.ts';
import { mergeRuleOf } from '../../schema/index.ts';
import type { SchemaNode } from '../../schema/index.ts';

export type ListRule =
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

import type { Json } from '../model/index.ts';
import { mergeRuleOf } from '../schema/index.ts';
import type { SchemaNode } from '../schema/index.ts';

/** How a strategic merge goes about a list. */
export type ListRule =
  | { readonly type: 'replace' }
  | { readonly type: 'set' }
  | {
      readonly type: 'keyed';
      readonly keys: readonly {
        readonly name: string;
        /** What an item without the key is taken to have. */
        readonly fallback: Json | undefined;
      }[];
    };

/** Kubernetes' own kinds go by patch strategies alone, all others by list types. */
export function listRuleOf(node: SchemaNode | undefined, isBuiltIn: boolean): ListRule {
  if (node?.patchStrategy !== undefined) {
    const { strategy, key } = mergeRuleOf(node);
    if (strategy === 'replace') return { type: 'replace' };
    return key === undefined ? { type: 'set' } : { type: 'keyed', keys: [{ name: key, fallback: undefined }] };
  }
  if (node === undefined || isBuiltIn) return { type: 'replace' };
  if (node.listType === 'map' && node.listMapKeys !== undefined) {
    const keys = node.listMapKeys.map((name) => ({ name, fallback: node.items?.property(name)?.default }));
    return { type: 'keyed', keys };
  }
  return { type: node.listType === 'set' ? 'set' : 'replace' };
}

import type { SchemaNode } from './schema-node.ts';

/** How a strategic merge patch treats a field. */
export interface MergeRule {
  readonly strategy: 'merge' | 'replace';
  /** Fields of the merged mapping, or of the merged items, that a patch does not name are dropped. */
  readonly retainKeys: boolean;
  /** The field by which items of a list are found; a list that merges without one is a set of plain values. */
  readonly key?: string;
}

/** What Kubernetes says, or its default: mappings are merged and everything else is replaced. */
export function mergeRuleOf(node: SchemaNode): MergeRule {
  const parsed = node.patchStrategy ?? [];
  const strategy = parsed.find((word) => word !== 'retainKeys') ?? (node.type === 'object' ? 'merge' : 'replace');
  const rule = { strategy, retainKeys: parsed.includes('retainKeys') };
  return node.patchMergeKey === undefined ? rule : { ...rule, key: node.patchMergeKey };
}

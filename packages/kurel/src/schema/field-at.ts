import { nearest } from '../diagnostics/index.ts';
import type { Path } from '../model/index.ts';
import type { KindSchema, SchemaNode } from './schema-node.ts';

export interface Field {
  readonly found: SchemaNode;
  /** The mapping that holds the field must have it. */
  readonly required: boolean;
}

export interface MissingField {
  /** Index of the first step that is not described. */
  readonly missing: number;
  /** A field of the same mapping that is spelt alike. */
  readonly near?: string;
  /** Nothing is described at this step, so the field may well be there. */
  readonly open: boolean;
}

/**
 * The field at a path. A list is entered by a number, or passed through by a name: `containers.image` is the image of any
 * container.
 */
export function fieldAt(kind: Pick<KindSchema, 'schema'>, path: Path): Field | MissingField {
  let node = kind.schema;
  let required = true;
  for (const [index, step] of path.entries()) {
    const holder: SchemaNode = typeof step === 'string' ? passLists(node) : node;
    const next: SchemaNode | undefined =
      holder.type === 'list' && typeof step === 'number' ? holder.items : holder.property(String(step));
    if (next === undefined) return describeMissing(holder, String(step), index);
    required = holder.type !== 'list' && (holder.required?.includes(String(step)) ?? false);
    node = next;
  }
  return { found: node, required };
}

function passLists(node: SchemaNode): SchemaNode {
  let inner = node;
  while (inner.type === 'list' && inner.items !== undefined) inner = inner.items;
  return inner;
}

function describeMissing(holder: SchemaNode, step: string, index: number): MissingField {
  const near = nearest(step, holder.propertyNames);
  const open = holder.open === true || holder.type === 'any';
  return near === undefined ? { missing: index, open } : { missing: index, near, open };
}

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

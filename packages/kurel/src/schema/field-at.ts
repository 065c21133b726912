import { nearest } from '../diagnostics/index.ts';
import type { Path } from '../model/index.ts';
import type { KindSchema, SchemaNode } from './schema-node.ts';

export interface Field {
  readonly found: SchemaNode;
  /** The field is required in its parent object. */
  readonly required: boolean;
}

export interface MissingField {
  /** Index of the first step without a schema. */
  readonly missing: number;
  /** A field of the same object with a similar spelling. */
  readonly near?: string;
  /** This step has no schema, so the field may exist. */
  readonly open: boolean;
}

/**
 * The field at a path. A list is entered by an index, or skipped by a name: `containers.image` is the image of any
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
  /** Fields of the merged object or items that a patch does not name are removed. */
  readonly retainKeys: boolean;
  /** The field that identifies list items; a list that merges without one is a set of plain values. */
  readonly key?: string;
}

/** Kubernetes' rule for the field, or its default: objects are merged and everything else is replaced. */
export function mergeRuleOf(node: SchemaNode): MergeRule {
  const parsed = node.patchStrategy ?? [];
  const strategy = parsed.find((word) => word !== 'retainKeys') ?? (node.type === 'object' ? 'merge' : 'replace');
  const rule = { strategy, retainKeys: parsed.includes('retainKeys') };
  return node.patchMergeKey === undefined ? rule : { ...rule, key: node.patchMergeKey };
}

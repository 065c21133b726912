import type { SchemaNode, SchemaRule, SchemaType } from '../../schema/index.ts';
import { createConstraints } from './create-constraints.ts';
import type { Constraint } from './create-constraints.ts';

/** Sorts of values, as bits, so that one comparison tells whether a value is of the right one. */
export const sorts = { text: 1, number: 2, flag: 4, list: 8, mapping: 16 } as const;

const accepted: Readonly<Record<SchemaType, number>> = {
  object: sorts.mapping,
  list: sorts.list,
  string: sorts.text,
  integer: sorts.number,
  number: sorts.number,
  boolean: sorts.flag,
  'int-or-string': sorts.number | sorts.text,
  quantity: sorts.number | sorts.text,
  any: sorts.text | sorts.number | sorts.flag | sorts.list | sorts.mapping,
};

/** A schema node in the form that is quickest to check against; made once for each node, children when first met. */
export interface FieldPlan {
  readonly node: SchemaNode;
  readonly accepts: number;
  readonly isWhole: boolean;
  /** Fields that are not described are unknown. */
  readonly isClosed: boolean;
  readonly required: readonly string[];
  readonly constraints: readonly Constraint[];
  readonly logic: LogicPlan | undefined;
  readonly rules: readonly SchemaRule[] | undefined;
  readonly listKeys: readonly ListKey[] | undefined;
  readonly isSet: boolean;
  readonly deprecated: string | undefined;
  readonly fields: Map<string, FieldPlan | undefined>;
  readonly hasNames: boolean;
  /** Of fields that are not named; `null` until asked for, as `items` is. */
  others: FieldPlan | undefined | null;
  items: FieldPlan | undefined | null;
}

export interface LogicPlan {
  readonly allOf: readonly FieldPlan[];
  readonly anyOf: readonly FieldPlan[];
  readonly oneOf: readonly FieldPlan[];
  readonly not: FieldPlan | undefined;
}

export interface ListKey {
  readonly name: string;
  /** An item that leaves the key out has this. */
  readonly default: unknown;
}

const plans = new WeakMap<SchemaNode, FieldPlan>();

export function planOf(node: SchemaNode): FieldPlan {
  const known = plans.get(node);
  if (known !== undefined) return known;
  const plan = createPlan(node);
  plans.set(node, plan);
  return plan;
}

export function fieldPlan(plan: FieldPlan, name: string): FieldPlan | undefined {
  const known = plan.fields.get(name);
  if (known !== undefined) return known;
  if (plan.others !== null && !plan.hasNames) return plan.others;
  return createField(plan, name);
}

/** Keys of mappings with any keys come in endless variety; they share one plan. */
function createField(plan: FieldPlan, name: string): FieldPlan | undefined {
  const { node } = plan;
  if (plan.others === null) plan.others = node.values === undefined ? undefined : planOf(node.values);
  const child = node.property(name);
  if (child === undefined || child === node.values) return plan.others;
  const made = planOf(child);
  plan.fields.set(name, made);
  return made;
}

export function itemPlan(plan: FieldPlan): FieldPlan | undefined {
  if (plan.items === null) plan.items = plan.node.items === undefined ? undefined : planOf(plan.node.items);
  return plan.items;
}

function createPlan(node: SchemaNode): FieldPlan {
  return {
    node,
    accepts: accepted[node.type],
    isWhole: node.type === 'integer' || node.type === 'int-or-string',
    isClosed: node.type === 'object' && node.open !== true && node.values === undefined,
    // A field with a default is never missing: the API server fills it in before it looks.
    required: (node.required ?? []).filter((name) => node.property(name)?.default === undefined),
    constraints: createConstraints(node),
    logic: createLogic(node),
    rules: node.rules,
    listKeys:
      node.listType === 'map'
        ? (node.listMapKeys ?? []).map((name) => ({ name, default: node.items?.property(name)?.default }))
        : undefined,
    isSet: node.listType === 'set' || node.uniqueItems === true,
    deprecated: node.deprecated,
    fields: new Map(),
    hasNames: node.propertyNames.length > 0,
    others: null,
    items: null,
  };
}

function createLogic({ logic }: SchemaNode): LogicPlan | undefined {
  if (logic === undefined) return undefined;
  return {
    allOf: (logic.allOf ?? []).map(planOf),
    anyOf: (logic.anyOf ?? []).map(planOf),
    oneOf: (logic.oneOf ?? []).map(planOf),
    not: logic.not === undefined ? undefined : planOf(logic.not),
  };
}

import { listKeysOf } from '../list-keys.ts';
import type { ListKey } from '../list-keys.ts';
import type { SchemaLogic, SchemaNode, SchemaRule, SchemaType } from '../schema-node.ts';
import { createConstraints } from './constraints.ts';
import type { Constraint } from './constraints.ts';
import type { Relation } from './relations.ts';

/** Kinds of values, as bits, so that one comparison shows whether a value has an allowed kind. */
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
  scalar: sorts.text | sorts.number | sorts.flag,
  any: sorts.text | sorts.number | sorts.flag | sorts.list | sorts.mapping,
  none: 0,
};

function acceptedBy({ type, types }: SchemaNode): number {
  return types === undefined ? accepted[type] : types.reduce((all, each) => all | accepted[each], 0);
}

function isWholeOnly({ type, types }: SchemaNode): boolean {
  if (types === undefined) return type === 'integer' || type === 'int-or-string';
  return types.some((each) => each === 'integer' || each === 'int-or-string') && !types.includes('number');
}

/** A schema node in the form that is fastest to check against; created once per node, children on first use. */
export interface FieldPlan {
  readonly node: SchemaNode;
  readonly accepts: number;
  readonly takesNull: boolean;
  /** The schema's rules for null and empty strings; copied here because plans all have the same shape, unlike schemas. */
  readonly nullIsValue: boolean;
  readonly nullIsEmpty: boolean;
  readonly nullIsAbsent: boolean;
  readonly emptyIsAbsent: boolean;
  readonly isIntOrString: boolean;
  readonly keys: SchemaNode | undefined;
  readonly firstItems: readonly SchemaNode[] | undefined;
  readonly isWhole: boolean;
  /** Fields without a schema are unknown. */
  readonly isClosed: boolean;
  readonly required: readonly string[];
  readonly relations: readonly Relation[] | undefined;
  readonly constraints: readonly Constraint[];
  /** `null` until first used, like `others` and `items`, because schemas may be recursive. */
  logic: LogicPlan | undefined | null;
  readonly rules: readonly SchemaRule[] | undefined;
  readonly listKeys: readonly ListKey[] | undefined;
  readonly isSet: boolean;
  readonly deprecated: string | undefined;
  readonly fields: Map<string, FieldPlan | undefined>;
  readonly hasNames: boolean;
  /** The plan of fields that are not named. */
  others: FieldPlan | undefined | null;
  items: FieldPlan | undefined | null;
}

export interface LogicPlan {
  readonly allOf: readonly FieldPlan[];
  readonly anyOf: readonly FieldPlan[];
  readonly oneOf: readonly FieldPlan[];
  readonly not: FieldPlan | undefined;
  readonly contains: FieldPlan | undefined;
  readonly conditions: readonly ConditionPlan[];
}

export interface ConditionPlan {
  readonly if: FieldPlan;
  readonly then: FieldPlan | undefined;
  readonly else: FieldPlan | undefined;
}

const plans = new WeakMap<SchemaNode, FieldPlan>();

export function planOf(node: SchemaNode): FieldPlan {
  const earlier = plans.get(node);
  if (earlier !== undefined) return earlier;
  const plan = createPlan(node);
  plans.set(node, plan);
  return plan;
}

export function fieldPlan(plan: FieldPlan, name: string): FieldPlan | undefined {
  const earlier = plan.fields.get(name);
  if (earlier !== undefined) return earlier;
  if (plan.others !== null && !plan.hasNames) return plan.others;
  return createField(plan, name);
}

/** Objects with arbitrary keys have endless keys, so these share one plan. */
function createField(plan: FieldPlan, name: string): FieldPlan | undefined {
  const { node } = plan;
  if (plan.others === null) plan.others = node.values === undefined ? undefined : planOf(node.values);
  const child = node.property(name);
  if (child === undefined || child === node.values) return plan.others;
  const field = planOf(child);
  plan.fields.set(name, field);
  return field;
}

/** The plan of the item at an index; without one, that of items without their own schema. */
export function itemPlan(plan: FieldPlan, index = Number.POSITIVE_INFINITY): FieldPlan | undefined {
  const { firstItems } = plan;
  if (firstItems !== undefined && index < firstItems.length) return planOf(firstItems[index]!);
  if (plan.items === null) plan.items = plan.node.items === undefined ? undefined : planOf(plan.node.items);
  return plan.items;
}

const none: readonly string[] = [];

function createPlan(node: SchemaNode): FieldPlan {
  return {
    node,
    accepts: acceptedBy(node),
    takesNull: node.nullable === true || (node.type === 'any' && node.types === undefined),
    nullIsValue: node.nullIsValue === true,
    nullIsEmpty: node.nullIsEmpty === true,
    nullIsAbsent: node.nullIsAbsent === true,
    emptyIsAbsent: node.emptyIsAbsent === true,
    isIntOrString: node.type === 'int-or-string',
    keys: node.keys,
    firstItems: node.firstItems,
    isWhole: isWholeOnly(node),
    isClosed: node.closed === true || (node.type === 'object' && node.open !== true && node.values === undefined),
    // A field with a default is never missing, because the API server sets it before validation.
    required: node.required?.filter((name) => node.property(name)?.default === undefined) ?? none,
    relations: node.relations,
    constraints: createConstraints(node),
    logic: node.logic === undefined ? undefined : null,
    rules: node.rules,
    listKeys: listKeysOf(node),
    isSet: node.listType === 'set' || node.uniqueItems === true,
    deprecated: node.deprecated,
    fields: new Map(),
    hasNames: node.propertyNames.length > 0 || node.hasPatterns === true,
    others: null,
    items: null,
  };
}

export function logicPlan(plan: FieldPlan): LogicPlan {
  plan.logic ??= createLogic(plan.node.logic!);
  return plan.logic;
}

function createLogic(logic: SchemaLogic): LogicPlan {
  return {
    allOf: (logic.allOf ?? []).map(planOf),
    anyOf: (logic.anyOf ?? []).map(planOf),
    oneOf: (logic.oneOf ?? []).map(planOf),
    not: planOfOptional(logic.not),
    contains: planOfOptional(logic.contains),
    conditions: (logic.conditions ?? []).map((condition) => ({
      if: planOf(condition.if),
      then: planOfOptional(condition.then),
      else: planOfOptional(condition.else),
    })),
  };
}

function planOfOptional(node: SchemaNode | undefined): FieldPlan | undefined {
  return node === undefined ? undefined : planOf(node);
}

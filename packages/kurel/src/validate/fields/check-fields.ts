import { locateExhaustion, spend } from '../../budget/index.ts';
import { describeValue } from '../../diagnostics/index.ts';
import { isJsonArray } from '../../model/index.ts';
import type { Budget, Json, JsonArray, JsonObject, KubeObject, Path } from '../../model/index.ts';
import type { SchemaNode } from '../../schema/index.ts';
import type { Findings } from '../findings.ts';
import { fieldName, holderName } from '../format-path.ts';
import { checkDuplicates } from './check-duplicates.ts';
import { checkLogic } from './check-logic.ts';
import { int32 } from './formats.ts';
import { adviseType, describeEmpty, describeType, showValue } from './describe-value.ts';
import { fieldPlan, itemPlan, planOf, sorts } from './field-plan.ts';
import type { FieldPlan } from './field-plan.ts';
import { createDefaultFiller } from './fill-defaults.ts';
import { findElsewhere } from './find-elsewhere.ts';
import { complain } from './walk.ts';
import type { PendingRules, Walk } from './walk.ts';

export interface FieldCheck {
  readonly object: KubeObject;
  readonly schema: SchemaNode;
  readonly isBuiltIn: boolean;
  readonly findings: Findings;
  readonly budget: Budget;
}

// Far beyond any real object; it keeps made-up ones from exhausting the stack.
const deepest = 500;

/** Checks an object against its schema, and gives the rules that are to be evaluated on what is right so far. */
export function checkFields({ object, schema, isBuiltIn, findings, budget }: FieldCheck): readonly PendingRules[] {
  const root = planOf(schema);
  const walk: Walk = {
    object,
    root,
    path: [],
    findings,
    budget,
    defaults: createDefaultFiller(budget),
    isBuiltIn,
    rules: [],
    misfits: undefined,
    constraining: 0,
    check: checkValue,
  };
  locateExhaustion(
    () => checkValue(walk, root, object),
    // The path is still that of the value at hand.
    () => ({ object, path: [...walk.path] }),
  );
  return walk.rules;
}

interface PartCheck {
  /** Of the part in the document that it is in. */
  readonly path: Path;
  readonly schema: SchemaNode;
  readonly findings: Pick<Findings, 'add'>;
  readonly budget: Budget;
}

const holder: KubeObject = { apiVersion: 'v1', kind: 'the document' };

/** Checks a value that belongs into an object of Kubernetes' own. */
export function checkPartFields(value: Json, { path, schema, findings, budget }: PartCheck): void {
  const root = planOf(schema);
  const walk: Walk = {
    object: holder,
    root,
    path: [...path],
    findings,
    budget,
    defaults: createDefaultFiller(budget),
    isBuiltIn: true,
    rules: [],
    misfits: undefined,
    constraining: 0,
    check: checkValue,
  };
  checkValue(walk, root, value);
}

function checkValue(walk: Walk, plan: FieldPlan, value: Json): void {
  switch (typeof value) {
    case 'string':
      if ((plan.accepts & sorts.text) === 0) return refuseType(walk, plan, value);
      break;
    case 'number':
    case 'bigint':
      if ((plan.accepts & sorts.number) === 0 || (plan.isWhole && !isWhole(value)))
        return refuseType(walk, plan, value);
      break;
    case 'boolean':
      if ((plan.accepts & sorts.flag) === 0) return refuseType(walk, plan, value);
      break;
    default:
      if (value === null) {
        if (plan.node.nullable !== true && plan.node.type !== 'any') refuseType(walk, plan, value);
        return;
      }
      if (isJsonArray(value)) {
        if ((plan.accepts & sorts.list) === 0) return refuseType(walk, plan, value);
        checkItems(walk, plan, value);
      } else {
        if ((plan.accepts & sorts.mapping) === 0) return refuseType(walk, plan, value);
        checkMapping(walk, plan, value);
      }
  }
  // Kubernetes' own type for it holds 32 bits, that of a CRD 64.
  if (plan.node.type === 'int-or-string' && walk.isBuiltIn && !int32.fits(value)) {
    complain(walk, [
      'field-format',
      { field: fieldName(walk.path), expected: int32.expected, found: showValue(value) },
    ]);
  }
  for (const constraint of plan.constraints) {
    const complaint = constraint(value, walk.budget);
    if (complaint !== undefined) complain(walk, complaint(fieldName(walk.path)));
  }
  if (plan.logic !== undefined) checkLogic(walk, plan.logic, walk.defaults.fill(value, plan.node));
  if (plan.rules !== undefined && walk.misfits === undefined) {
    walk.rules.push({ node: plan.node, rules: plan.rules, path: [...walk.path], value });
  }
}

function isWhole(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

function refuseType(walk: Walk, { node, constraints }: FieldPlan, value: Json): void {
  const { type, items } = node;
  const fits = (one: number): boolean => constraints.every((constraint) => constraint(one, walk.budget) === undefined);
  complain(walk, [
    'field-type',
    {
      field: fieldName(walk.path),
      expected: describeType(type),
      found: describeValue(value),
      advice: adviseType({ type, items, fits }, value),
    },
  ]);
}

function checkItems(walk: Walk, plan: FieldPlan, list: JsonArray): void {
  const items = itemPlan(plan);
  if (items !== undefined && !isTooDeep(walk)) {
    for (let index = 0; index < list.length; index += 1) {
      const item = list[index]!;
      walk.path.push(index);
      if (item === null && items.node.nullIsAbsent === true) checkNullItem(walk, items);
      else checkValue(walk, items, item);
      walk.path.pop();
    }
  }
  if (list.length > 1 && (plan.listKeys !== undefined || plan.isSet)) checkDuplicates(walk, plan, list);
}

/** An item cannot be left out: Kubernetes' own types read an empty one. */
function checkNullItem(walk: Walk, { node, required }: FieldPlan): void {
  if (node.type === 'any') return;
  const isRefused = required.length > 0 || node.enum?.includes('') === false;
  complain(
    walk,
    ['list-item-null', { field: fieldName(walk.path), taken: describeEmpty(node.type), required }],
    isRefused ? { severity: 'error' } : undefined,
  );
}

function checkMapping(walk: Walk, plan: FieldPlan, mapping: JsonObject): void {
  if (isTooDeep(walk)) return;
  for (const name in mapping) {
    const field = fieldPlan(plan, name);
    const value = mapping[name]!;
    walk.path.push(name);
    if (field === undefined) checkUndescribed(walk, plan, name);
    else {
      // A status is written by Kubernetes, whatever its fields are called.
      if (field.deprecated !== undefined && value !== null && walk.path[0] !== 'status')
        noteDeprecated(walk, field.deprecated);
      // The API server takes a field that is null for one that is not there.
      if (value !== null) checkValue(walk, field, value);
    }
    walk.path.pop();
  }
  if (plan.required.length > fewRequired) spend(walk.budget, 'patternSteps', plan.required.length * stepsOfField);
  const missing = plan.required.filter((name) => isMissing(mapping[name]));
  if (missing.length > 0) requireFields(walk, plan, missing);
}

// To say that a field is missing takes some time, and a schema may require thousands in each of thousands of items.
const fewRequired = 32;
const stepsOfField = 32;

function isMissing(value: unknown): boolean {
  // Names of the prototype give functions.
  return value === undefined || value === null || typeof value === 'function';
}

function checkUndescribed(walk: Walk, plan: FieldPlan, name: string): void {
  if (!plan.isClosed || walk.constraining > 0) return;
  const known = plan.node.propertyNames;
  // Kubernetes' own types that name no fields hold whatever they are given; in a CRD such a mapping is emptied.
  if (known.length === 0 && walk.isBuiltIn) return;
  const holder = walk.path.slice(0, -1);
  complain(
    walk,
    [
      'field-unknown',
      {
        name,
        holder: holderName(holder, walk.object.kind),
        known,
        elsewhere: () => findElsewhere(walk.root, holder, name),
      },
    ],
    { at: 'key' },
  );
}

function requireFields(walk: Walk, plan: FieldPlan, names: readonly string[]): void {
  const holder = holderName(walk.path, walk.object.kind);
  for (const name of names) {
    const type = plan.node.property(name)?.type;
    const expected = type === undefined || type === 'any' ? undefined : describeType(type);
    walk.path.push(name);
    complain(walk, ['field-required', { name, holder, expected }]);
    walk.path.pop();
  }
}

function noteDeprecated(walk: Walk, words: string): void {
  complain(walk, ['field-deprecated', { field: fieldName(walk.path), words }], { at: 'key', severity: 'note' });
}

function isTooDeep(walk: Walk): boolean {
  if (walk.path.length < deepest) return false;
  complain(walk, ['object-too-deep', { limit: deepest }]);
  return true;
}

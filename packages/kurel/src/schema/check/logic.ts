import { spend } from '../../budget/index.ts';
import { describeValue, quote } from '../../diagnostics/index.ts';
import { isJsonArray } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';
import { listTypes } from './advice.ts';
import { listWords, mostListed } from './names.ts';
import type { FieldPlan, LogicPlan } from './plan.ts';
import { valueProblems } from './problems.ts';
import type { ValueFinding } from './problems.ts';
import { complain, hand, nameField } from './walk.ts';
import type { CheckFinding, Walk } from './walk.ts';

/** Checks the keywords that combine schemas, in addition to the fields that a schema describes. */
export function checkLogic(walk: Walk, logic: LogicPlan, value: Json): void {
  const { allOf, anyOf, oneOf, not, contains, conditions } = logic;
  // There may be thousands of alternatives for thousands of values.
  const schemas = allOf.length + anyOf.length + oneOf.length + conditions.length + 1;
  spend(walk.budget, 'patternSteps', schemas * stepsOfSchema);
  const constraining = walk.source.isLogicDescribing === true ? 0 : 1;
  walk.constraining += constraining;
  walk.depth += 1;
  for (const plan of allOf) walk.check(walk, plan, value);
  if (anyOf.length > 0) {
    const forms = anyOf.map((plan) => tryForm(walk, plan, value));
    if (forms.every(({ misfits }) => misfits.length > 0)) refuse(walk, value, forms, 'at least one of');
  }
  if (oneOf.length > 0) checkOne(walk, oneOf, value);
  if (not !== undefined && tryForm(walk, not, value).misfits.length === 0) {
    complainAlternatives(walk, describeNot(not, value));
  }
  if (contains !== undefined && isJsonArray(value) && !value.some((item) => isFitting(walk, contains, item))) {
    complainAlternatives(walk, 'contain an item that matches "contains" in its schema');
  }
  for (const { if: condition, then, else: otherwise } of conditions) {
    const branch = isFitting(walk, condition, value) ? then : otherwise;
    if (branch !== undefined) walk.check(walk, branch, value);
  }
  walk.depth -= 1;
  walk.constraining -= constraining;
}

const stepsOfSchema = 32;

interface Form {
  readonly plan: FieldPlan;
  /** Why the value does not match; empty if it does. */
  readonly misfits: readonly CheckFinding[];
}

function tryForm(walk: Walk, plan: FieldPlan, value: Json): Form {
  const outer = walk.misfits;
  const misfits: CheckFinding[] = [];
  walk.misfits = misfits;
  walk.check(walk, plan, value);
  walk.misfits = outer;
  return { plan, misfits };
}

export function isFitting(walk: Walk, plan: FieldPlan, value: Json): boolean {
  return tryForm(walk, plan, value).misfits.length === 0;
}

function checkOne(walk: Walk, plans: readonly FieldPlan[], value: Json): void {
  const forms = plans.map((plan) => tryForm(walk, plan, value));
  const fitting = forms.filter(({ misfits }) => misfits.length === 0).length;
  if (fitting === 0) refuse(walk, value, forms, 'one of');
  if (fitting < 2) return;
  const names = listRequired(forms);
  complainAlternatives(
    walk,
    names === undefined ? `match only one of ${plans.length} alternatives` : `have only one of ${names}`,
  );
}

function complainAlternatives(walk: Walk, demand: string, reasons: readonly string[] = []): void {
  complain(walk, ['field-alternatives', { field: nameField(walk), demand, reasons }], { at: 'key' });
}

/** Reports the findings of the alternative that was probably intended, or the common ground of all alternatives. */
function refuse(walk: Walk, value: Json, forms: readonly Form[], word: string): void {
  // Most alternatives only list required fields, which is one sentence.
  const names = listRequired(forms);
  if (names !== undefined) return complainAlternatives(walk, `have ${word} ${names}`);
  // An alternative with a single value is an exception, unlikely to be intended if the value differs.
  const meant = forms.filter(({ plan }) => plan.node.enum?.length !== 1);
  const near = meant.filter(({ misfits }) => !misfits.some((misfit) => isTypeOf(walk, misfit)));
  const [only] = near.length === 0 ? meant : near;
  if (only !== undefined && (near.length === 1 || meant.length === 1)) {
    for (const misfit of only.misfits) hand(walk, misfit);
    return;
  }
  const common = findCommon(walk, value, meant, near);
  if (common !== undefined) return complain(walk, common);
  const reasons = (near.length === 0 ? forms : near).slice(0, mostListed).map(({ misfits }) => messageOf(misfits[0]!));
  complainAlternatives(walk, `match ${word} ${forms.length} alternatives`, reasons);
}

function isTypeOf({ path }: Walk, { finding: [code], path: place }: CheckFinding): boolean {
  return code === 'field-type' && place.length === path.length;
}

/** One finding for alternatives that all require another type, or all another format. */
function findCommon(walk: Walk, value: Json, meant: readonly Form[], near: readonly Form[]): ValueFinding | undefined {
  const field = nameField(walk);
  const shown = describeValue(value);
  if (near.length === 0 && meant.length > 0) {
    const types = [...new Set(meant.flatMap(({ plan: { node } }) => node.types ?? [node.type]))];
    const prescribed = walk.source.prescribe?.({ field, value, types });
    return ['field-type', { field, demand: `must be ${listTypes(types)}`, found: shown, prescribed }];
  }
  const demands = near.flatMap(({ misfits: [first] }) => {
    const [code, args] = first!.finding;
    return code === 'field-format' && first!.path.length === walk.path.length ? [args.demand] : [];
  });
  if (demands.length < near.length || demands.some((demand) => !demand.startsWith('must be '))) return undefined;
  const expected = demands.slice(0, mostListed).map((demand) => demand.slice('must be '.length));
  return ['field-format', { field, demand: `must be ${listWords(expected, 'or', demands.length)}`, found: shown }];
}

function describeNot(plan: FieldPlan, value: Json): string {
  const names = onlyRequires(plan);
  if (names !== undefined) return `not have ${listWords(names.map(quote), 'and')}`;
  const { enum: values } = plan.node;
  if (values !== undefined) return `not be ${listWords(values.map(describeValue), 'or')}`;
  return `not match "not" in its schema, got ${describeValue(value)}`;
}

function messageOf({ finding: [code, args] }: CheckFinding): string {
  return valueProblems.create(code, args).message;
}

/** The fields that the alternatives require, if they require nothing else: `"a" or "b" and "c"`. */
function listRequired(forms: readonly Form[]): string | undefined {
  const names = forms.map(({ plan }) => onlyRequires(plan));
  if (!names.every((list) => list !== undefined)) return undefined;
  // Only the first are shown, and this may be called for thousands of values.
  const choices = names.slice(0, mostListed).map((list) => listWords(list.map(quote), 'and'));
  return listWords(choices, 'or', names.length);
}

function onlyRequires({ node, constraints }: FieldPlan): readonly string[] | undefined {
  const isOnly = node.propertyNames.length === 0 && constraints.length === 0 && node.logic === undefined;
  return isOnly ? node.required : undefined;
}

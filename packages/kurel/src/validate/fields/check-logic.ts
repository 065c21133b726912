import { spend } from '../../budget/index.ts';
import { quote } from '../../diagnostics/index.ts';
import type { Json } from '../../model/index.ts';
import { fieldName } from '../format-path.ts';
import { validateProblems } from '../problems.ts';
import { complain } from './walk.ts';
import type { FieldCode, Walk } from './walk.ts';
import type { Finding } from '../findings.ts';
import { showValue } from './describe-value.ts';
import type { FieldPlan, LogicPlan } from './field-plan.ts';
import { listWords, mostListed } from './problems.ts';

/** `allOf`, `anyOf`, `oneOf` and `not` beside the fields that a schema describes. */
export function checkLogic(walk: Walk, { allOf, anyOf, oneOf, not }: LogicPlan, value: Json): void {
  // Thousands of alternatives may have to be tried on thousands of values.
  const schemas = allOf.length + anyOf.length + oneOf.length + 1;
  spend(walk.budget, 'patternSteps', schemas * stepsOfSchema);
  walk.constraining += 1;
  for (const plan of allOf) walk.check(walk, plan, value);
  if (anyOf.length > 0) {
    const misfits = anyOf.map((plan) => misfitOf(walk, plan, value));
    if (!misfits.includes(undefined)) refuse(walk, { plans: anyOf, misfits, word: 'at least one of' });
  }
  if (oneOf.length > 0) {
    const misfits = oneOf.map((plan) => misfitOf(walk, plan, value));
    const fitting = misfits.filter((misfit) => misfit === undefined).length;
    if (fitting === 0) refuse(walk, { plans: oneOf, misfits, word: 'one of' });
    if (fitting > 1) refuse(walk, { plans: oneOf, misfits: [], word: 'only one of' });
  }
  if (not !== undefined && misfitOf(walk, not, value) === undefined) {
    complain(walk, ['field-alternatives', { field: fieldName(walk.path), demand: describeNot(not), reasons: [] }], {
      at: 'key',
    });
  }
  walk.constraining -= 1;
}

const stepsOfSchema = 32;

/** The first thing that keeps a value from fitting; `undefined` when it fits. */
function misfitOf(walk: Walk, plan: FieldPlan, value: Json): Finding<FieldCode> | undefined {
  const outer = walk.misfits;
  const misfits: Finding<FieldCode>[] = [];
  walk.misfits = misfits;
  walk.check(walk, plan, value);
  walk.misfits = outer;
  return misfits[0];
}

interface Refusal {
  readonly plans: readonly FieldPlan[];
  readonly misfits: readonly (Finding<FieldCode> | undefined)[];
  readonly word: string;
}

/** Most alternatives only say which fields must be there, and can be told in one sentence. */
function refuse(walk: Walk, { plans, misfits, word }: Refusal): void {
  const field = fieldName(walk.path);
  const names = plans.map(onlyRequires);
  if (names.every((list) => list !== undefined)) {
    // Only the first are shown, and this may be asked for each of thousands of values.
    const choices = names.slice(0, mostListed).map((list) => listWords(list.map(quote), 'and'));
    const demand = `have ${word} ${listWords(choices, 'or', names.length)}`;
    complain(walk, ['field-alternatives', { field, demand, reasons: [] }], { at: 'key' });
    return;
  }
  const formats = misfits.flatMap((misfit) => (misfit?.[0] === 'field-format' ? [misfit[1] as FormatArgs] : []));
  if (formats.length === plans.length && formats.every((format) => format.field === field)) {
    const [{ found }] = formats as [FormatArgs];
    complain(walk, [
      'field-format',
      {
        field,
        expected: listWords(
          formats.slice(0, mostListed).map(({ expected }) => expected),
          'or',
          formats.length,
        ),
        found,
      },
    ]);
    return;
  }
  const reasons = misfits.slice(0, mostListed).map((misfit) => (misfit === undefined ? '' : messageOf(misfit)));
  complain(walk, ['field-alternatives', { field, demand: `fit ${word} ${plans.length} forms`, reasons }], {
    at: 'key',
  });
}

type FormatArgs = Finding<'field-format'>[1];

function describeNot(plan: FieldPlan): string {
  const names = onlyRequires(plan);
  if (names !== undefined) return `not have ${listWords(names.map(quote), 'and')}`;
  const { enum: values } = plan.node;
  return values === undefined ? 'not be what its schema excludes' : `not be ${listWords(values.map(showValue), 'or')}`;
}

function messageOf([code, args]: Finding<FieldCode>): string {
  return validateProblems.create(code, args).message;
}

/** The fields that a schema asks for, when it asks for nothing else. */
function onlyRequires({ node, constraints, logic }: FieldPlan): readonly string[] | undefined {
  const isOnly = node.propertyNames.length === 0 && constraints.length === 0 && logic === undefined;
  return isOnly ? node.required : undefined;
}

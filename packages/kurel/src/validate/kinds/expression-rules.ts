import { has, listAt, mappingAt, textAt } from '../../kube/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { fieldName } from '../../schema/index.ts';
import { readExpression } from '../cel/read-expression.ts';
import type { Declared, ExpressionType } from '../cel/read-expression.ts';
import type { FieldSite } from './field-rules.ts';
import type { KindCheck } from './kind-check.ts';

interface Wanted {
  readonly declared: Declared;
  /** The required type of the result; any type if absent. */
  readonly gives?: Result;
}

type Result = keyof typeof results;

/** The result as messages name it, and the types that qualify. */
const results = {
  condition: ['a boolean', 'boolean'],
  message: ['a string', 'string'],
  annotation: ['a string or null', 'string', 'null'],
  object: ['an object, for example Object{spec: …}'],
  patches: ['a list of patches, for example [JSONPatch{…}]', 'list'],
} as const;

/** Checks the syntax of a CEL expression, the variables that it uses and, where the text shows it, the type of its result. */
export function checkExpression(
  { object, findings }: KindCheck,
  value: Json | undefined,
  path: Path,
  wanted: Wanted,
): void {
  if (typeof value !== 'string' || value === '') return;
  const reading = readExpression(value, wanted.declared);
  const demand =
    'problem' in reading
      ? `is not a valid CEL expression: ${reading.problem}`
      : explainType(reading.type, wanted.gives);
  if (demand !== undefined) findings.add(object, { path }, ['field-format', { field: fieldName(path), demand }]);
}

function explainType(type: ExpressionType, wanted: Result | undefined): string | undefined {
  if (wanted === undefined || type === 'unknown') return undefined;
  const [words, ...types] = results[wanted];
  return types.some((one) => one === type) ? undefined : `must evaluate to ${words}`;
}

const request = ['object', 'oldObject', 'request', 'namespaceObject'];
const dynamic = new Set(['object', 'oldObject', 'params']);

/** The conditions under which the API server calls a webhook or evaluates a policy. */
function checkConditions(
  check: KindCheck,
  conditions: readonly Json[],
  { path, extra }: { readonly path: Path; readonly extra: readonly string[] },
): void {
  const declared = { variables: new Set([...request, 'authorizer', ...extra]), dynamic };
  conditions.forEach((condition, index) => {
    checkExpression(check, textAt(condition, 'expression'), [...path, index, 'expression'], {
      declared,
      gives: 'condition',
    });
  });
}

export function checkHookConditions({ value, path, ...check }: FieldSite): void {
  checkConditions(check, listAt(value, 'matchConditions'), { path: [...path, 'matchConditions'], extra: [] });
}

/** All expressions of a policy. A variable is declared only for the expressions after it. */
export function checkPolicyExpressions({ value: spec, path, ...check }: FieldSite): void {
  const params = has(spec, 'paramKind') ? ['params'] : [];
  checkConditions(check, listAt(spec, 'matchConditions'), { path: [...path, 'matchConditions'], extra: params });
  const members = new Set<string>();
  const declare = (extra: readonly string[]): Declared => ({
    variables: new Set([...request, ...params, ...extra, ...(members.size === 0 ? [] : ['variables'])]),
    dynamic,
    members: new Set(members),
  });
  listAt(spec, 'variables').forEach((variable, index) => {
    const place = [...path, 'variables', index, 'expression'];
    checkExpression(check, textAt(variable, 'expression'), place, { declared: declare(['authorizer']) });
    const name = textAt(variable, 'name');
    if (name !== undefined) members.add(name);
  });
  const declared = declare(['authorizer']);
  listAt(spec, 'validations').forEach((validation, index) => {
    const place = [...path, 'validations', index];
    checkExpression(check, textAt(validation, 'expression'), [...place, 'expression'], {
      declared,
      gives: 'condition',
    });
    const message = textAt(validation, 'messageExpression');
    checkExpression(check, message, [...place, 'messageExpression'], { declared: declare([]), gives: 'message' });
  });
  listAt(spec, 'auditAnnotations').forEach((annotation, index) => {
    const place = [...path, 'auditAnnotations', index, 'valueExpression'];
    checkExpression(check, textAt(annotation, 'valueExpression'), place, { declared, gives: 'annotation' });
  });
  listAt(spec, 'mutations').forEach((mutation, index) => {
    for (const [kind, gives] of mutationKinds) {
      const place = [...path, 'mutations', index, kind, 'expression'];
      checkExpression(check, textAt(mappingAt(mutation, kind), 'expression'), place, { declared, gives });
    }
  });
}

const mutationKinds = [
  ['applyConfiguration', 'object'],
  ['jsonPatch', 'patches'],
] as const;

const device: Declared = { variables: new Set(['device']) };

/** The expression that selects devices. */
export function checkDeviceExpression({ value, path, ...check }: FieldSite): void {
  checkExpression(check, value, path, { declared: device, gives: 'condition' });
}

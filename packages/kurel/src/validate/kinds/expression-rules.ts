import { has, listAt, mappingAt, textAt } from '../../kube/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { readExpression } from '../cel/read-expression.ts';
import type { Declared, ExpressionType } from '../cel/read-expression.ts';
import type { FieldRule } from './field-rules.ts';
import { refuse } from './field-site.ts';
import type { FieldSite, Site } from './field-site.ts';

interface Wanted {
  readonly text: Json | undefined;
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
export function checkExpression(site: Site, steps: Path, { text, declared, gives }: Wanted): void {
  if (typeof text !== 'string' || text === '') return;
  const reading = readExpression(text, declared);
  const demand =
    'problem' in reading ? `is not a valid CEL expression: ${reading.problem}` : explainType(reading.type, gives);
  if (demand !== undefined) refuse(site, steps, { code: 'field-format', demand });
}

function explainType(type: ExpressionType, wanted: Result | undefined): string | undefined {
  if (wanted === undefined || type === 'unknown') return undefined;
  const [words, ...types] = results[wanted];
  return types.some((allowed) => allowed === type) ? undefined : `must evaluate to ${words}`;
}

const request = ['object', 'oldObject', 'request', 'namespaceObject'];
const dynamic = new Set(['object', 'oldObject', 'params']);

/** The conditions under which the API server calls a webhook or evaluates a policy. */
export function checkConditions(site: FieldSite, extra: readonly string[] = []): void {
  const declared = { variables: new Set([...request, 'authorizer', ...extra]), dynamic };
  checkEach(site, 'matchConditions', 'expression', { declared, gives: 'condition' });
}

/** The same expression of each item in a list. */
function checkEach(site: FieldSite, list: string, field: string, wanted: Omit<Wanted, 'text'>): void {
  listAt(site.value, list).forEach((item, index) =>
    checkExpression(site, [list, index, field], { ...wanted, text: textAt(item, field) }),
  );
}

/** All expressions of a policy. A variable is declared only for the expressions after it. */
export function checkPolicyExpressions(site: FieldSite): void {
  const params = has(site.value, 'paramKind') ? ['params'] : [];
  checkConditions(site, params);
  const members = new Set<string>();
  const declare = (extra: readonly string[]): Declared => ({
    variables: new Set([...request, ...params, ...extra, ...(members.size === 0 ? [] : ['variables'])]),
    dynamic,
    members: new Set(members),
  });
  listAt(site.value, 'variables').forEach((variable, index) => {
    const text = textAt(variable, 'expression');
    checkExpression(site, ['variables', index, 'expression'], { text, declared: declare(['authorizer']) });
    const name = textAt(variable, 'name');
    if (name !== undefined) members.add(name);
  });
  const declared = declare(['authorizer']);
  checkEach(site, 'validations', 'expression', { declared, gives: 'condition' });
  checkEach(site, 'validations', 'messageExpression', { declared: declare([]), gives: 'message' });
  checkEach(site, 'auditAnnotations', 'valueExpression', { declared, gives: 'annotation' });
  listAt(site.value, 'mutations').forEach((mutation, index) => {
    for (const [kind, gives] of mutationKinds) {
      const text = textAt(mappingAt(mutation, kind), 'expression');
      checkExpression(site, ['mutations', index, kind, 'expression'], { text, declared, gives });
    }
  });
}

const mutationKinds = [
  ['applyConfiguration', 'object'],
  ['jsonPatch', 'patches'],
] as const;

const device: Declared = { variables: new Set(['device']) };

/** The expression that selects devices. */
export const deviceExpression: FieldRule = {
  also: (site) => checkExpression(site, [], { text: site.value, declared: device, gives: 'condition' }),
};

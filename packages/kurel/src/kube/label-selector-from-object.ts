import { nearest, quote } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonObject } from '../model/index.ts';
import { LabelSelectorError } from './label-selector-error.ts';
import { createLabelSelector } from './label-selector.ts';
import type { LabelOperator, LabelRequirement, LabelSelector } from './label-selector.ts';
import { checkLabelKey, checkLabelValue } from './names.ts';

const operators: ReadonlyMap<string, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);
const fields: readonly string[] = ['matchLabels', 'matchExpressions'];

type Refuse = (reason: string) => void;

/** Reads the `matchLabels` and `matchExpressions` of objects. Throws `LabelSelectorError` with all that is wrong. */
export function labelSelectorFromObject(selector: JsonObject): LabelSelector {
  const reasons: string[] = [];
  const refuse: Refuse = (reason) => reasons.push(reason);
  for (const field of Object.keys(selector)) {
    if (!fields.includes(field)) refuse(`field ${quote(field)} is unknown${suggest(field, fields)}`);
  }
  const requirements = [
    ...readMatchLabels(selector['matchLabels'] ?? {}, refuse),
    ...readMatchExpressions(selector['matchExpressions'] ?? [], refuse),
  ];
  if (reasons.length > 0) throw new LabelSelectorError(describe(selector), reasons);
  return createLabelSelector(requirements);
}

function readMatchLabels(labels: Json, refuse: Refuse): readonly LabelRequirement[] {
  if (!isJsonObject(labels)) {
    refuse('"matchLabels" must be a mapping');
    return [];
  }
  return Object.entries(labels).map(([key, value]) => {
    checkKey(key, refuse);
    const text = typeof value === 'string' ? value : '';
    if (typeof value !== 'string') refuse(`value of label ${quote(key)} must be a string`);
    checkValue(text, refuse);
    return { key, operator: '=', values: [text] };
  });
}

function readMatchExpressions(expressions: Json, refuse: Refuse): readonly LabelRequirement[] {
  if (!isJsonArray(expressions) || !expressions.every(isJsonObject)) {
    refuse('"matchExpressions" must be a list of mappings');
    return [];
  }
  return expressions.map((expression) => readExpression(expression, refuse));
}

function readExpression(expression: JsonObject, refuse: Refuse): LabelRequirement {
  const key = textOf(expression['key']);
  const name = textOf(expression['operator']);
  if (key === '') refuse('an entry of "matchExpressions" has no "key"');
  else checkKey(key, refuse);
  const operator = operators.get(name);
  if (operator === undefined) {
    const advice = suggest(name, operators.keys()) || '; use In, NotIn, Exists or DoesNotExist';
    refuse(`operator ${quote(name)} is unknown${advice}`);
  }
  const values = readValues(expression['values'] ?? [], refuse);
  const takesValues = operator === 'in' || operator === 'notin';
  if (takesValues && values?.length === 0) refuse(`operator ${quote(name)} needs "values"`);
  if (operator !== undefined && !takesValues && values?.length !== 0)
    refuse(`operator ${quote(name)} takes no "values"`);
  return { key, operator: operator ?? 'exists', values: [...new Set(values)].sort() };
}

function readValues(values: Json, refuse: Refuse): readonly string[] | undefined {
  if (!isJsonArray(values) || !values.every((value) => typeof value === 'string')) {
    refuse('"values" must be a list of strings');
    return undefined;
  }
  for (const value of values) checkValue(value, refuse);
  return values;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function checkKey(key: string, refuse: Refuse): void {
  const reason = checkLabelKey(key);
  if (reason !== undefined) refuse(`key ${quote(key)} ${reason}`);
}

function checkValue(value: string, refuse: Refuse): void {
  const reason = checkLabelValue(value);
  if (reason !== undefined) refuse(`value ${quote(value)} ${reason}`);
}

function suggest(word: string, candidates: Iterable<string>): string {
  const meant = nearest(word, candidates);
  return meant === undefined ? '' : `; did you mean ${quote(meant)}?`;
}

function describe(selector: JsonObject): string {
  return JSON.stringify(selector, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}

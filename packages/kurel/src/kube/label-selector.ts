import { DiagnosticError, nearest, quote } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonObject } from '../model/index.ts';
import { checkLabelKey, checkLabelValue } from './names.ts';
import { kubeProblems } from './problems.ts';

export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | '>' | '<';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted and unique; empty for `exists` and `!`. */
  readonly values: readonly string[];
}

type Labels = Readonly<Record<string, string>>;

/** All requirements must match; a selector without requirements matches everything. */
export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[];
  matches(labels: Labels): boolean;
  /** A string that `parseLabelSelector` reads as the same selector. */
  toString(): string;
}

export function createLabelSelector(requirements: readonly LabelRequirement[]): LabelSelector {
  const tests = requirements.map(compileRequirement);
  return {
    requirements,
    matches: (labels) => tests.every((test) => test(labels)),
    toString: () => requirements.map(formatRequirement).join(','),
  };
}

function compileRequirement({ key, operator, values }: LabelRequirement): (labels: Labels) => boolean {
  const [value = ''] = values;
  const read = (labels: Labels): string | undefined => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  switch (operator) {
    case 'exists':
      return (labels) => read(labels) !== undefined;
    case '!':
      return (labels) => read(labels) === undefined;
    case '=':
    case '==':
      return (labels) => read(labels) === value;
    case '!=':
      return (labels) => read(labels) !== value;
    case 'in':
    case 'notin': {
      const set = new Set<string | undefined>(values);
      const wanted = operator === 'in';
      return (labels) => set.has(read(labels)) === wanted;
    }
    default: {
      const limit = parseInteger(value)!;
      return (labels) => {
        const number = parseInteger(read(labels) ?? '');
        return number !== undefined && (operator === '>' ? number > limit : number < limit);
      };
    }
  }
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  if (operator === 'exists') return key;
  if (operator === '!') return `!${key}`;
  if (operator === 'in' || operator === 'notin') return `${key} ${operator} (${values.join(',')})`;
  return `${key}${operator}${values[0]}`;
}

const largest = 2n ** 63n - 1n;

/** A 64-bit integer; exact, because doubles would treat neighbours as equal. */
export function parseInteger(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,64}$/.test(text)) return undefined;
  const value = text.startsWith('+') ? BigInt(text.slice(1)) : BigInt(text);
  return value > largest || value < -largest - 1n ? undefined : value;
}

/** A label selector that Kubernetes would reject. */
export class LabelSelectorError extends DiagnosticError {
  /** Offset in the selector where reading stopped; 0 for selectors that are objects. */
  readonly position: number;

  constructor(selector: string, reasons: readonly string[], position = 0) {
    super(reasons.map((reason) => kubeProblems.create('label-selector-invalid', { selector, reason })));
    this.name = 'LabelSelectorError';
    this.position = position;
  }
}

const operators: ReadonlyMap<string, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);
const fields: readonly string[] = ['matchLabels', 'matchExpressions'];

type Refuse = (reason: string) => void;

/** Reads the `matchLabels` and `matchExpressions` of objects. Throws `LabelSelectorError` with all reasons. */
export function labelSelectorFromObject(selector: JsonObject): LabelSelector {
  const reasons: string[] = [];
  const refuse: Refuse = (reason) => reasons.push(reason);
  for (const field of Object.keys(selector)) {
    if (!fields.includes(field)) refuse(`unknown field ${quote(field)}${suggest(field, fields)}`);
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
    refuse('"matchLabels" must be an object');
    return [];
  }
  return Object.entries(labels).map(([key, value]) => {
    checkKey(key, refuse);
    const text = typeof value === 'string' ? value : '';
    if (typeof value !== 'string') refuse(`the value of label ${quote(key)} must be a string`);
    checkValue(text, refuse);
    return { key, operator: '=', values: [text] };
  });
}

function readMatchExpressions(expressions: Json, refuse: Refuse): readonly LabelRequirement[] {
  if (!isJsonArray(expressions) || !expressions.every(isJsonObject)) {
    refuse('"matchExpressions" must be a list of objects');
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
    refuse(`unknown operator ${quote(name)}${advice}`);
  }
  const values = readValues(expression['values'] ?? [], refuse);
  const takesValues = operator === 'in' || operator === 'notin';
  if (takesValues && values?.length === 0) refuse(`operator ${quote(name)} requires "values"`);
  if (operator !== undefined && !takesValues && values?.length !== 0)
    refuse(`operator ${quote(name)} does not allow "values"`);
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

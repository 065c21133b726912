import { DiagnosticError, didYouMean, nearest, quote } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonObject } from '../model/index.ts';
import { textAt } from './metadata.ts';
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
function parseInteger(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,64}$/.test(text)) return undefined;
  const value = text.startsWith('+') ? BigInt(text.slice(1)) : BigInt(text);
  return value > largest || value < -largest - 1n ? undefined : value;
}

/** A label selector that Kubernetes would reject. */
export class LabelSelectorError extends DiagnosticError {
  /** Offset in the selector where reading stopped. */
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

/** Reads the `matchLabels` and `matchExpressions` of objects; a string says why the selector is not valid. */
export function labelSelectorFromObject(selector: JsonObject): LabelSelector | string {
  const reasons: string[] = [];
  const refuse: Refuse = (reason) => reasons.push(reason);
  for (const field of Object.keys(selector)) {
    if (!fields.includes(field)) refuse(`unknown field ${quote(field)}${suggest(field, fields) ?? ''}`);
  }
  const requirements = [
    ...readMatchLabels(selector['matchLabels'] ?? {}, refuse),
    ...readMatchExpressions(selector['matchExpressions'] ?? [], refuse),
  ];
  return reasons.length > 0 ? reasons.join('; ') : createLabelSelector(requirements);
}

function readMatchLabels(labels: Json, refuse: Refuse): readonly LabelRequirement[] {
  if (!isJsonObject(labels)) {
    refuse('"matchLabels" must be an object');
    return [];
  }
  return Object.entries(labels).map(([key, value]) => {
    checkKey(key, refuse);
    const text = typeof value === 'string' ? value : '';
    // The API server reads a null as an empty string.
    if (typeof value !== 'string' && value !== null) refuse(`the value of label ${quote(key)} must be a string`);
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
  const [key, name] = [textAt(expression, 'key') ?? '', textAt(expression, 'operator') ?? ''];
  if (key === '') refuse('an entry of "matchExpressions" has no "key"');
  else checkKey(key, refuse);
  const operator = operators.get(name);
  if (operator === undefined) {
    const advice = suggest(name, operators.keys()) ?? '; use In, NotIn, Exists or DoesNotExist';
    refuse(`unknown operator ${quote(name)}${advice}`);
  }
  const values = readValues(expression['values'] ?? [], refuse);
  const takesValues = operator === 'in' || operator === 'notin';
  if (takesValues && values?.length === 0) refuse(`operator ${quote(name)} requires "values"`);
  if (operator !== undefined && !takesValues && values?.length !== 0)
    refuse(`operator ${quote(name)} does not allow "values"`);
  return { key, operator: operator ?? 'exists', values: [...new Set(values)].sort() };
}

function readValues(list: Json, refuse: Refuse): readonly string[] | undefined {
  const values = isJsonArray(list) ? list.map((value) => value ?? '') : undefined;
  if (values === undefined || !values.every((value) => typeof value === 'string')) {
    refuse('"values" must be a list of strings');
    return undefined;
  }
  for (const value of values) checkValue(value, refuse);
  return values;
}

function checkKey(key: string, refuse: Refuse): void {
  const reason = checkLabelKey(key);
  if (reason !== undefined) refuse(`key ${quote(key)} ${reason}`);
}

function checkValue(value: string, refuse: Refuse): void {
  const reason = checkLabelValue(value);
  if (reason !== undefined) refuse(`value ${quote(value)} ${reason}`);
}

function suggest(word: string, candidates: Iterable<string>): string | undefined {
  const advice = didYouMean(nearest(word, candidates));
  return advice === undefined ? undefined : `; ${advice}`;
}

interface Token {
  /** The symbol itself, `word`, or `end`. */
  readonly type: string;
  readonly text: string;
  readonly position: number;
}

const tokenPattern = /[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^ \t\r\n=!(),<>]+))/y;
const symbols: ReadonlySet<string> = new Set(['=', '==', '!=', '>', '<']);
// Longer than any command line; the limit keeps hostile input from costing time.
const longest = 1_000_000;

/**
 * Reads a selector like `kubectl --selector`: `app=web,tier in (front,back),!legacy`. Throws `LabelSelectorError`.
 * A key or value may also be the word `in` or `notin`, because no position allows both a word and such an operator.
 */
export function parseLabelSelector(text: string): LabelSelector {
  if (text.length > longest) throw new LabelSelectorError(text, ['it is too long']);
  const tokens = tokenize(text);
  let index = 0;
  const requirements = peek() === 'end' ? [] : [parseRequirement()];
  while (peek() !== 'end') {
    expect(',', 'expected "," or the end');
    requirements.push(parseRequirement());
  }
  return createLabelSelector(requirements);

  /** The type of the next token. */
  function peek(): string {
    return tokens[index]!.type;
  }

  /** Consumes a token of the type, or fails at the token found instead. */
  function expect(type: string, expected: string): Token {
    const token = tokens[index]!;
    if (token.type !== type) fail(token, `${expected}, got ${token.type === 'end' ? 'the end' : quote(token.text)}`);
    index += 1;
    return token;
  }

  function fail(token: Token, reason: string): never {
    throw new LabelSelectorError(text, [`${reason} at position ${token.position + 1}`], token.position);
  }

  function parseRequirement(): LabelRequirement {
    if (peek() === '!') {
      index += 1;
      return { key: parseWord('key', checkLabelKey), operator: '!', values: [] };
    }
    const key = parseWord('key', checkLabelKey);
    const token = tokens[index]!;
    if (token.type === ',' || token.type === 'end') return { key, operator: 'exists', values: [] };
    index += 1;
    if (symbols.has(token.type)) {
      return { key, operator: token.type as LabelOperator, values: [parseValue(token.type)] };
    }
    if (token.text === 'in' || token.text === 'notin') return { key, operator: token.text, values: parseValues() };
    return fail(token, `expected an operator, got ${quote(token.text)}`);
  }

  function parseWord(noun: 'key' | 'value', check: (word: string) => string | undefined): string {
    const token = expect('word', `expected a ${noun}`);
    const reason = check(token.text);
    return reason === undefined ? token.text : fail(token, `${noun} ${quote(token.text)} ${reason}`);
  }

  /** A missing value is the empty string, which `>` and `<` cannot compare with. */
  function parseValue(operator: string): string {
    const token = tokens[index]!;
    const isMissing = token.type === ',' || token.type === 'end';
    const value = isMissing ? '' : parseWord('value', checkLabelValue);
    if ((operator === '>' || operator === '<') && parseInteger(value) === undefined) {
      return fail(token, `expected an integer after ${quote(operator)}, got ${quote(value)}`);
    }
    return value;
  }

  /** A missing value before or after a comma is the empty string, and so is an empty list. */
  function parseValues(): readonly string[] {
    expect('(', 'expected "("');
    const values = new Set<string>();
    for (let more = true; more;) {
      values.add(peek() === 'word' ? parseWord('value', checkLabelValue) : '');
      more = peek() === ',';
      if (more) index += 1;
    }
    expect(')', 'expected "," or ")"');
    return [...values].sort();
  }
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  for (let match = tokenPattern.exec(text); match !== null; match = tokenPattern.exec(text)) {
    const [, symbol, word] = match;
    const token = symbol ?? word!;
    tokens.push({ type: symbol ?? 'word', text: token, position: match.index + match[0].length - token.length });
  }
  return [...tokens, { type: 'end', text: '', position: text.length }];
}

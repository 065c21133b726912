import { createBudget } from '../../../budget/index.ts';
import { canonicalJson } from '../../../engine/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject, Location, Path } from '../../../model/index.ts';
import { fail } from './checking.ts';
import type { Checking, Violation } from './checking.ts';
import { checkLogic } from './check-logic.ts';
import { checkArray, checkObject } from './check-collections.ts';
import { checkNumber, checkText } from './check-scalars.ts';
import { parameterSchemaProblems } from './problems.ts';
import { isOfType, isSame, showValue, typeOf, typesOf } from './schema-types.ts';

const mostSteps = 500_000;
const deepest = 1500;

/** Everything that is wrong with a value; nothing when it fits. */
export function findViolations(value: Json, schema: Json, path: Path = []): readonly Violation[] {
  const checking: Checking = {
    path,
    found: [],
    root: schema,
    patterns: new Map(),
    choices: new Map(),
    run: createBudget(),
    check: checkValue,
    budget: { steps: mostSteps, depth: 0 },
  };
  checkValue(value, schema, checking);
  if (checking.budget.steps > 0) return checking.found;
  const tell = (location: Location | undefined) =>
    parameterSchemaProblems.create('schema-too-complex', {}, { location });
  return [{ code: 'schema-too-complex', path, isType: false, isKey: false, tell }];
}

function checkValue(value: Json, schema: Json | undefined, checking: Checking): void {
  const { budget } = checking;
  budget.steps -= 1;
  if (budget.depth > deepest) budget.steps = 0;
  if (budget.steps <= 0) return;
  budget.depth += 1;
  if (schema === false) fail(checking, 'parameter-not-allowed', { near: undefined });
  // In draft 7 nothing beside a reference counts.
  else if (isJsonObject(schema) && typeof schema['$ref'] === 'string') {
    checkValue(value, followReference(checking.root, schema['$ref']), checking);
  } else if (isJsonObject(schema)) checkKeywords(value, schema, checking);
  budget.depth -= 1;
}

function checkKeywords(value: Json, schema: JsonObject, checking: Checking): void {
  const types = typesOf(schema);
  if (types !== undefined && !isOfType(value, types)) return failType(value, types, checking);
  checkChoice(value, schema, checking);
  if (typeof value === 'number' || typeof value === 'bigint') checkNumber(value, schema, checking);
  else if (typeof value === 'string') checkText(value, schema, checking);
  else if (isJsonArray(value)) checkArray(value, schema, checking);
  else if (isJsonObject(value)) checkObject(value, schema, checking);
  checkLogic(value, schema, checking);
}

function failType(value: Json, types: readonly string[], checking: Checking): void {
  const found = typeOf(value);
  const isPlain = typeof value !== 'object' && typeof value !== 'string';
  const quoted = types.includes('string') && isPlain ? `"${value}"` : undefined;
  fail(checking, 'parameter-type', { expected: types, found, quoted });
}

function checkChoice(value: Json, schema: JsonObject, checking: Checking): void {
  const { enum: choices, const: only } = schema;
  const allowed = Object.hasOwn(schema, 'const') ? [only!] : isJsonArray(choices) ? choices : undefined;
  if (allowed === undefined || isChoice(value, allowed, checking)) return;
  const word = typeof value === 'string' ? value : undefined;
  fail(checking, 'parameter-enum', () => ({
    value: showValue(value),
    allowed: allowed.map(showValue),
    word,
    words: allowed.filter((one) => typeof one === 'string'),
  }));
}

const fewChoices = 16;

function isChoice(value: Json, allowed: readonly Json[], { choices }: Checking): boolean {
  if (allowed.length <= fewChoices) return allowed.some((one) => isSame(one, value));
  const known = choices.get(allowed) ?? new Set(allowed.map(identify));
  choices.set(allowed, known);
  return known.has(identify(value));
}

function identify(value: Json): string {
  return typeof value === 'object' ? canonicalJson(value) : `${typeof value} ${value}`;
}

/** `#/definitions/port` in the schema itself; anything else is not looked for. */
function followReference(root: Json, reference: string): Json | undefined {
  if (!reference.startsWith('#')) return undefined;
  let schema: Json | undefined = root;
  for (const step of reference.slice(1).split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (isJsonArray(schema)) schema = schema[Number(name)];
    else schema = isJsonObject(schema) && Object.hasOwn(schema, name) ? schema[name] : undefined;
  }
  return schema;
}

import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import { fail } from './checking.ts';
import type { Checking, Violation } from './checking.ts';
import { showValue, typeOf, typesOf } from './schema-types.ts';

/** What combines schemas. */
export function checkLogic(value: Json, schema: JsonObject, checking: Checking): void {
  const { allOf, anyOf, oneOf, not } = schema;
  for (const inner of isJsonArray(allOf) ? allOf : []) checking.check(value, inner, checking);
  if (isJsonArray(anyOf)) checkAny(value, anyOf, checking);
  if (isJsonArray(oneOf)) checkOne(value, oneOf, checking);
  if (not !== undefined && tryValue(value, not, checking).length === 0) {
    fail(checking, 'parameter-alternatives', { demand: `${showValue(value)} is not allowed`, reasons: [] });
  }
  if (schema['if'] !== undefined) {
    const branch = tryValue(value, schema['if'], checking).length === 0 ? 'then' : 'else';
    checking.check(value, schema[branch], checking);
  }
}

function tryValue(value: Json, schema: Json, checking: Checking): readonly Violation[] {
  const found: Violation[] = [];
  checking.check(value, schema, { ...checking, found });
  return found;
}

function checkAny(value: Json, schemas: readonly Json[], checking: Checking): void {
  const tried = schemas.map((schema) => ({ schema, found: tryValue(value, schema, checking) }));
  if (tried.length > 0 && tried.every(({ found }) => found.length > 0)) explain(value, tried, checking);
}

function checkOne(value: Json, schemas: readonly Json[], checking: Checking): void {
  const tried = schemas.map((schema) => ({ schema, found: tryValue(value, schema, checking) }));
  const { length } = tried.filter(({ found }) => found.length === 0);
  if (length === 0 && tried.length > 0) explain(value, tried, checking);
  if (length < 2) return;
  const demand = `${showValue(value)} fits ${length} of the forms it may have, and must fit one`;
  fail(checking, 'parameter-alternatives', { demand, reasons: [] });
}

interface Tried {
  readonly schema: Json;
  readonly found: readonly Violation[];
}

/** Says what is wrong with the form that was probably meant. */
function explain(value: Json, tried: readonly Tried[], checking: Checking): void {
  // A form of one value only is an exception that nobody means who gives another.
  const forms = tried.filter(({ schema }) => !isJsonObject(schema) || !Object.hasOwn(schema, 'const'));
  const isOfOtherType = ({ found }: Tried): boolean =>
    found.some(({ isType, path }) => isType && path.length === checking.path.length);
  const near = forms.filter((form) => !isOfOtherType(form));
  const [only] = near.length === 0 ? forms : near;
  if (near.length === 1 || forms.length === 1) {
    for (const violation of only!.found) checking.found.push(violation);
    return;
  }
  const types = forms.flatMap(({ schema }) => (isJsonObject(schema) ? (typesOf(schema) ?? []) : []));
  if (near.length === 0 && types.length > 0) {
    fail(checking, 'parameter-type', { expected: [...new Set(types)], found: typeOf(value), quoted: undefined });
    return;
  }
  const shown = (near.length === 0 ? tried : near).slice(0, 4);
  const reasons = shown.map(({ found }) => found[0]!.tell(undefined).message);
  const demand = `${showValue(value)} fits none of the forms it may have`;
  fail(checking, 'parameter-alternatives', { demand, reasons });
}

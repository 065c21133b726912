import { locateExhaustion } from '../../budget/index.ts';
import { compilePattern, explainPattern } from '../../schema/index.ts';
import { describeValue, nearest, quote } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject, isNumber } from '../../model/index.ts';
import type { Budget, Json, JsonObject, Location, Path, Report, SourceFile } from '../../model/index.ts';
import { checkValue } from './check-value.ts';
import { parameterTypes } from './declaration.ts';
import type { ParameterSchema, ParameterType, Pattern } from './declaration.ts';
import { declaredProblems } from './problems.ts';
import { readLexeme } from '../read-lexeme.ts';

export interface SchemaPlace {
  /** The declared part, as messages name it. */
  readonly part: string;
  readonly source: SourceFile;
  readonly location: Location;
  readonly report: Report;
  /** The budget of the run, shared by the patterns of all parameters. */
  readonly budget?: Budget | undefined;
}

type Rule = 'pattern' | 'minimum' | 'maximum' | 'items' | 'properties';

const ruleTypes: Readonly<Record<Rule, readonly ParameterType[]>> = {
  pattern: ['string'],
  minimum: ['integer', 'number'],
  maximum: ['integer', 'number'],
  items: ['array'],
  properties: ['object'],
};

export const schemaKeys = ['type', 'description', 'enum', ...(Object.keys(ruleTypes) as Rule[])] as const;

/** The schema in a declaration; mistakes are reported, and invalid parts are left out. */
export function readParameterSchema(all: JsonObject, place: SchemaPlace): ParameterSchema {
  const type = readType(all, place);
  const data = type === undefined ? all : leaveOutMisplaced(all, type, place);
  const description = readText(data, 'description', place);
  const pattern = readPattern(readText(data, 'pattern', place), place);
  const minimum = readNumber(data, 'minimum', place);
  const maximum = readNumber(data, 'maximum', place);
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    const args = { minimum: String(minimum), maximum: String(maximum) };
    place.report(declaredProblems.create('declaration-range-empty', args, at(place, ['minimum'])));
  }
  const items = readInner(data, 'items', place);
  const properties = readProperties(data, place);
  const schema: ParameterSchema = {
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(items === undefined ? {} : { items }),
    ...(properties === undefined ? {} : { properties }),
  };
  const allowed = readEnum(data, schema, place);
  return allowed === undefined ? schema : { ...schema, enum: allowed };
}

/** Called for a declaration as a whole, before its parts. */
export function checkKeys(data: JsonObject, known: readonly string[], place: SchemaPlace): void {
  for (const key of Object.keys(data)) {
    if (known.includes(key)) continue;
    const args = { key, part: place.part, near: nearest(key, known), known };
    place.report(declaredProblems.create('declaration-key-unknown', args, at(place, [key], 'key')));
  }
}

/** Whether a missing key is present with a typo, which is reported separately. */
export function isMisspelt(key: string, data: JsonObject, known: readonly string[]): boolean {
  return Object.keys(data).some((other) => !known.includes(other) && nearest(other, known) === key);
}

/** The location of a part of a declaration, for a finding. */
export function at(place: SchemaPlace, path: Path, end: 'key' | 'value' = 'value'): { readonly location: Location } {
  const { location } = place;
  return { location: { ...location, path: [...(location.path ?? []), ...path], at: end } };
}

export function reportShape(
  place: SchemaPlace,
  { path, wanted, value, remedy }: { path: Path; wanted: string; value: Json; remedy?: string | undefined },
): void {
  const last = path.at(-1);
  const part = typeof last === 'string' ? `${quote(last)} of ${place.part}` : place.part;
  const args = { part, wanted, found: describeValue(value), remedy };
  place.report(declaredProblems.create('declaration-shape', args, at(place, path)));
}

function readType(data: JsonObject, place: SchemaPlace): ParameterType | undefined {
  const type = Object.hasOwn(data, 'type') ? data['type']! : undefined;
  if (type === undefined) return undefined;
  const known = parameterTypes.find((one) => one === type);
  if (known !== undefined) return known;
  if (typeof type !== 'string') {
    reportShape(place, { path: ['type'], wanted: `one of ${parameterTypes.join(', ')}`, value: type });
    return undefined;
  }
  const args = {
    type,
    near: nearTypes.get(type.toLowerCase()) ?? nearest(type, parameterTypes),
    types: parameterTypes,
  };
  place.report(declaredProblems.create('declaration-type-unknown', args, at(place, ['type'])));
  return undefined;
}

/** Names for types in other languages. */
const nearTypes = new Map<string, ParameterType>([
  ['bool', 'boolean'],
  ['int', 'integer'],
  ['float', 'number'],
  ['list', 'array'],
  ['map', 'object'],
  ['mapping', 'object'],
  ['text', 'string'],
]);

export function readText(data: JsonObject, key: string, place: SchemaPlace): string | undefined {
  const value = Object.hasOwn(data, key) ? data[key]! : undefined;
  if (value === undefined || typeof value === 'string') return value;
  const remedy = value === null || typeof value === 'object' ? undefined : 'quote it';
  reportShape(place, { path: [key], wanted: 'a string', value, remedy });
  return undefined;
}

function readPattern(text: string | undefined, place: SchemaPlace): Pattern | undefined {
  if (text === undefined) return undefined;
  const { location } = at(place, ['pattern']);
  const { budget } = place;
  const test = locateExhaustion(
    () => compilePattern(text, budget),
    () => location,
  );
  const matches = (value: string): boolean =>
    locateExhaustion(
      () => test!(value, budget),
      () => location,
    );
  if (test !== undefined) return { text, matches };
  const args = { pattern: text, reason: explainPattern(text) ?? '' };
  place.report(declaredProblems.create('declaration-pattern-invalid', args, at(place, ['pattern'])));
  return undefined;
}

function readNumber(data: JsonObject, key: 'minimum' | 'maximum', place: SchemaPlace): number | bigint | undefined {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  if (value === undefined || isNumber(value)) return value;
  reportShape(place, { path: [key], wanted: 'a number', value });
  return undefined;
}

/** A field that does not apply to the type is reported once, and its value is not checked. */
function leaveOutMisplaced(data: JsonObject, type: ParameterType, place: SchemaPlace): JsonObject {
  const misplaced = Object.entries(ruleTypes).filter(
    ([key, types]) => Object.hasOwn(data, key) && !types.includes(type),
  );
  for (const [key, types] of misplaced) {
    place.report(declaredProblems.create('declaration-rule-misplaced', { key, type, types }, at(place, [key], 'key')));
  }
  const keys = new Set(misplaced.map(([key]) => key));
  return Object.fromEntries(Object.entries(data).filter(([key]) => !keys.has(key)));
}

function readProperties(data: JsonObject, place: SchemaPlace): ReadonlyMap<string, ParameterSchema> | undefined {
  const value = Object.hasOwn(data, 'properties') ? data['properties']! : undefined;
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) {
    reportShape(place, { path: ['properties'], wanted: 'an object with a schema for each name', value });
    return undefined;
  }
  const inside = { ...place, ...at(place, ['properties']) };
  return new Map(Object.keys(value).map((key) => [key, readInner(value, key, inside) ?? {}]));
}

/** The schema of a part of a list or object. Its `required` is a list of keys, whereas that of a parameter is a boolean. */
function readInner(data: JsonObject, key: string, place: SchemaPlace): ParameterSchema | undefined {
  const value = Object.hasOwn(data, key) ? data[key]! : undefined;
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) {
    reportShape(place, { path: [key], wanted: 'an object such as `type: string`', value });
    return undefined;
  }
  const inside = { ...place, ...at(place, [key]), part: `${quote(key)} of ${place.part}` };
  checkKeys(value, [...schemaKeys, 'required'], inside);
  const schema = readParameterSchema(value, inside);
  const requiredKeys = readRequiredKeys(value, inside);
  if (requiredKeys !== undefined) return { ...schema, requiredKeys };
  const required = Object.hasOwn(value, 'required') ? value['required']! : undefined;
  if (required === undefined) return schema;
  const remedy = 'write it next to `properties`, with the names of the required keys: `required: [name]`';
  reportShape(inside, { path: ['required'], wanted: 'a list of keys', value: required, remedy });
  return schema;
}

/** The required keys of an object; `undefined` if there is no list of them. */
export function readRequiredKeys(data: JsonObject, place: SchemaPlace): readonly string[] | undefined {
  const required = Object.hasOwn(data, 'required') ? data['required']! : undefined;
  if (!isJsonArray(required)) return undefined;
  const other = required.find((key) => typeof key !== 'string');
  if (other !== undefined) {
    const args = {
      part: `"required" of ${place.part}`,
      wanted: 'a list of keys',
      found: `a list with ${describeValue(other)}`,
    };
    place.report(declaredProblems.create('declaration-shape', args, at(place, ['required'])));
  }
  return required.filter((key) => typeof key === 'string');
}

function readEnum(data: JsonObject, schema: ParameterSchema, place: SchemaPlace): readonly Json[] | undefined {
  const value = Object.hasOwn(data, 'enum') ? data['enum']! : undefined;
  if (value === undefined) return undefined;
  if (!isJsonArray(value) || value.length === 0) {
    const shown = isJsonArray(value) ? 'an empty list' : describeValue(value);
    const args = { part: `"enum" of ${place.part}`, wanted: 'a list of values', found: shown };
    place.report(declaredProblems.create('declaration-shape', args, at(place, ['enum'])));
    return undefined;
  }
  return value.map((item, index) =>
    checkValue(item, {
      schema,
      path: ['enum', index],
      textAt: (path, scalar) => readLexeme(place.source, at(place, path).location, scalar),
      refuse: ({ path, fault, remedy }) =>
        place.report(
          declaredProblems.create('declaration-enum-invalid', { part: place.part, fault, remedy }, at(place, path)),
        ),
    }),
  );
}

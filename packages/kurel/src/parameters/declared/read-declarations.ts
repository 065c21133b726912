import { locateExhaustion } from '../../budget/index.ts';
import { describeValue, nearest, quote } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject, isNumber, stepInto, valueAt } from '../../model/index.ts';
import type { Budget, Json, JsonObject, Location, Path, Report, SourceFile } from '../../model/index.ts';
import { adviseBoolean, compilePattern, explainPattern } from '../../schema/index.ts';
import { readLexeme } from '../layers.ts';
import { applicationSyntax, referencesIn } from '../references.ts';
import { checkValue, parameterTypes } from './declaration.ts';
import type { ParameterDeclaration, ParameterSchema, ParameterType, Pattern } from './declaration.ts';
import { createUndeclared, createUnset, findParameter } from './fill-application.ts';
import type { NamedType } from './fill-application.ts';
import { declaredProblems } from './problems.ts';

/** `location` is the location of the list in `source`. */
type DeclarationOptions = Omit<SchemaPlace, 'part'>;

/** The parameters that kurel.yaml declares; all mistakes are reported, and invalid parts are left out. */
export function readDeclarations(list: Json, options: DeclarationOptions): readonly ParameterDeclaration[] {
  // A key without a value: all declarations are commented out.
  if (list === null) return [];
  if (!isJsonArray(list)) {
    const args = { part: '"parameters"', wanted: 'a list of declarations', actual: describeValue(list) };
    options.report(declaredProblems.create('declaration-shape', args, { location: options.location }));
    return [];
  }
  const declarations = new Map<string, ParameterDeclaration>();
  const declared = list.flatMap((entry) => (isJsonObject(entry) ? namedType(entry) : []));
  for (const [index, entry] of list.entries()) {
    const place: SchemaPlace = { ...options, part: `the parameter at index ${index}` };
    const inside = { ...place, ...at(place, [index]) };
    if (!isJsonObject(entry)) {
      reportShape(inside, { path: [], wanted: 'an object with a name and a type', value: entry });
      continue;
    }
    const declaration = readDeclaration(entry, { place: inside, index, declared });
    if (declaration === undefined) continue;
    const first = declarations.get(declaration.name);
    if (first === undefined) declarations.set(declaration.name, declaration);
    else reportRepeated(declaration, first, inside);
  }
  return [...declarations.values()];
}

interface Entry {
  readonly place: SchemaPlace;
  readonly index: number;
  /** All parameters: a default may refer to any of them. */
  readonly declared: readonly NamedType[];
}

function readDeclaration(data: JsonObject, { place, index, declared }: Entry): ParameterDeclaration | undefined {
  const name = readName(data, index, place);
  const inside = name === undefined ? place : { ...place, part: `the parameter ${quote(name)}` };
  checkKeys(data, keys, inside);
  if (!Object.hasOwn(data, 'type') && !isMisspelt('type', data, keys)) {
    const args = { part: inside.part, types: parameterTypes };
    place.report(declaredProblems.create('declaration-type-missing', args, at(place, [])));
  }
  const { type, ...schema } = readParameterSchema(data, inside);
  const requiredKeys = type === 'object' ? readRequiredKeys(data, inside) : undefined;
  const required = requiredKeys === undefined && readRequired(data, type, inside);
  if (name === undefined || type === undefined) return undefined;
  const typed = { ...schema, type, ...(requiredKeys === undefined ? {} : { requiredKeys }) };
  return {
    ...typed,
    name,
    required,
    default: readDefault(data, typed, { place: inside, name, declared }),
    writtenAt: (path) =>
      readLexeme(place.source, at(place, ['default', ...path]).location, valueAt(data, ['default', ...path])),
    ...at(place, []),
  };
}

function namedType(data: JsonObject): readonly NamedType[] {
  const name = stepInto(data, 'name');
  const type = Object.hasOwn(data, 'type') ? parameterTypes.find((candidate) => candidate === data['type']) : undefined;
  return typeof name === 'string' ? [{ name, type }] : [];
}

function readName(data: JsonObject, index: number, place: SchemaPlace): string | undefined {
  const name = readText(data, 'name', place);
  if (name === '' || !Object.hasOwn(data, 'name')) {
    if (isMisspelt('name', data, keys)) return undefined;
    place.report(
      declaredProblems.create('declaration-name-missing', { index }, at(place, name === '' ? ['name'] : [])),
    );
    return undefined;
  }
  if (name === undefined || (/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name) && name !== '__proto__')) return name;
  place.report(declaredProblems.create('declaration-name-invalid', { name }, at(place, ['name'])));
  return undefined;
}

function readRequired(data: JsonObject, type: ParameterType | undefined, place: SchemaPlace): boolean {
  const required = stepInto(data, 'required');
  if (required === undefined || typeof required === 'boolean') return required ?? false;
  const wanted = type === 'object' ? 'true, false or a list of keys' : 'true or false';
  reportShape(place, { path: ['required'], wanted, value: required, remedy: adviseBoolean(required) });
  return false;
}

interface DefaultPlace extends Pick<Entry, 'place' | 'declared'> {
  readonly name: string;
}

function readDefault(
  data: JsonObject,
  schema: ParameterSchema,
  { place, name, declared }: DefaultPlace,
): Json | undefined {
  const value = stepInto(data, 'default') ?? null;
  if (value === null) return undefined;
  for (const { path, text } of textsIn(value, ['default'])) {
    for (const { text: reference } of referencesIn(text, applicationSyntax)) {
      const parameter = findParameter(reference, declared);
      if (parameter !== undefined && parameter.name !== name) continue;
      const problem =
        parameter === undefined
          ? createUndeclared(reference, declared)
          : createUnset(parameter, { of: name, isLater: false });
      place.report({ ...problem, ...at(place, path) });
    }
  }
  return checkValue(value, {
    schema,
    path: ['default'],
    isTemplate: true,
    textAt: (path, scalar) => readLexeme(place.source, at(place, path).location, scalar),
    refuse: ({ path, fault, remedy }) =>
      place.report(declaredProblems.create('default-invalid', { part: place.part, fault, remedy }, at(place, path))),
  });
}

function* textsIn(
  value: Json,
  path: readonly (string | number)[],
): Generator<{ readonly path: readonly (string | number)[]; readonly text: string }> {
  if (typeof value === 'string') yield { path, text: value };
  else if (isJsonArray(value)) for (const [index, item] of value.entries()) yield* textsIn(item, [...path, index]);
  else if (isJsonObject(value)) for (const [key, item] of Object.entries(value)) yield* textsIn(item, [...path, key]);
}

function reportRepeated({ name }: ParameterDeclaration, first: ParameterDeclaration, place: SchemaPlace): void {
  const { location } = first;
  const related = [
    { message: 'the first one is here', location: { ...location, path: [...(location.path ?? []), 'name'] } },
  ];
  place.report(declaredProblems.create('declaration-name-repeated', { name }, { ...at(place, ['name']), related }));
}

interface SchemaPlace {
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

const schemaKeys = ['type', 'description', 'enum', ...(Object.keys(ruleTypes) as Rule[])] as const;
const keys = ['name', 'type', 'required', 'default', ...schemaKeys.slice(1)];

/** The schema in a declaration; mistakes are reported, and invalid parts are left out. */
function readParameterSchema(all: JsonObject, place: SchemaPlace): ParameterSchema {
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
  const schema = withoutUndefined({
    type,
    description,
    pattern,
    minimum,
    maximum,
    items: readInner(data, 'items', place),
    properties: readProperties(data, place),
  });
  return withoutUndefined({ ...schema, enum: readEnum(data, schema, place) });
}

function withoutUndefined(schema: { readonly [Key in keyof ParameterSchema]: ParameterSchema[Key] | undefined }) {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)) as ParameterSchema;
}

/** Called for a declaration as a whole, before its parts. */
function checkKeys(data: JsonObject, allowed: readonly string[], place: SchemaPlace): void {
  for (const key of Object.keys(data)) {
    if (allowed.includes(key)) continue;
    const args = { key, part: place.part, near: nearest(key, allowed), allowed };
    place.report(declaredProblems.create('declaration-key-unknown', args, at(place, [key], 'key')));
  }
}

/** Whether a missing key is present with a typo, which is reported separately. */
function isMisspelt(key: string, data: JsonObject, allowed: readonly string[]): boolean {
  return Object.keys(data).some((other) => !allowed.includes(other) && nearest(other, allowed) === key);
}

/** The location of a part of a declaration, for a finding. */
function at(place: SchemaPlace, path: Path, end: 'key' | 'value' = 'value'): { readonly location: Location } {
  const { location } = place;
  return { location: { ...location, path: [...(location.path ?? []), ...path], at: end } };
}

function reportShape(
  place: SchemaPlace,
  { path, wanted, value, remedy }: { path: Path; wanted: string; value: Json; remedy?: string | undefined },
  actual = describeValue(value),
): void {
  const last = path.at(-1);
  const part = typeof last === 'string' ? `${quote(last)} of ${place.part}` : place.part;
  const args = { part, wanted, actual, remedy };
  place.report(declaredProblems.create('declaration-shape', args, at(place, path)));
}

function readType(data: JsonObject, place: SchemaPlace): ParameterType | undefined {
  const type = stepInto(data, 'type');
  if (type === undefined) return undefined;
  const parameterType = parameterTypes.find((candidate) => candidate === type);
  if (parameterType !== undefined) return parameterType;
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

function readText(data: JsonObject, key: string, place: SchemaPlace): string | undefined {
  const value = stepInto(data, key);
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
  const value = stepInto(data, key);
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
  const value = stepInto(data, 'properties');
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
  const value = stepInto(data, key);
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
  const required = stepInto(value, 'required');
  if (required === undefined) return schema;
  const remedy = 'write it next to `properties`, with the names of the required keys: `required: [name]`';
  reportShape(inside, { path: ['required'], wanted: 'a list of keys', value: required, remedy });
  return schema;
}

/** The required keys of an object; `undefined` if there is no list of them. */
function readRequiredKeys(data: JsonObject, place: SchemaPlace): readonly string[] | undefined {
  const required = stepInto(data, 'required');
  if (!isJsonArray(required)) return undefined;
  const other = required.find((key) => typeof key !== 'string');
  if (other !== undefined) {
    const actual = `a list with ${describeValue(other)}`;
    reportShape(place, { path: ['required'], wanted: 'a list of keys', value: required }, actual);
  }
  return required.filter((key) => typeof key === 'string');
}

function readEnum(data: JsonObject, schema: ParameterSchema, place: SchemaPlace): readonly Json[] | undefined {
  const value = stepInto(data, 'enum');
  if (value === undefined) return undefined;
  if (!isJsonArray(value) || value.length === 0) {
    const actual = isJsonArray(value) ? 'an empty list' : describeValue(value);
    reportShape(place, { path: ['enum'], wanted: 'a list of values', value }, actual);
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

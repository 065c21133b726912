import { quote, describeValue } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject, valueAt } from '../../model/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';
import { readLexeme } from '../read-lexeme.ts';
import { applicationSyntax, referencesIn } from '../references.ts';
import { adviseBoolean } from '../../schema/index.ts';
import { checkValue } from './check-value.ts';
import { parameterTypes } from './declaration.ts';
import type { ParameterDeclaration, ParameterSchema, ParameterType } from './declaration.ts';
import { createUndeclared, createUnset, findParameter } from './find-parameter.ts';
import type { NamedType } from './find-parameter.ts';
import { declaredProblems } from './problems.ts';
import {
  at,
  checkKeys,
  isMisspelt,
  readParameterSchema,
  readRequiredKeys,
  readText,
  reportShape,
  schemaKeys,
} from './read-parameter-schema.ts';
import type { SchemaPlace } from './read-parameter-schema.ts';

/** `location` is the location of the list in `source`. */
export type DeclarationOptions = Omit<SchemaPlace, 'part'>;

const keys = ['name', 'type', 'required', 'default', ...schemaKeys.slice(1)];

/** The parameters that kurel.yaml declares; all mistakes are reported, and invalid parts are left out. */
export function readDeclarations(list: Json, options: DeclarationOptions): readonly ParameterDeclaration[] {
  // A key without a value: all declarations are commented out.
  if (list === null) return [];
  if (!isJsonArray(list)) {
    const args = { part: '"parameters"', wanted: 'a list of declarations', found: describeValue(list) };
    options.report(declaredProblems.create('declaration-shape', args, { location: options.location }));
    return [];
  }
  const found = new Map<string, ParameterDeclaration>();
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
    const first = found.get(declaration.name);
    if (first === undefined) found.set(declaration.name, declaration);
    else reportRepeated(declaration, first, inside);
  }
  return [...found.values()];
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
  const name = Object.hasOwn(data, 'name') ? data['name'] : undefined;
  const type = Object.hasOwn(data, 'type') ? parameterTypes.find((one) => one === data['type']) : undefined;
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
  const required = Object.hasOwn(data, 'required') ? data['required']! : false;
  if (typeof required === 'boolean') return required;
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
  const value = Object.hasOwn(data, 'default') ? data['default']! : null;
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

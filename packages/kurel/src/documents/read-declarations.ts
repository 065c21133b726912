import { locateExhaustion } from '../budget/index.ts';
import { isJsonArray, isJsonObject, isScalar, stepInto, valueAt } from '../model/index.ts';
import type { Budget, Json, JsonObject, Location, Path, Report, SourceFile } from '../model/index.ts';
import {
  applicationSyntax,
  checkValue,
  createUndeclared,
  createUnset,
  declaredProblems,
  findParameter,
  parameterTypes,
  readLexeme,
  referencesIn,
} from '../parameters/index.ts';
import type { NamedType, ParameterDeclaration, ParameterSchema, ParameterType, Pattern } from '../parameters/index.ts';
import { compilePattern, explainPattern, listWords } from '../schema/index.ts';
import { createDocumentFindings } from './document-findings.ts';
import type { DocumentFindings } from './document-findings.ts';
import { textField } from './define-fields.ts';
import type { Field, Fields } from './field.ts';
import { visitTemplates } from './located-data.ts';
import { addFinding, collectField, nestAt } from './read-field.ts';

/** The types that a rule applies to. */
export const ruleTypes: Readonly<Record<string, readonly ParameterType[]>> = {
  pattern: ['string'],
  minimum: ['integer', 'number'],
  maximum: ['integer', 'number'],
  items: ['array'],
  properties: ['object'],
};

/** A schema inside a declaration, which contains itself. */
function describePart(description?: string): Field {
  return {
    type: 'object',
    nullable: false,
    definition: 'part',
    ...(description === undefined ? {} : { description }),
    insteadOfText: 'write an object such as `type: string`',
    get properties() {
      return partFields;
    },
  };
}

export const partField = describePart();

/** Names for types in other languages. */
export const typeWords = {
  bool: 'boolean',
  int: 'integer',
  float: 'number',
  list: 'array',
  map: 'object',
  mapping: 'object',
  text: 'string',
} as const;

const typeField = {
  type: 'string',
  nullable: false,
  description: `Type of the value: ${listWords(parameterTypes, 'or')}.`,
  enum: parameterTypes,
  otherWords: typeWords,
} as const satisfies Field;

const keys = { type: 'array', nullable: false, items: { type: 'string' } } as const satisfies Field;

const limit = { type: 'number', nullable: false, exact: true } as const satisfies Field;

const rules: Fields = {
  description: { type: 'string', nullable: false, description: 'Purpose of the parameter.' },
  enum: { type: 'array', nullable: false, description: 'Allowed values.', minItems: 1 },
  pattern: {
    type: 'string',
    nullable: false,
    description: 'Regular expression that the value must match. Only for strings.',
  },
  minimum: { ...limit, description: 'Minimum value. Only for integers and numbers.' },
  maximum: { ...limit, description: 'Maximum value. Only for integers and numbers.' },
  items: describePart('Schema of the items. Only for arrays.'),
  properties: {
    type: 'object',
    nullable: false,
    description: 'Schemas of the properties, by key. Only for objects.',
    open: partField,
  },
};

const partFields: Fields = {
  type: typeField,
  ...rules,
  required: {
    ...keys,
    description: 'Required keys. Only for objects.',
    insteadOfBoolean: 'write it next to `properties`, with the names of the required keys: `required: [name]`',
  },
};

export const declarationField: Field = {
  type: 'object',
  insteadOfText: 'write an object with `name` and `type`',
  properties: {
    name: {
      ...textField('identifier', 'Name of the parameter. References in app.yaml use it: ${name}.'),
      required: true,
    },
    type: { ...typeField, required: true },
    required: {
      ...keys,
      type: 'boolean',
      types: ['boolean', 'array'],
      default: false,
      description: 'Whether a value is required. For an object: its required keys.',
    },
    default: { type: 'any', description: 'Default value. Can reference parameters declared above.' },
    ...rules,
  },
};

/** `spec.parameters` of kurel.yaml. */
export const declarationsField = {
  type: 'array',
  description: 'Parameters of the package. A default can reference other parameters.',
  items: declarationField,
  uniqueBy: 'name',
} as const satisfies Field;

interface DeclarationOptions {
  readonly source: SourceFile;
  /** The location of the list in `source`. */
  readonly location: Location;
  readonly report: Report;
  /** The budget of the run, shared by the patterns of all parameters. */
  readonly budget?: Budget | undefined;
}

/** The parameters that kurel.yaml declares; all mistakes are reported, and invalid parts are left out. */
export function readDeclarations(list: Json, options: DeclarationOptions): readonly ParameterDeclaration[] {
  // A key without a value: all declarations are commented out.
  if (list === null) return [];
  const { source, location, report, budget } = options;
  const { path = [] } = location;
  const findings = createDocumentFindings({
    locate: (inner) => ({ ...location, path: inner }),
    report,
    writtenAt: (place, value) => readLexeme(source, place, value),
  });
  collectField(declarationsField, list, { path, findings });
  const declarations = collectDeclarations(list, { path, findings, budget });
  findings.reportAll(() => nestAt(path, list));
  return declarations;
}

interface Place {
  readonly path: Path;
  /** Include those of the table: values with a finding are not used. */
  readonly findings: DocumentFindings;
  readonly budget?: Budget | undefined;
}

/** The declarations of a list that was checked against the table. Adds findings about rules that a table cannot express. */
export function collectDeclarations(list: Json | undefined, place: Place): readonly ParameterDeclaration[] {
  if (!isJsonArray(list)) return [];
  const declared = list.flatMap(namedType);
  return list.flatMap((entry, index) =>
    isJsonObject(entry) ? readDeclaration(entry, declared, { ...place, path: [...place.path, index] }) : [],
  );
}

function namedType(entry: Json): readonly NamedType[] {
  const [name, type] = [stepInto(entry, 'name'), stepInto(entry, 'type')];
  return typeof name === 'string' ? [{ name, type: parameterTypes.find((candidate) => candidate === type) }] : [];
}

function readDeclaration(
  data: JsonObject,
  declared: readonly NamedType[],
  place: Place,
): readonly ParameterDeclaration[] {
  const { path, findings } = place;
  const { locate, writtenAt } = findings.options;
  const { type, ...rest } = readRules(data, place);
  if (type === undefined) return [];
  const required = take(data, 'required', place);
  if (isJsonArray(required) && type !== 'object') {
    collectField({ type: 'boolean' }, required, { path: [...path, 'required'], findings });
  }
  const schema = { ...rest, type };
  const otherwise = readDefault(data, schema, { ...place, declared });
  const name = take(data, 'name', place);
  if (typeof name !== 'string') return [];
  const written = (inner: Path): string | undefined => {
    const value = valueAt(data, ['default', ...inner]);
    if (typeof value === 'string') return value;
    return isScalar(value) ? writtenAt?.(locate([...path, 'default', ...inner]), value) : undefined;
  };
  const location = locate(path);
  return [{ ...schema, name, required: required === true, default: otherwise, writtenAt: written, location }];
}

/** A value without a finding, which therefore has the type of its table. */
function take(data: JsonObject, key: string, { path, findings }: Place): Json | undefined {
  return findings.has([...path, key]) ? undefined : (stepInto(data, key) ?? undefined);
}

/** The schema in a declaration or in a part of one. */
function readRules(data: JsonObject, place: Place): ParameterSchema {
  const { path, findings } = place;
  const type = take(data, 'type', place) as ParameterType | undefined;
  for (const [key, types] of Object.entries(ruleTypes)) {
    if (type === undefined || !Object.hasOwn(data, key) || types.includes(type)) continue;
    findings.add([...path, key], declaredProblems.create('declaration-rule-misplaced', { key, type, types }), 'key');
  }
  const [minimum, maximum] = [take(data, 'minimum', place), take(data, 'maximum', place)] as Limits;
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    const args = { minimum: String(minimum), maximum: String(maximum) };
    findings.add([...path, 'minimum'], declaredProblems.create('declaration-range-empty', args));
  }
  const readPart = (part: Json, ...steps: Path): ParameterSchema =>
    isJsonObject(part) ? readRules(part, { ...place, path: [...path, ...steps] }) : {};
  const items = take(data, 'items', place);
  const properties = take(data, 'properties', place);
  const required = take(data, 'required', place);
  const schema = withoutUndefined({
    type,
    description: take(data, 'description', place) as string | undefined,
    pattern: readPattern(take(data, 'pattern', place) as string | undefined, place),
    minimum,
    maximum,
    items: isJsonObject(items) ? readPart(items, 'items') : undefined,
    properties: isJsonObject(properties)
      ? new Map(Object.entries(properties).map(([key, part]) => [key, readPart(part, 'properties', key)]))
      : undefined,
    requiredKeys: isJsonArray(required) ? required.filter((key) => typeof key === 'string') : undefined,
  });
  const allowed = take(data, 'enum', place);
  if (!isJsonArray(allowed)) return schema;
  return { ...schema, enum: allowed.map((value, index) => checkPart(['enum', index], value, { schema, place })) };
}

type Limits = readonly (number | bigint | undefined)[];

function withoutUndefined(schema: { readonly [Key in keyof ParameterSchema]: ParameterSchema[Key] | undefined }) {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)) as ParameterSchema;
}

function readPattern(text: string | undefined, { path, findings, budget }: Place): Pattern | undefined {
  if (text === undefined) return undefined;
  const place = [...path, 'pattern'];
  const within = <Result>(work: () => Result): Result => locateExhaustion(work, () => findings.options.locate(place));
  const test = within(() => compilePattern(text, budget));
  if (test !== undefined) return { text, matches: (value) => within(() => test(value, budget)) };
  const args = { pattern: text, reason: explainPattern(text) ?? '' };
  findings.add(place, declaredProblems.create('declaration-pattern-invalid', args));
  return undefined;
}

interface DefaultPlace extends Place {
  /** All parameters: a default may refer to any of them. */
  readonly declared: readonly NamedType[];
}

function readDefault(data: JsonObject, schema: ParameterSchema, place: DefaultPlace): Json | undefined {
  const value = stepInto(data, 'default') ?? null;
  if (value === null) return undefined;
  const { path, findings, declared } = place;
  const name = stepInto(data, 'name');
  visitTemplates(value, [...path, 'default'], (text, inner) => {
    for (const { text: reference } of referencesIn(text, applicationSyntax)) {
      const parameter = findParameter(reference, declared);
      if (parameter === undefined) findings.add(inner, createUndeclared(reference, declared));
      else if (parameter.name === name) findings.add(inner, createUnset(parameter, { of: name, isLater: false }));
    }
  });
  return checkPart(['default'], value, { schema, place, isTemplate: true });
}

interface PartChecking extends Pick<Parameters<typeof checkValue>[1], 'schema' | 'isTemplate'> {
  readonly place: Place;
}

/** A value inside a declaration, which must match the declaration. */
function checkPart(steps: Path, value: Json, { schema, isTemplate, place: { path, findings } }: PartChecking): Json {
  const { locate, writtenAt } = findings.options;
  return checkValue(value, {
    schema,
    isTemplate,
    path: [...path, ...steps],
    textAt: (inner, scalar) => writtenAt?.(locate(inner), scalar),
    refuse: (finding) => addFinding(finding, findings),
  });
}

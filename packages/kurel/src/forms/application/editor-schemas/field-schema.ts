import type { Json, JsonObject } from '../../../model/index.ts';
import type { SchemaType } from '../../../schema/index.ts';
import { defined } from '../catalog/present-fields.ts';
import { mayBeEmpty, schemaTypeOf, shownDefault } from '../../../documents/index.ts';
import type { Field, Fields, KubernetesField } from '../../../documents/index.ts';
import { formatPatterns } from './format-patterns.ts';
import type { FormatPattern } from './format-patterns.ts';
import { describeRelations } from './relation-schema.ts';

/** Options for the schema of a document. */
export interface SchemaMaking {
  /** The document may contain parameter references. */
  readonly takesReferences: boolean;
  /** Missing properties may be set elsewhere: nothing is required, down to the next list. */
  readonly isPartial?: boolean;
  /** The document is written by an author, who cannot set reserved properties. */
  readonly isAuthored?: boolean;
  /** Optional strings may be empty, which means absent. */
  readonly takesEmpty?: boolean;
  /** Extends the schema of a field. */
  readonly complete?: ((field: Field, schema: JsonObject) => JsonObject) | undefined;
  /** The schema of a Kubernetes field; `undefined` if it is unknown. */
  readonly describeKubernetes: (
    field: KubernetesField,
    making: SchemaMaking,
    words: FieldWords,
  ) => JsonObject | undefined;
}

/** Parts of a property that override the Kubernetes schema. */
interface FieldWords {
  readonly isNullable: boolean;
  readonly description?: string | undefined;
  /** Input accepted in addition to the Kubernetes schema. */
  readonly rewrite?: Field['rewrite'] | undefined;
}

/** The JSON Schema (draft 7) of the input that `readField` accepts. */
export function createFieldSchema(field: Field, making: SchemaMaking, place: FieldPlace = {}): JsonObject {
  // A key without a value is the same as no key, unless a value is required.
  const isRequired = isNeeded(field, making);
  const isNullable = place.isProperty === true && field.nullable !== false && !isRequired;
  const description = field.description === undefined ? undefined : describe(field, making);
  if (field.definition !== undefined && place.isDefinition !== true) {
    return defined({ $ref: `#/definitions/${field.definition}`, description });
  }
  const words = { isNullable, description };
  const { kubernetes, rewrite } = field;
  const described = kubernetes && making.describeKubernetes(kubernetes, making, { ...words, rewrite });
  if (described !== undefined) return described;
  const schema = writeSchema({ ...words, ...shapeOf(field, making) }, making.takesReferences);
  return making.complete?.(field, schema) ?? schema;
}

interface FieldPlace {
  readonly isProperty?: boolean;
  /** Other schemas refer to this one. */
  readonly isDefinition?: boolean;
}

export const jsonTypes: Readonly<Record<SchemaType, readonly TypeName[]>> = {
  object: ['object'],
  list: ['array'],
  string: ['string'],
  integer: ['integer'],
  number: ['number'],
  boolean: ['boolean'],
  'int-or-string': ['integer', 'string'],
  quantity: ['string', 'number'],
  scalar: ['string', 'number', 'boolean'],
  any: [],
  none: [],
};

function shapeOf(field: Field, making: SchemaMaking): Omit<Shape, 'isNullable'> {
  const format = field.type === 'quantity' ? 'quantity' : field.format;
  return {
    types: (field.types ?? [field.type]).flatMap((type) => jsonTypes[schemaTypeOf(type)]),
    takesEmpty: making.takesEmpty === true && mayBeEmpty(field),
    default: shownDefault(field),
    enum: field.enum,
    pattern: format === undefined ? undefined : formatPatterns[format],
    more: constraintsOf(field, making),
  };
}

function describe({ description = '', required, policyDefault }: Field, { isPartial }: SchemaMaking): string {
  if (policyDefault !== undefined) return `${description} A policy can set the default.`;
  return required === true && isPartial === true ? `${description} Required unless the profile sets it.` : description;
}

function constraintsOf(field: Field, making: SchemaMaking): JsonObject {
  const { type, types = [type] } = field;
  return Object.fromEntries(types.flatMap((each) => Object.entries(constraintsOfType(each, field, making))));
}

function constraintsOfType(type: Field['type'], field: Field, making: SchemaMaking): JsonObject {
  switch (type) {
    case 'quantity':
      return { minimum: 0 };
    case 'integer':
    case 'number':
      return defined({ minimum: field.minimum, maximum: field.maximum });
    case 'array': {
      // An author may still fill a list that the platform leaves empty.
      const isOfPlatform = making.isPartial === true && making.isAuthored !== true;
      return defined({
        items: field.items && createFieldSchema(field.items, { ...making, isPartial: false }),
        minItems: isOfPlatform ? undefined : field.minItems,
      });
    }
    case 'object':
      return describeMapping(field, making);
    default:
      return {};
  }
}

/** The keywords of an object besides its type. */
export function describeMapping({ properties, relations, open, keys }: Field, making: SchemaMaking): JsonObject {
  const required = requiredKeys(properties ?? {}, making);
  const { pattern, demand } = keys === undefined ? {} : formatPatterns[keys];
  return defined({
    properties: properties && describeProperties(properties, making),
    required: required.length === 0 ? undefined : required,
    propertyNames: pattern === undefined ? undefined : { pattern, patternErrorMessage: demand! },
    additionalProperties: open === undefined ? false : describeOpen(open, making),
    ...relationsOf(relations, making, () => making.isPartial === true),
  });
}

export function relationsOf(
  relations: Field['relations'],
  { takesReferences }: SchemaMaking,
  isGiven: (field: string) => boolean,
): JsonObject {
  return describeRelations(relations, { references: takesReferences ? inText : undefined, isGiven });
}

/** An object under a free key may be null, which means empty. */
function describeOpen(open: Field, making: SchemaMaking): JsonObject | undefined {
  if (open.type === 'any') return undefined;
  const isProperty = open.type === 'object' && requiredKeys(open.properties ?? {}, making).length === 0;
  return createFieldSchema(open, making, { isProperty });
}

export function describeProperties(properties: Fields, making: SchemaMaking): JsonObject {
  const entries = Object.entries(properties)
    .filter(([, { reserved }]) => reserved !== true || making.isAuthored !== true)
    .map(([key, field]): [string, JsonObject] => [key, createFieldSchema(field, making, { isProperty: true })]);
  return Object.fromEntries(entries);
}

/** The required keys of an object. */
export function requiredKeys(properties: Fields, making: SchemaMaking): readonly string[] {
  return Object.keys(properties).filter((key) => isNeeded(properties[key]!, making));
}

function isNeeded({ required, policyDefault, reserved }: Field, { isPartial, isAuthored }: SchemaMaking): boolean {
  const isGiven = isPartial === true || policyDefault !== undefined || (reserved === true && isAuthored === true);
  return required === true && !isGiven;
}

/** A JSON Schema type except `null`. */
export type TypeName = 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string';

/** The form of a value, regardless of parameter references. */
interface Shape {
  /** The usual type comes first, because editors insert it. None means any type. */
  readonly types: readonly TypeName[];
  readonly isNullable: boolean;
  readonly description?: string | undefined;
  readonly default?: Json | undefined;
  readonly enum?: readonly Json[] | undefined;
  /** The meaning of each enum value. */
  readonly enumDescriptions?: readonly string[] | undefined;
  readonly pattern?: FormatPattern | undefined;
  /** Whether an empty string is always valid. */
  readonly takesEmpty?: boolean | undefined;
  /** JSON Schema keywords that apply only to values of one type. */
  readonly more?: JsonObject | undefined;
}

const inText = String.raw`\$\{[^}]+\}`;
const whole = `^${inText}$`;

/** The shape as JSON Schema. With references, any value can be a parameter, and any string can contain several. */
export function writeSchema(shape: Shape, takesReferences: boolean): JsonObject {
  const { types, isNullable, description, default: otherwise, more } = shape;
  const words = defined({ description, default: otherwise });
  if (types.length === 0) return words;
  if (shape.enum !== undefined) return { ...writeChoice(shape, shape.enum, takesReferences), ...words };
  const isText = types.includes('string');
  const all = [...types, ...(takesReferences && !isText ? ['string'] : []), ...(isNullable ? ['null'] : [])];
  return {
    type: all.length === 1 ? all[0]! : all,
    ...words,
    ...writePattern(shape, takesReferences),
    ...more,
  };
}

/** Patterns apply only to strings, so other types need no separate schema for references. */
function writePattern({ types, pattern, takesEmpty }: Shape, takesReferences: boolean): JsonObject {
  if (!types.includes('string')) {
    const wanted = articles[types[0]!];
    return takesReferences ? { pattern: whole, patternErrorMessage: `must be ${wanted} or a parameter: \${name}` } : {};
  }
  if (pattern === undefined) return {};
  const others = [...(takesReferences ? [inText] : []), ...(takesEmpty === true ? ['^$'] : [])];
  const text = others.length === 0 ? pattern.pattern : `(?:${pattern.pattern})|${others.join('|')}`;
  return { pattern: text, patternErrorMessage: pattern.demand };
}

const articles: Readonly<Record<TypeName, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

function writeChoice(
  { enumDescriptions, isNullable, takesEmpty }: Shape,
  words: readonly Json[],
  takesReferences: boolean,
): JsonObject {
  const choice = defined({ enum: words, enumDescriptions });
  const others: JsonObject[] = [
    ...(takesReferences ? [{ type: 'string', pattern: takesEmpty === true ? `${inText}|^$` : inText }] : []),
    ...(isNullable ? [{ type: 'null' }] : []),
  ];
  return others.length === 0 ? choice : { anyOf: [choice, ...others] };
}

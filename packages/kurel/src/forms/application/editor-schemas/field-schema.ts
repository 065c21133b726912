import type { JsonObject } from '../../../model/index.ts';
import type { Field, Fields, FieldType, KubernetesField } from '../documents/field.ts';
import { mayBeEmpty } from '../documents/field-node.ts';
import { formatPatterns } from './format-patterns.ts';
import { writeSchema } from './write-schema.ts';
import type { Shape, TypeName } from './write-schema.ts';

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
export interface FieldWords {
  readonly isNullable: boolean;
  readonly description?: string | undefined;
  /** Input accepted in addition to the Kubernetes schema. */
  readonly rewrite?: Field['rewrite'];
}

/** The JSON Schema (draft 7) of the input that `readField` accepts. */
export function createFieldSchema(field: Field, making: SchemaMaking, place: FieldPlace = {}): JsonObject {
  // A key without a value is the same as no key, unless a value is required.
  const isRequired = isNeeded(field, making);
  const isNullable = place.isProperty === true && field.nullable !== false && !isRequired;
  const words = { isNullable, ...(field.description === undefined ? {} : { description: describe(field, making) }) };
  if (field.kubernetes !== undefined) {
    const known = making.describeKubernetes(field.kubernetes, making, {
      ...words,
      ...(field.rewrite === undefined ? {} : { rewrite: field.rewrite }),
    });
    if (known !== undefined) return known;
  }
  const schema = writeSchema({ ...words, ...shapeOf(field, making) }, making.takesReferences);
  return making.complete?.(field, schema) ?? schema;
}

interface FieldPlace {
  readonly isProperty?: boolean;
}

const types: Readonly<Record<FieldType, readonly TypeName[]>> = {
  string: ['string'],
  integer: ['integer'],
  number: ['number'],
  boolean: ['boolean'],
  array: ['array'],
  object: ['object'],
  quantity: ['string', 'number'],
  scalar: ['string', 'number', 'boolean'],
  any: [],
};

function shapeOf(field: Field, making: SchemaMaking): Omit<Shape, 'isNullable'> {
  const format = field.type === 'quantity' ? 'quantity' : field.format;
  return {
    types: types[field.type],
    takesEmpty: making.takesEmpty === true && mayBeEmpty(field),
    default: isEmpty(field.default) ? undefined : field.default,
    enum: field.enum,
    pattern: format === undefined ? undefined : formatPatterns[format],
    more: constraintsOf(field, making),
  };
}

/** Editors would insert an empty default, which has no meaning. */
function isEmpty(value: Field['default']): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function describe({ description = '', required, policyDefault }: Field, { isPartial }: SchemaMaking): string {
  if (policyDefault !== undefined) return `${description} A policy can set the default.`;
  return required === true && isPartial === true ? `${description} Required unless the profile sets it.` : description;
}

function constraintsOf(field: Field, making: SchemaMaking): JsonObject {
  switch (field.type) {
    case 'quantity':
      return { minimum: 0 };
    case 'integer':
    case 'number':
      return {
        ...(field.minimum === undefined ? {} : { minimum: field.minimum }),
        ...(field.maximum === undefined ? {} : { maximum: field.maximum }),
      };
    case 'array': {
      // An author may still fill a list that the platform leaves empty.
      const isOfPlatform = making.isPartial === true && making.isAuthored !== true;
      return {
        ...(field.items === undefined
          ? {}
          : { items: createFieldSchema(field.items, { ...making, isPartial: false }) }),
        ...(field.minItems === undefined || isOfPlatform ? {} : { minItems: field.minItems }),
      };
    }
    case 'object':
      return describeMapping(field, making);
    default:
      return {};
  }
}

/** The keywords of an object besides its type. */
export function describeMapping({ properties, open, keys }: Field, making: SchemaMaking): JsonObject {
  const required = requiredKeys(properties ?? {}, making);
  const keyPattern = keys === undefined ? undefined : formatPatterns[keys];
  return {
    ...(properties === undefined ? {} : { properties: describeProperties(properties, making) }),
    ...(required.length === 0 ? {} : { required }),
    ...(keyPattern === undefined
      ? {}
      : { propertyNames: { pattern: keyPattern.pattern, patternErrorMessage: keyPattern.demand } }),
    ...(open === undefined ? { additionalProperties: false } : describeOpen(open, making)),
  };
}

/** An object under a free key may be null, which means empty. */
function describeOpen(open: Field, making: SchemaMaking): JsonObject {
  if (open.type === 'any') return {};
  const isProperty = open.type === 'object' && requiredKeys(open.properties ?? {}, making).length === 0;
  return { additionalProperties: createFieldSchema(open, making, { isProperty }) };
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

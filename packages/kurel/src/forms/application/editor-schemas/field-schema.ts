import type { JsonObject } from '../../../model/index.ts';
import type { Field, Fields, FieldType, KubernetesField } from '../documents/field.ts';
import { mayBeEmpty } from '../documents/field-node.ts';
import { formatPatterns } from './format-patterns.ts';
import { writeSchema } from './write-schema.ts';
import type { Shape, TypeName } from './write-schema.ts';

/** How schemas of one document are made. */
export interface SchemaMaking {
  /** The document is filled in from parameters. */
  readonly takesReferences: boolean;
  /** Somebody else may give what is missing: nothing is required, down to the next list. */
  readonly isPartial?: boolean;
  /** The author writes the document, who must leave reserved properties to the platform. */
  readonly isAuthored?: boolean;
  /** An optional text may be empty where that says nothing. */
  readonly takesEmpty?: boolean;
  /** Says more of a field than its table does. */
  readonly complete?: ((field: Field, schema: JsonObject) => JsonObject) | undefined;
  /** What a field of Kubernetes holds; `undefined` when nothing is known about it. */
  readonly describeKubernetes: (
    field: KubernetesField,
    making: SchemaMaking,
    words: FieldWords,
  ) => JsonObject | undefined;
}

/** What is said of a property here rather than by Kubernetes. */
export interface FieldWords {
  readonly isNullable: boolean;
  readonly description?: string | undefined;
  /** What is understood beyond what Kubernetes takes. */
  readonly rewrite?: Field['rewrite'];
}

/** The JSON Schema (draft 7) of what `readField` takes. */
export function createFieldSchema(field: Field, making: SchemaMaking, place: FieldPlace = {}): JsonObject {
  // Nothing behind the key of a mapping is as good as no key, unless there must be something.
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

/** An editor would write it out where nothing is meant. */
function isEmpty(value: Field['default']): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function describe({ description = '', required, policyDefault }: Field, { isPartial }: SchemaMaking): string {
  if (policyDefault !== undefined) return `${description} (a policy may give the default)`;
  return required === true && isPartial === true
    ? `${description} (required, unless the platform gives it)`
    : description;
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
      // What a platform leaves empty, an author may still fill.
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

/** What is said of a mapping beside that it is one. */
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

/** A mapping behind a free key may be left empty, and is then one with nothing in it. */
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

/** The keys that a mapping must have. */
export function requiredKeys(properties: Fields, making: SchemaMaking): readonly string[] {
  return Object.keys(properties).filter((key) => isNeeded(properties[key]!, making));
}

function isNeeded({ required, policyDefault, reserved }: Field, { isPartial, isAuthored }: SchemaMaking): boolean {
  const isGiven = isPartial === true || policyDefault !== undefined || (reserved === true && isAuthored === true);
  return required === true && !isGiven;
}

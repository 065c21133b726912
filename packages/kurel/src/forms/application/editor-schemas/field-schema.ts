import type { JsonObject } from '../../../model/index.ts';
import type { SchemaStore } from '../../../schema/index.ts';
import { defined } from '../catalog/present-fields.ts';
import { findKubernetesField } from '../check-kubernetes.ts';
import { mayBeEmpty, schemaTypeOf, shownDefault } from '../../../documents/index.ts';
import type { Field, Fields } from '../../../documents/index.ts';
import { formatPatterns } from './format-patterns.ts';
import { describeNode } from './kubernetes-schema.ts';
import { describeRelations } from './relation-schema.ts';
import { jsonTypes, writeSchema } from './write-schema.ts';
import type { Shape } from './write-schema.ts';

/** Options for the schema of a document. */
export interface SchemaMaking {
  /** Missing properties may be set elsewhere: nothing is required, down to the next list. */
  readonly isPartial?: boolean;
  /** The document is written by an author, who can reference parameters, and cannot set reserved properties. */
  readonly isAuthored: boolean;
  /** Optional strings may be empty, which means absent. */
  readonly takesEmpty?: boolean;
  /** Extends the schema of a field. */
  readonly complete?: ((field: Field, schema: JsonObject) => JsonObject) | undefined;
  /** Schemas of Kubernetes fields. */
  readonly store: SchemaStore;
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
  const { kubernetes, rewrite } = field;
  const node = kubernetes && findKubernetesField(kubernetes, making.store);
  if (node !== undefined) return describeNode(node, { ...making, isNullable, description, rewrite });
  const schema = writeSchema({ isNullable, description, ...shapeOf(field, making) }, making.isAuthored);
  return making.complete?.(field, schema) ?? schema;
}

interface FieldPlace {
  readonly isProperty?: boolean;
  /** Other schemas refer to this one. */
  readonly isDefinition?: boolean;
}

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
      const isOfPlatform = making.isPartial === true && !making.isAuthored;
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
    ...describeRelations(relations, { ...making, isGiven: () => making.isPartial === true }),
  });
}

/** An object under a free key may be null, which means empty. */
function describeOpen(open: Field, making: SchemaMaking): JsonObject | undefined {
  if (open.type === 'any') return undefined;
  const isProperty = open.type === 'object' && requiredKeys(open.properties ?? {}, making).length === 0;
  return createFieldSchema(open, making, { isProperty });
}

export function describeProperties(properties: Fields, making: SchemaMaking): JsonObject {
  const entries = Object.entries(properties)
    .filter(([, { reserved }]) => reserved !== true || !making.isAuthored)
    .map(([key, field]): [string, JsonObject] => [key, createFieldSchema(field, making, { isProperty: true })]);
  return Object.fromEntries(entries);
}

/** The required keys of an object. */
export function requiredKeys(properties: Fields, making: SchemaMaking): readonly string[] {
  return Object.keys(properties).filter((key) => isNeeded(properties[key]!, making));
}

function isNeeded({ required, policyDefault, reserved }: Field, { isPartial, isAuthored }: SchemaMaking): boolean {
  const isGiven = isPartial === true || policyDefault !== undefined || (reserved === true && isAuthored);
  return required === true && !isGiven;
}

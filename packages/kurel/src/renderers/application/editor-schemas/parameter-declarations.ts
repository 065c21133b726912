import type { Json, JsonObject } from '../../../model/index.ts';
import { parameterTypes } from '../../../parameters/index.ts';
import type { Field } from '../documents/field.ts';
import { packageTables } from '../documents/read-package-document.ts';
import { formatPatterns } from './format-patterns.ts';

const rules: JsonObject = {
  type: { enum: parameterTypes, description: 'what a value is' },
  description: { type: 'string', description: 'what it is for' },
  enum: { type: 'array', minItems: 1, description: 'the values that are allowed' },
  pattern: { type: 'string', description: 'string: a regular expression that a value must match' },
  minimum: { type: 'number', description: 'integer, number: the least that is allowed' },
  maximum: { type: 'number', description: 'integer, number: the most that is allowed' },
  items: { $ref: '#/definitions/part', description: 'array: what each item is' },
  properties: {
    type: 'object',
    description: 'object: what is behind each key',
    additionalProperties: { $ref: '#/definitions/part' },
  },
};

// A rule that has no meaning for the type of a value is an error.
const dependencies: JsonObject = {
  pattern: onlyFor('string'),
  minimum: onlyFor('integer', 'number'),
  maximum: onlyFor('integer', 'number'),
  items: onlyFor('array'),
  properties: onlyFor('object'),
};

function onlyFor(...types: readonly string[]): JsonObject {
  return { properties: { type: { enum: types } } };
}

/** The language that parameters are declared in, which has a reader of its own. */
export const declarationDefinitions: JsonObject = {
  parameter: {
    type: 'object',
    properties: {
      name: {
        type: 'string',
        description: 'what app.yaml calls it: ${name}',
        pattern: formatPatterns.identifier.pattern,
        patternErrorMessage: formatPatterns.identifier.demand,
      },
      ...rules,
      required: {
        type: ['boolean', 'array'],
        items: { type: 'string' },
        default: false,
        description: 'whether a value must be given; object: the keys that a value must have',
      },
      default: { description: 'the value when none is given; may refer to parameters above it' },
    },
    required: ['name', 'type'],
    dependencies: {
      ...dependencies,
      required: { if: { properties: { required: { type: 'array' } } }, then: onlyFor('object') },
    },
    additionalProperties: false,
  },
  part: {
    type: 'object',
    properties: {
      ...rules,
      required: { type: 'array', items: { type: 'string' }, description: 'object: keys that must be there' },
    },
    dependencies,
    additionalProperties: false,
  },
};

const { parameters } = packageTables.spec.properties;

export function completePackage(field: Field, schema: JsonObject): JsonObject {
  if (field !== parameters) return schema;
  const type: Json = ['array', 'null'];
  return { ...schema, type, items: { $ref: '#/definitions/parameter' } };
}

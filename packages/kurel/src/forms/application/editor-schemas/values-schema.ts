import type { Json, JsonObject } from '../../../model/index.ts';
import { applicationSyntax, mergesOverDefault, partOf, referencesIn } from '../../../parameters/index.ts';
import type { ParameterDeclaration, ParameterSchema } from '../../../parameters/index.ts';

export interface ValuesSchemaOptions {
  /** Parameters that need no value, whatever they declare, because everything that uses them can be disabled. */
  readonly optional?: ReadonlySet<string> | undefined;
}

/** The JSON Schema (draft 7) of the values of a package, from its parameter declarations. */
export function createValuesSchema(
  declarations: readonly ParameterDeclaration[],
  { optional }: ValuesSchemaOptions = {},
): JsonObject {
  const required = declarations
    .filter((one) => one.required && one.default === undefined && optional?.has(one.name) !== true)
    .map(({ name }) => name);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: Object.fromEntries(declarations.map((one) => [one.name, describeParameter(one)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function describeParameter(declaration: ParameterDeclaration): JsonObject {
  const { default: otherwise } = declaration;
  const schema = describeValue(mergesOverDefault(declaration) ? partOf(declaration) : declaration);
  if (otherwise === undefined) return schema;
  if (!hasReferences(otherwise)) return { ...schema, default: otherwise };
  // Values cannot contain references, so editors must not insert such a default.
  const text = `to ${typeof otherwise === 'string' ? otherwise : JSON.stringify(otherwise)}`;
  const { description } = declaration;
  return {
    ...schema,
    description: description === undefined ? `Defaults ${text}` : `${description} (defaults ${text})`,
  };
}

function describeValue(schema: ParameterSchema): JsonObject {
  const { type, description, pattern, minimum, maximum, items, properties, requiredKeys = [] } = schema;
  return {
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...(schema.enum === undefined ? {} : { enum: schema.enum }),
    ...(pattern === undefined ? {} : { pattern: pattern.text }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(items === undefined ? {} : { items: describeValue(items) }),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries([...properties].map(([key, inner]) => [key, describeValue(inner)])) }),
    ...(requiredKeys.length === 0 ? {} : { required: requiredKeys }),
  };
}

function hasReferences(value: Json): boolean {
  return referencesIn(value, applicationSyntax).length > 0;
}

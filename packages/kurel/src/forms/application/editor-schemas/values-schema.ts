import type { Json, JsonObject } from '../../../model/index.ts';
import { applicationSyntax, mergesOverDefault, partOf, referencesIn } from '../../../parameters/index.ts';
import type { ParameterDeclaration, ParameterSchema } from '../../../parameters/index.ts';

export interface ValuesSchemaOptions {
  /** Names of parameters that need no value, whatever they declare: what uses them can be switched off. */
  readonly optional?: ReadonlySet<string> | undefined;
}

/** The JSON Schema (draft 7) of the values of a package, from the declarations of its parameters. */
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
  // References are not filled in where values are given, so that such a default cannot be one to write out.
  const words = `default: ${typeof otherwise === 'string' ? otherwise : JSON.stringify(otherwise)}`;
  const { description } = declaration;
  return { ...schema, description: description === undefined ? words : `${description} (${words})` };
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

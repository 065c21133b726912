import type { JsonObject } from '../../../model/index.ts';
import { applicationSyntax, mergesOverDefault, partOf, referencesIn } from '../../../parameters/index.ts';
import type { ParameterDeclaration, ParameterSchema } from '../../../parameters/index.ts';
import { defined } from '../catalog/present-fields.ts';

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
    .filter((entry) => entry.required && entry.default === undefined && optional?.has(entry.name) !== true)
    .map(({ name }) => name);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: Object.fromEntries(declarations.map((entry) => [entry.name, describeParameter(entry)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function describeParameter(declaration: ParameterDeclaration): JsonObject {
  const { default: otherwise } = declaration;
  const schema = describeValue(mergesOverDefault(declaration) ? partOf(declaration) : declaration);
  if (otherwise === undefined) return schema;
  if (referencesIn(otherwise, applicationSyntax).length === 0) return { ...schema, default: otherwise };
  // Values cannot contain references, so editors must not insert such a default.
  const text = `to ${typeof otherwise === 'string' ? otherwise : JSON.stringify(otherwise)}`;
  const { description } = declaration;
  return {
    ...schema,
    description: description === undefined ? `Defaults ${text}` : `${description} (defaults ${text})`,
  };
}

/** The schema of a value, without a default. */
export function describeValue(schema: ParameterSchema): JsonObject {
  const { type, description, pattern, minimum, maximum, items, properties, requiredKeys = [] } = schema;
  return defined({
    type,
    description,
    enum: schema.enum,
    pattern: pattern?.text,
    minimum,
    maximum,
    items: items && describeValue(items),
    properties: properties && Object.fromEntries([...properties].map(([key, inner]) => [key, describeValue(inner)])),
    required: requiredKeys.length === 0 ? undefined : requiredKeys,
  });
}

import type { Json, JsonObject } from '../../../model/index.ts';
import type { SchemaType } from '../../../schema/index.ts';
import { defined } from '../catalog/present-fields.ts';
import type { FormatPattern } from './format-patterns.ts';

/** A JSON Schema type except `null`. */
type TypeName = 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string';

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

/** The form of a value, regardless of parameter references. */
export interface Shape {
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

/** A reference to a parameter, in a pattern. */
export const referencePattern = String.raw`\$\{[^}]+\}`;
const whole = `^${referencePattern}$`;

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
  const others = [...(takesReferences ? [referencePattern] : []), ...(takesEmpty === true ? ['^$'] : [])];
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
    ...(takesReferences
      ? [{ type: 'string', pattern: takesEmpty === true ? `${referencePattern}|^$` : referencePattern }]
      : []),
    ...(isNullable ? [{ type: 'null' }] : []),
  ];
  return others.length === 0 ? choice : { anyOf: [choice, ...others] };
}

import { isJsonArray } from '../../../model/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';

/** The types of JSON Schema. */
export type TypeName = 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';

export const typeNames: readonly string[] = [
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
] satisfies readonly TypeName[];

export function typeOf(value: Json): TypeName {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'array';
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'string';
    case 'bigint':
      return 'integer';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    default:
      return 'object';
  }
}

/** Types that a schema names; `undefined` if it names none. */
export function typesOf(schema: JsonObject): readonly TypeName[] | undefined {
  const { type } = schema;
  const names = typeof type === 'string' ? [type] : isJsonArray(type) ? type : [];
  const known = names.filter((name): name is TypeName => typeof name === 'string' && typeNames.includes(name));
  return known.length === 0 ? undefined : known;
}

import { quote } from '../../../diagnostics/index.ts';
import { canonicalJson } from '../../../engine/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
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

/** The types that a schema names; `undefined` when it names none. */
export function typesOf(schema: JsonObject): readonly TypeName[] | undefined {
  const { type } = schema;
  const names = typeof type === 'string' ? [type] : isJsonArray(type) ? type : [];
  const known = names.filter((name): name is TypeName => typeof name === 'string' && typeNames.includes(name));
  return known.length === 0 ? undefined : known;
}

export function isOfType(value: Json, types: readonly TypeName[]): boolean {
  const type = typeOf(value);
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

export function isSame(one: Json, other: Json): boolean {
  return typeof one === typeof other && typeof one !== 'object'
    ? one === other
    : canonicalJson(one) === canonicalJson(other);
}

const longest = 80;

/** A value as messages show it, texts in quotes. */
export function showValue(value: Json): string {
  if (typeof value === 'string') return quote(value);
  if (isJsonObject(value) || isJsonArray(value)) {
    const text = canonicalJson(value);
    return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  }
  return String(value);
}

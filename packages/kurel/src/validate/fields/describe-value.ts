import { describeValue, quote } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';
import type { SchemaNode, SchemaType } from '../../schema/index.ts';
import { lacksColonSpace } from '../../yaml/index.ts';
import { adviseItems } from './advise-items.ts';

const expectations: Readonly<Record<SchemaType, string>> = {
  object: 'a mapping',
  list: 'a list',
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  'int-or-string': 'a whole number or a string',
  quantity: 'a quantity such as 500m or 1Gi',
  any: 'a value',
};

export function describeType(type: SchemaType): string {
  return expectations[type];
}

const empties: Readonly<Record<SchemaType, string>> = {
  object: 'an empty mapping',
  list: 'an empty list',
  string: 'an empty string',
  integer: '0',
  number: '0',
  boolean: 'false',
  'int-or-string': '0',
  quantity: '0',
  any: 'nothing',
};

/** What Kubernetes' own types make of a null that is not left out: `an empty mapping`, `0`. */
export function describeEmpty(type: SchemaType): string {
  return empties[type];
}

/** The value alone, as a sentence that has said what it is shows it. */
export function showValue(value: Json): string {
  if (typeof value === 'string') return quote(value);
  return value === null || typeof value === 'object' ? describeValue(value) : String(value);
}

// As every reader of YAML takes it for a number: with more zeros in front it is an octal one for some.
const numeral = /^[+-]?(?:0|[1-9]\d*)(?:\.\d+)?$/;

interface Wanted extends Pick<SchemaNode, 'type' | 'items'> {
  /** Whether a value of the type is one that the field takes. */
  readonly fits: (value: number) => boolean;
}

/** What turns the value into one of the type, when that is only a matter of writing. */
export function adviseType({ type, items, fits }: Wanted, value: Json): string | undefined {
  const isScalar = typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint';
  if (type === 'string' && isScalar) return 'put it in quotes';
  if (typeof value === 'string') {
    if (type === 'boolean') return adviseBoolean(value);
    const isNumeral = (type === 'number' || (type === 'integer' && !value.includes('.'))) && numeral.test(value);
    if (isNumeral && fits(Number(value))) return `write ${value} without quotes`;
    if (type === 'object' && lacksColonSpace(value)) return 'put a space after the colon: `key: value`';
  }
  if (type === 'list' && !isJsonArray(value)) {
    const entries = isJsonObject(value) ? adviseItems(value, items?.propertyNames ?? []) : undefined;
    return entries ?? 'write it as a list, with "- " in front of each item';
  }
  if (type === 'object' && isJsonArray(value)) return 'write it as a mapping, without "- " in front';
  return undefined;
}

/** `yes` and its like are texts wherever YAML is read as it is today, and in quotes everywhere. */
function adviseBoolean(value: string): string | undefined {
  if (/^(?:true|false)$/i.test(value)) return `write ${value.toLowerCase()} without quotes`;
  if (/^(?:yes|y|on)$/i.test(value)) return 'write true';
  return /^(?:no|n|off)$/i.test(value) ? 'write false' : undefined;
}

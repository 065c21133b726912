import { nearest, quote } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject, Path } from '../../model/index.ts';
import { applicationSyntax, parseTemplate } from '../references.ts';
import { adviseBoolean, coerceScalar } from './coerce-scalar.ts';
import type { ParameterSchema, ParameterType } from './declaration.ts';
import { describeValue, writeShort } from './describe-value.ts';
import { isNumber, isSameValue } from './same-value.ts';

/** What is wrong with a value: the end of a sentence that begins with its name. */
export interface Violation {
  readonly path: Path;
  readonly about: 'type' | 'rule';
  readonly fault: string;
  readonly remedy?: string | undefined;
}

interface Checking {
  readonly schema: ParameterSchema;
  readonly path: Path;
  readonly refuse: (violation: Violation) => void;
  /** A number or boolean as it was written, for where a text is wanted. */
  readonly textAt: (path: Path, value: number | bigint | boolean) => string | undefined;
  /** Texts may refer to parameters; such texts are not looked at. */
  readonly isTemplate?: boolean;
}

const wanted: Readonly<Record<ParameterType, string>> = {
  string: 'a text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
};

const mostShown = 20;

/** The value as its declared type has it; everything that does not fit is told, and then the value stays as it is. */
export function checkValue(value: Json, checking: Checking): Json {
  if (checking.isTemplate === true && typeof value === 'string') return checkTemplate(value, checking);
  const typed = coerce(value, checking);
  if (typed === undefined) return value;
  checkRules(typed, checking);
  if (isJsonArray(typed)) return checkItems(typed, checking);
  return isJsonObject(typed) ? checkProperties(typed, checking) : typed;
}

/** A text without references is checked for what it says, and kept for the time when it is filled in. */
function checkTemplate(value: string, checking: Checking): Json {
  const { parts } = parseTemplate(value, applicationSyntax);
  const [only = ''] = parts;
  if (parts.length > 1 || typeof only !== 'string') return value;
  const checked = checkValue(only, { ...checking, isTemplate: false });
  return typeof checked === 'string' ? value : checked;
}

function coerce(value: Json, checking: Checking): Json | undefined {
  const { type } = checking.schema;
  switch (type) {
    case undefined:
      return value;
    case 'string':
      if (typeof value === 'string') return value;
      if (value !== null && typeof value !== 'object') return keepText(value, checking);
      break;
    case 'array':
      if (isJsonArray(value)) return value;
      break;
    case 'object':
      if (isJsonObject(value)) return value;
      break;
    default: {
      const scalar = coerceScalar(value, type);
      if (scalar !== undefined) return scalar;
    }
  }
  const fault = `must be ${wanted[type]}, not ${describeValue(value)}`;
  checking.refuse({ path: checking.path, about: 'type', fault, remedy: remedyFor(value, type) });
  return undefined;
}

/** `1.10` is not `1.1` where a text is wanted; what cannot be said for sure is asked for. */
function keepText(value: number | bigint | boolean, { path, textAt, refuse }: Checking): string | undefined {
  const text = textAt(path, value);
  if (text !== undefined) return text;
  const fault = `must be a text, and how ${writeShort(value)} was written is not known`;
  refuse({ path, about: 'type', fault, remedy: 'put it in quotes, without a tag' });
  return undefined;
}

function remedyFor(value: Json, type: ParameterType): string | undefined {
  if (type === 'boolean') return adviseBoolean(value);
  return type === 'integer' && Number.isInteger(value) ? 'write all digits of the number' : undefined;
}

function checkRules(value: Json, { schema, path, refuse }: Checking): void {
  const add = (fault: string, remedy?: string): void => refuse({ path, about: 'rule', fault, remedy });
  const { pattern, minimum, maximum } = schema;
  if (schema.enum !== undefined && !schema.enum.some((allowed) => isSameValue(allowed, value))) {
    const texts = schema.enum.filter((allowed) => typeof allowed === 'string');
    const near = typeof value === 'string' ? nearest(value, texts) : undefined;
    const shown = schema.enum.slice(0, mostShown).map(writeShort);
    if (shown.length < schema.enum.length) shown.push('…');
    add(
      `must be one of ${shown.join(', ')}, not ${describeValue(value)}`,
      near === undefined ? undefined : `did you mean ${quote(near)}?`,
    );
  }
  if (pattern !== undefined && typeof value === 'string' && !pattern.matches(value)) {
    add(`must match the pattern ${quote(pattern.text)}, which ${quote(value)} does not`);
  }
  if (!isNumber(value)) return;
  if (minimum !== undefined && value < minimum) add(`must be at least ${minimum}, not ${writeShort(value)}`);
  if (maximum !== undefined && value > maximum) add(`must be at most ${maximum}, not ${writeShort(value)}`);
}

function checkItems(list: JsonArray, checking: Checking): Json {
  const schema = checking.schema.items;
  if (schema === undefined) return list;
  return list.map((item, index) => checkValue(item, { ...checking, schema, path: [...checking.path, index] }));
}

function checkProperties(mapping: JsonObject, checking: Checking): Json {
  const { path, refuse } = checking;
  const { properties, requiredKeys = [] } = checking.schema;
  for (const key of requiredKeys) {
    if (Object.hasOwn(mapping, key)) continue;
    const others = Object.keys(mapping).filter((given) => properties?.has(given) !== true);
    const near = nearest(key, others);
    const remedy = near === undefined ? undefined : `is ${quote(near)} meant to be ${quote(key)}?`;
    refuse({ path, about: 'rule', fault: `must have ${quote(key)}`, remedy });
  }
  if (properties === undefined) return mapping;
  const entries = Object.entries(mapping).map(([key, value]): [string, Json] => {
    const schema = properties.get(key);
    return [key, schema === undefined ? value : checkValue(value, { ...checking, schema, path: [...path, key] })];
  });
  return Object.fromEntries(entries);
}

import { isJsonArray, isJsonObject, isNumber } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import type { SchemaNode } from '../../schema/index.ts';
import type { PreparedEntry } from './prepare-field.ts';

// Longer digits are never intended as a number, and parsing them is slow.
const integer = /^[-+]?[0-9]{1,1000}$/;
const prefixed = /^0(?:o[0-7]{1,1000}|x[0-9a-fA-F]{1,1000})$/;
const float = /^[-+]?(?:\.[0-9]{1,1000}|[0-9]{1,1000}(?:\.[0-9]{0,1000})?)(?:[eE][-+]?[0-9]{1,4})?$/;

/**
 * Reads a plain scalar of a patch by the rules of YAML 1.2; a leading zero means octal, as in kubectl. `yes`, `on`, the empty
 * string and numbers that JSON cannot represent stay strings.
 */
export function readPlainScalar(text: string): Exclude<Json, object> | null {
  switch (text) {
    case 'true':
    case 'True':
    case 'TRUE':
      return true;
    case 'false':
    case 'False':
    case 'FALSE':
      return false;
    case 'null':
    case 'Null':
    case 'NULL':
    case '~':
      return null;
  }
  if (integer.test(text)) return readDigits(text);
  if (prefixed.test(text)) return exact(BigInt(text));
  if (!float.test(text)) return text;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

function readDigits(text: string): number | bigint {
  const isNegative = text.startsWith('-');
  const digits = text.replace(/^[-+]/, '');
  const value = /^0[0-7]+$/.test(digits) ? BigInt(`0o${digits.slice(1)}`) : BigInt(digits);
  return exact(isNegative ? -value : value);
}

function exact(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

interface Destination {
  /** Schema of the field, if known. */
  readonly node: SchemaNode | undefined;
  /** Path of the field; without a schema, its last name hints at the type. */
  readonly path: Path;
}

/** Names of fields that are always integers. */
const integerNames = new Set(
  [
    'port',
    'targetPort',
    'nodePort',
    'containerPort',
    'hostPort',
    'replicas',
    'maxUnavailable',
    'maxSurge',
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
    'terminationGracePeriodSeconds',
    'activeDeadlineSeconds',
    'runAsUser',
    'runAsGroup',
    'fsGroup',
    'weight',
    'priority',
    'number',
  ].map((name) => name.toLowerCase()),
);

/**
 * Converts a value to the type of its field, or, if that is unknown, by how the value was written. A value of another type is
 * kept, for validation to report.
 */
export function typeValue(value: PreparedEntry['value'], destination: Destination): Json {
  if (value.type === 'data') {
    const { length } = destination.path;
    return typeData(value.data, destination, (path) => value.lexemeAt(path.slice(length)));
  }
  const { text, isPlain } = value;
  const own = isPlain ? readPlainScalar(text) : text;
  // Null deletes a field of any type.
  return own === null ? null : typeScalar(own, destination, { lexeme: text, isText: !isPlain });
}

function typeData(data: Json, destination: Destination, lexemeAt: (path: Path) => string | undefined): Json {
  const { node, path } = destination;
  if (isJsonArray(data)) {
    return data.map((item, index) => typeData(item, { node: node?.items, path: [...path, index] }, lexemeAt));
  }
  if (isJsonObject(data)) {
    // A key without a value means that the key is absent; manifests do not contain nulls.
    const filled = Object.entries(data).filter(([, value]) => value !== null);
    const entries = filled.map(([key, value]): [string, Json] => [
      key,
      typeData(value, { node: node?.property(key), path: [...path, key] }, lexemeAt),
    ]);
    return Object.fromEntries(entries);
  }
  if (data === null) return data;
  const isText = typeof data === 'string';
  // The written form only matters where a number becomes a string.
  const lexeme = isText ? data : node?.type === 'string' ? (lexemeAt(path) ?? String(data)) : String(data);
  return typeScalar(data, destination, { lexeme, isText });
}

interface Writing {
  readonly lexeme: string;
  /** Quoted, a block, or composed of references and text. */
  readonly isText: boolean;
}

type Scalar = string | number | bigint | boolean;

function typeScalar(value: Scalar, { node, path }: Destination, { lexeme, isText }: Writing): Json {
  switch (node?.type) {
    case 'string':
      return isText ? value : lexeme;
    case 'quantity':
      return isText || String(value) === lexeme ? value : lexeme;
    case 'integer':
      if (typeof value === 'bigint' || Number.isInteger(value)) return value;
      return readInteger(lexeme) ?? value;
    case 'int-or-string':
      return readInteger(lexeme) ?? (typeof value === 'number' && Number.isInteger(value) ? value : lexeme);
    case 'number':
      if (typeof value === 'number' || typeof value === 'bigint') return value;
      return readNumber(lexeme) ?? value;
    case 'boolean':
      if (typeof value === 'boolean') return value;
      return readBoolean(lexeme) ?? value;
    case 'object':
    case 'list':
      return value;
    default: {
      const name = path.at(-1);
      const isNumber = isText && typeof name === 'string' && integerNames.has(name.toLowerCase());
      return isNumber ? (readInteger(lexeme) ?? value) : value;
    }
  }
}

function readInteger(text: string): number | bigint | undefined {
  return /^[+-]?[0-9]+$/.test(text) ? readNumber(text) : undefined;
}

function readNumber(text: string): number | bigint | undefined {
  const value = readPlainScalar(text);
  return isNumber(value) ? value : undefined;
}

function readBoolean(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  return lower === 'true' ? true : lower === 'false' ? false : undefined;
}

/** A value for a string field, exactly as written; `undefined` for objects, lists and null. */
export function textOfValue(value: PreparedEntry['value']): string | undefined {
  if (value.type === 'lexeme') return isNull(value) ? undefined : value.text;
  const { data } = value;
  if (typeof data === 'string') return data;
  if (typeof data === 'object') return undefined;
  return value.lexemeAt([]) ?? String(data);
}

/** Whether a value deletes its field. */
export function isNull(value: PreparedEntry['value']): boolean {
  return value.type === 'data' ? value.data === null : value.isPlain && readPlainScalar(value.text) === null;
}

/** Converts a value for a field: a number becomes a string, as written, if the field only accepts strings. Other values are kept. */
export function typeForField(
  value: Json,
  destination: { readonly node: SchemaNode | undefined; readonly path: Path },
  lexemeAt: (path: Path) => string | undefined,
): Json {
  return typeValue({ type: 'data', data: value, merges: false, lexemeAt }, destination);
}

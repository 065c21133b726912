import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import type { SchemaNode } from '../../schema/index.ts';
import { describeValue } from './format-path.ts';
import type { PreparedEntry } from './prepared.ts';
import { readPlainScalar } from './read-plain-scalar.ts';

export interface Destination {
  /** The field, where its type is known. */
  readonly node: SchemaNode | undefined;
  /** The path of the field; its last name says something where nothing else does. */
  readonly path: Path;
}

export interface Mismatch {
  readonly path: Path;
  readonly value: string;
  readonly type: string;
}

export interface TypedValue {
  readonly value: Json;
  readonly mismatches: readonly Mismatch[];
}

/** Names of fields that hold whole numbers wherever they are. */
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

/** What is stored: the field's type decides, and where that is not known, how the value was written. */
export function typeValue(value: PreparedEntry['value'], destination: Destination): TypedValue {
  const mismatches: Mismatch[] = [];
  if (value.type === 'data') {
    return {
      value: typeData(value.data, { destination, mismatches, lexemeAt: value.lexemeAt, inside: [] }),
      mismatches,
    };
  }
  const { text, isPlain } = value;
  const own = isPlain ? readPlainScalar(text) : text;
  // `null` takes a field away, whatever its type.
  if (own === null) return { value: null, mismatches };
  return { value: typeScalar(own, { destination, mismatches, lexeme: text, isText: !isPlain }), mismatches };
}

interface DataTyping {
  readonly destination: Destination;
  readonly mismatches: Mismatch[];
  readonly lexemeAt: (path: Path) => string | undefined;
  /** The path inside the data. */
  readonly inside: Path;
}

function typeData(data: Json, typing: DataTyping): Json {
  const { destination, lexemeAt, inside, mismatches } = typing;
  const { node, path } = destination;
  if (isJsonArray(data)) {
    if (isWrongCollection(node, 'list')) mismatches.push(mismatchOf(data, destination));
    return data.map((item, index) => {
      if (item === null) mismatches.push({ path: [...path, index], value: 'null', type: 'an item' });
      return typeData(item, {
        ...typing,
        destination: { node: node?.items, path: [...path, index] },
        inside: [...inside, index],
      });
    });
  }
  if (isJsonObject(data)) {
    if (isWrongCollection(node, 'object')) mismatches.push(mismatchOf(data, destination));
    // A key without a value is a key that shall not be there; manifests carry no nulls.
    const filled = Object.entries(data).filter(([, value]) => value !== null);
    const entries = filled.map(([key, value]): [string, Json] => [
      key,
      typeData(value, {
        ...typing,
        destination: { node: node?.property(key), path: [...path, key] },
        inside: [...inside, key],
      }),
    ]);
    return Object.fromEntries(entries);
  }
  if (data === null) return data;
  const isText = typeof data === 'string';
  // Only where a number must become a text does it matter how it was written.
  const lexeme = isText ? data : node?.type === 'string' ? (lexemeAt(inside) ?? String(data)) : String(data);
  return typeScalar(data, { destination, mismatches, lexeme, isText });
}

function isWrongCollection(node: SchemaNode | undefined, type: 'list' | 'object'): boolean {
  return node !== undefined && node.type !== type && node.type !== 'any' && node.open !== true;
}

interface ScalarTyping {
  readonly destination: Destination;
  readonly mismatches: Mismatch[];
  readonly lexeme: string;
  /** Quoted, a block, or put together of variables and text. */
  readonly isText: boolean;
}

type Scalar = string | number | bigint | boolean;

function typeScalar(value: Scalar, { destination, mismatches, lexeme, isText }: ScalarTyping): Json {
  const { node, path } = destination;
  const wrong = (): Json => {
    mismatches.push(mismatchOf(value, destination));
    return value;
  };
  switch (node?.type) {
    case 'string':
      return isText ? value : lexeme;
    case 'quantity':
      return isText || String(value) === lexeme ? value : lexeme;
    case 'integer':
      if (typeof value === 'bigint' || Number.isInteger(value)) return value;
      return readInteger(lexeme) ?? wrong();
    case 'int-or-string':
      return readInteger(lexeme) ?? (typeof value === 'number' && Number.isInteger(value) ? value : lexeme);
    case 'number':
      if (typeof value === 'number' || typeof value === 'bigint') return value;
      return readNumber(lexeme) ?? wrong();
    case 'boolean':
      if (typeof value === 'boolean') return value;
      return readBoolean(lexeme) ?? wrong();
    case 'object':
    case 'list':
      return wrong();
    default: {
      const name = path.at(-1);
      const isNumber = isText && typeof name === 'string' && integerNames.has(name.toLowerCase());
      return isNumber ? (readInteger(lexeme) ?? value) : value;
    }
  }
}

function readInteger(text: string): number | bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = readPlainScalar(text);
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}

function readNumber(text: string): number | bigint | undefined {
  const value = readPlainScalar(text);
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}

function readBoolean(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  return lower === 'true' ? true : lower === 'false' ? false : undefined;
}

const typeWords: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a mapping',
  list: 'a list',
  string: 'a text',
  quantity: 'a quantity',
  'int-or-string': 'a whole number or a text',
};

function mismatchOf(value: Json, { node, path }: Destination): Mismatch {
  return { path, value: describeValue(value), type: typeWords[node!.type] ?? node!.type };
}

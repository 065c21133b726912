import { quote } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';
import { lacksColonSpace } from '../../yaml/index.ts';
import type { SchemaNode, SchemaType } from '../schema-node.ts';
import { listWords } from './names.ts';

/** How messages name a value of the type, and how Kubernetes' own types read a null. */
const descriptions: Readonly<Record<SchemaType, readonly [expected: string, empty: string]>> = {
  object: ['an object', 'an empty object'],
  list: ['a list', 'an empty list'],
  string: ['a string', 'an empty string'],
  integer: ['an integer', '0'],
  number: ['a number', '0'],
  boolean: ['true or false', 'false'],
  'int-or-string': ['an integer or a string', '0'],
  quantity: ['a quantity such as 500m or 1Gi', '0'],
  scalar: ['a string, a number or a boolean', 'an empty string'],
  any: ['a value', 'nothing'],
  none: ['omitted', 'nothing'],
};

export function listTypes(types: readonly SchemaType[]): string {
  const words = types.flatMap((type) => (type === 'boolean' ? ['true', 'false'] : [descriptions[type][0]]));
  return listWords(words, 'or');
}

export function describeTypes({ type, types = [type] }: SchemaNode): string {
  return listTypes(types);
}

/** How Kubernetes' own types read a null: `an empty object`, `0`. */
export function describeEmpty(type: SchemaType): string {
  return descriptions[type][1];
}

// A form that every YAML reader reads as a decimal number: with more leading zeros, some read octal.
const numeral = /^[+-]?(?:0|[1-9]\d*)(?:\.\d+)?$/;

interface Wanted {
  readonly node: SchemaNode;
  /** A scalar as written in its file. */
  readonly written: string;
  /** Why a value of the type is not allowed in the field: the end of `must …`. */
  readonly refuse: (value: Json) => string | undefined;
}

/** How to write the value so that it has the type, if only the notation is wrong. */
export function adviseType(value: Json, { node, written, refuse }: Wanted): string | undefined {
  const { type } = node;
  if (value === null) return 'set a value, or remove the line';
  if (type === 'scalar') return 'make it a string: quote it, or write "|" after the key';
  if (type === 'string' && typeof value !== 'object') {
    // Quotes alone would only cause the next finding.
    const demand = refuse(written);
    return demand === undefined ? 'quote it' : `it must ${demand}`;
  }
  if (type === 'string' && isPlaceholder(value)) return `quote it: ${quote(`{${Object.keys(value)[0]!}}`)}`;
  if (typeof value === 'string') {
    if (type === 'boolean') return adviseBoolean(value);
    const isNumeral = (type === 'number' || (type === 'integer' && !value.includes('.'))) && numeral.test(value);
    if (isNumeral && refuse(Number(value)) === undefined) return `write ${value} without quotes`;
    if (node.insteadOfText !== undefined) return node.insteadOfText;
    if (type === 'object' && lacksColonSpace(value)) return 'put a space after the colon: `key: value`';
  }
  if (typeof value === 'boolean' && node.insteadOfBoolean !== undefined) return node.insteadOfBoolean;
  if (type === 'list' && !isJsonArray(value)) {
    const entries = isJsonObject(value)
      ? adviseItems(value, node.itemFields ?? node.items?.propertyNames ?? [])
      : undefined;
    if (entries !== undefined) return entries;
    if (typeof value === 'object' || node.items?.type === 'object') {
      return 'write it as a list, with "- " before each item';
    }
    return typeof value === 'string' ? adviseWords(value) : `write it as a list: [${value}]`;
  }
  if (type === 'object' && isJsonArray(value)) return 'write it as an object, without "- "';
  return undefined;
}

/** `{app}` without quotes is an object whose key has no value. */
function isPlaceholder(value: Json): value is JsonObject {
  return isJsonObject(value) && Object.keys(value).length === 1 && Object.values(value)[0] === null;
}

// Only a shell can split text with quotes, line breaks and the like into words.
const ofShell = /["'`\\$\n|&;<>(){}*?~]/;
const fewCharacters = 100;

/** A line of words is most likely several items: a command with its arguments. */
function adviseWords(line: string): string {
  const words = line.trim().split(/\s+/);
  if (words.length === 1) return `write it as a list: [${quote(line)}]`;
  const [shell = '', flag, ...script] = words;
  const isScript = /(?:^|\/)(?:ba|da|a|z)?sh$/.test(shell) && flag === '-c' && script.length > 0;
  const isPlain = line.length <= fewCharacters && !ofShell.test(line);
  if (isPlain) {
    const items = isScript ? [shell, flag, script.join(' ')] : words;
    return `write it as a list, one item per word: [${items.map(quote).join(', ')}]`;
  }
  return isScript
    ? `write it as a list, with the script as one item: [${quote(shell)}, "-c", "…"]`
    : 'write it as a list, with one item per word';
}

/** `yes` and similar words are strings in YAML 1.2, and in quotes everywhere. */
export function adviseBoolean(value: Json): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^(?:true|false)$/i.test(value)) return `write ${value.toLowerCase()} without quotes`;
  if (/^(?:yes|y|on)$/i.test(value)) return 'write true';
  return /^(?:no|n|off)$/i.test(value) ? 'write false' : undefined;
}

// A word that every YAML version reads as a string, no longer than a line of advice.
const plainWord = /^(?!(?:true|false|yes|no|on|off|y|n|null)$)[a-z_/][\w./@-]{0,59}$/i;

/**
 * How to write an object of names and values as the required list: `env: {A: b}`. `fields` are those of an item. No
 * advice if the object is itself an item, or if items have no names.
 */
function adviseItems(object: JsonObject, fields: readonly string[]): string | undefined {
  const keys = Object.keys(object);
  const [name] = keys;
  if (name === undefined || !fields.includes('name') || keys.some((key) => fields.includes(key))) return undefined;
  const value = object[name]!;
  const lines = ['write it as a list:', `- name: ${writeWord(name)}`];
  if (value === null) return lines.join('\n');
  const rest = describeRest(value, fields);
  return rest === undefined ? undefined : [...lines, `  ${rest}`].join('\n');
}

function describeRest(value: Json, fields: readonly string[]): string | undefined {
  if (isJsonObject(value)) {
    const [key] = Object.keys(value);
    return key === undefined ? undefined : `${writeWord(key)}: …`;
  }
  if (typeof value === 'object' || !fields.includes('value')) return undefined;
  return `value: ${typeof value === 'string' ? writeWord(value) : quote(String(value))}`;
}

function writeWord(text: string): string {
  return plainWord.test(text) ? text : quote(text);
}

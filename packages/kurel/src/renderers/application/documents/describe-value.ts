import { escapeControls, quote } from '../../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, Path } from '../../../model/index.ts';
import { formatReferencePath } from '../../../parameters/index.ts';
import { adviseItems } from '../../../validate/index.ts';

import type { Field, FieldType } from './field.ts';
import { checkFormat } from './formats.ts';

const expectations: Readonly<Record<FieldType, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  quantity: 'a quantity such as 500m or 1Gi',
  scalar: 'a text, a number or a boolean',
  any: 'a value',
};

export function describeType(type: FieldType): string {
  return expectations[type];
}

/** How to write the value so that it is of the type, when that is only a matter of writing. A scalar is also there as it is written. */
export function adviseType(field: Field, value: Json, written: string): string | undefined {
  const { type } = field;
  if (value === null) return 'give it a value, or take the line out';
  const isStructure = typeof value === 'object';
  if (type === 'array') {
    if (!isStructure) return `write it as a list: [${typeof value === 'string' ? quote(value) : value}]`;
    const entries = isJsonObject(value) ? adviseItems(value, fieldsOfItem(field)) : undefined;
    return entries ?? 'put "- " in front of each item';
  }
  if (type === 'object') return isJsonArray(value) ? 'write it as a mapping, without "- " in front' : undefined;
  if (type === 'scalar') return 'make a text of it: put it in quotes, or "|" behind the key';
  if (type === 'string') {
    if (isStructure) return undefined;
    // Quotes alone would only lead to the next finding.
    const reason = field.format === undefined ? undefined : checkFormat(written, field.format);
    return reason === undefined ? 'put it in quotes' : `it ${reason}`;
  }
  if (typeof value !== 'string') return undefined;
  if (type === 'boolean') {
    if (/^(?:true|yes|y|on)$/i.test(value)) return 'write true, without quotes';
    return /^(?:false|no|n|off)$/i.test(value) ? 'write false, without quotes' : undefined;
  }
  const numeral = type === 'integer' ? /^[+-]?\d{1,15}$/ : /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;
  return numeral.test(value) ? `write ${Number(value)} without quotes` : undefined;
}

/** What Kubernetes has in a list is only known to its own schema; that of variables everybody has in mind. */
function fieldsOfItem({ items, kubernetes }: Field): readonly string[] {
  return kubernetes?.at(-1) === 'env' ? ['name', 'value', 'valueFrom'] : Object.keys(items?.properties ?? {});
}

/** The field by its own key, and the indexes behind it. */
export function nameOf(path: Path): string {
  const start = path.findLastIndex((step) => typeof step === 'string');
  if (start === -1) return 'the document';
  const [key, ...indexes] = path.slice(start);
  return escapeControls(`${key}${formatReferencePath(indexes)}`);
}

/** The same, where nothing is quoted behind it. */
export function nameField(path: Path): string {
  return path.length === 0 ? nameOf(path) : quote(nameOf(path));
}

/** What something is missing from or unknown in. */
export function nameHolder(path: Path, whole: string): string {
  return path.length === 0 ? whole : `"${escapeControls(formatReferencePath(path))}"`;
}

/** `a, b or c`. */
export function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

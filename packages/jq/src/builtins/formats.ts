import type { One } from '../compile/code.ts';
import { checkStringLength, countString, raise, spendLength } from '../run-state.ts';
import { describe, refuse } from '../values/describe.ts';
import { isArray, isNumber, type JqValue } from '../values/jq-value.ts';
import { formatNumber } from '../values/numbers.ts';
import { stringify } from '../values/stringify.ts';
import { base32, base32Decode, base64, base64Decode } from './base-encodings.ts';
import { toText } from './types.ts';
import { type NativeTable, value } from './native.ts';
import { percentDecode, percentEncode } from './percent-encoding.ts';

const htmlEscapes: { readonly [character: string]: string } = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  "'": '&apos;',
  '"': '&quot;',
};

function row(input: JqValue, format: string, quote: (text: string) => string, separator: string): string {
  if (!isArray(input)) return refuse(input, `cannot be ${format}-formatted, only array`);
  return input
    .map((cell) => {
      if (cell === null) return '';
      if (typeof cell === 'boolean') return cell ? 'true' : 'false';
      if (isNumber(cell)) return formatNumber(cell);
      if (typeof cell === 'string') return quote(cell);
      return raise(`${describe(cell)} is not valid in a csv row`);
    })
    .join(separator);
}

const tsvEscapes: { readonly [character: string]: string } = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function quoteForShell(input: JqValue): string {
  const items = isArray(input) ? input : [input];
  return items
    .map((item) => {
      if (typeof item === 'string') return `'${item.replaceAll("'", String.raw`'\''`)}'`;
      if (typeof item === 'object' && item !== null) return refuse(item, 'can not be escaped for shell');
      return stringify(item);
    })
    .join(' ');
}

type Formatter = (input: JqValue) => string;

const formatters: { readonly [name: string]: Formatter } = {
  '@text': toText,
  '@json': (input) => stringify(input),
  '@csv': (input) => row(input, 'csv', (cell) => `"${cell.replaceAll('"', '""')}"`, ','),
  '@tsv': (input) => row(input, 'tsv', (cell) => cell.replace(/[\\\t\n\r]/g, (one) => tsvEscapes[one]!), '\t'),
  '@html': (input) => toText(input).replace(/[<>&'"]/g, (one) => htmlEscapes[one]!),
  '@uri': (input) => percentEncode(toText(input)),
  '@urid': (input) => percentDecode(toText(input)),
  '@sh': quoteForShell,
  '@base64': (input) => base64(toText(input)),
  '@base64d': (input) => base64Decode(toText(input)),
  '@base32': (input) => base32(toText(input)),
  '@base32d': (input) => base32Decode(toText(input)),
};

export const formatNames: readonly string[] = Object.keys(formatters);

/** The filter of a format such as `@csv`. */
export function formatter(name: string): One | undefined {
  const format = Object.hasOwn(formatters, name) ? formatters[name] : undefined;
  if (format === undefined || format === toText) return format;
  return (input) => {
    if (typeof input === 'string') spendLength(4 * input.length);
    const text = format(input);
    spendLength(4 * text.length);
    checkStringLength(text.length);
    countString(text.length);
    return text;
  };
}

const noEnvironment = { parent: undefined, value: undefined };

export const formatNatives: NativeTable = {
  'format/1': value((input, name) => {
    if (typeof name !== 'string') return refuse(name, 'is not a valid format');
    return formatter(`@${name}`)?.(input, noEnvironment) ?? raise(`${name} is not a valid format`);
  }),
};

import type { Single } from '../code/code.ts';
import { isArray, isNumber, type JqValue } from '../jq-value.ts';
import { checkArrayLength, checkStringLength, countString, raise, spendLength, spendSteps } from '../run-state.ts';
import { itemsOf } from '../values/access.ts';
import { addTo, splitString } from '../values/arithmetic.ts';
import { describe, refuse, stringify, toText } from '../values/json.ts';
import { countCodePoints, decodeUtf8, encodeUtf8, formatNumber, stringIndices, toDouble } from '../values/scalars.ts';
import { linear, type NativeTable, value } from './native.ts';

function text(input: JqValue, message: string): string {
  return typeof input === 'string' ? input : raise(message);
}

/** Both the input and the argument must be strings. */
function affix(name: string, input: JqValue, part: JqValue): readonly [string, string] {
  if (typeof input !== 'string' || typeof part !== 'string') return raise(`${name}() requires string inputs`);
  return [input, part];
}

function trimStart(input: JqValue, prefix: JqValue): string {
  const [whole, part] = affix('startswith', input, prefix);
  return whole.startsWith(part) ? whole.slice(part.length) : whole;
}

function trimEnd(input: JqValue, suffix: JqValue): string {
  const [whole, part] = affix('endswith', input, suffix);
  return whole.endsWith(part) ? whole.slice(0, whole.length - part.length) : whole;
}

// Unicode's White_Space, which unlike `\s` includes U+0085 but not U+FEFF
const leadingSpace = /^\p{White_Space}+/u;
const isSpace = /\p{White_Space}/u;

function trimRight(input: string): string {
  let end = input.length;
  while (end > 0 && isSpace.test(input[end - 1]!)) end--;
  return input.slice(0, end);
}

const beyondAscii = /[\u0080-\uffff]/;

function shiftAscii(input: string, upper: boolean): string {
  if (!beyondAscii.test(input)) return upper ? input.toUpperCase() : input.toLowerCase();
  spendSteps(input.length);
  return upper
    ? input.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
    : input.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const replacement = 0xfffd;

function implode(input: JqValue): JqValue {
  if (!isArray(input)) return raise('implode input must be an array');
  let result = '';
  for (const item of input) {
    if (!isNumber(item) || Number.isNaN(item)) {
      return refuse(item, "can't be imploded, unicode codepoint needs to be numeric");
    }
    const point = Math.trunc(toDouble(item));
    const valid = point >= 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    result += String.fromCodePoint(valid ? point : replacement);
  }
  return result;
}

function join(input: JqValue, separator: JqValue): JqValue {
  let result: JqValue = null;
  for (const item of itemsOf(input)) {
    spendSteps(1);
    const start: JqValue = result === null ? '' : addTo(result, separator);
    result = addTo(
      start,
      typeof item === 'number' || typeof item === 'bigint' || typeof item === 'boolean'
        ? stringify(item)
        : (item ?? ''),
    );
    if (typeof result === 'string') checkStringLength(result.length);
  }
  return result ?? '';
}

function split(input: JqValue, separator: JqValue): JqValue {
  if (typeof input !== 'string' || typeof separator !== 'string')
    return raise('split input and separator must be strings');
  return splitString(input, separator);
}

function searchIndices(input: JqValue, wanted: JqValue): JqValue {
  if (typeof input !== 'string') return refuse(input, 'cannot be searched, as it is not a string');
  if (typeof wanted !== 'string') return raise(`${describe(wanted)} is not a string`);
  return stringIndices(input, wanted);
}

export const stringNatives: NativeTable = {
  '_strindices/1': linear(searchIndices),
  'startswith/1': linear((input, prefix) => {
    const [whole, part] = affix('startswith', input, prefix);
    return whole.startsWith(part);
  }),
  'endswith/1': linear((input, suffix) => {
    const [whole, part] = affix('endswith', input, suffix);
    return whole.endsWith(part);
  }),
  'ltrimstr/1': linear(trimStart),
  'rtrimstr/1': linear(trimEnd),
  'trimstr/1': linear((input, part) => trimEnd(trimStart(input, part), part)),
  'trim/0': linear((input) => trimRight(text(input, 'trim input must be a string').replace(leadingSpace, ''))),
  'ltrim/0': linear((input) => text(input, 'trim input must be a string').replace(leadingSpace, '')),
  'rtrim/0': linear((input) => trimRight(text(input, 'trim input must be a string'))),
  'ascii_downcase/0': linear((input) => shiftAscii(text(input, 'explode input must be a string'), false)),
  'ascii_upcase/0': linear((input) => shiftAscii(text(input, 'explode input must be a string'), true)),
  'explode/0': linear((input) => {
    const whole = text(input, 'explode input must be a string');
    checkArrayLength(countCodePoints(whole));
    return Array.from(whole, (character) => character.codePointAt(0)!);
  }),
  'implode/0': linear(implode),
  'ascii/0': value((input) => implode([input])),
  'split/1': linear(split),
  'join/1': linear(join),
};

interface Alphabet {
  readonly digits: string;
  readonly bits: number;
  /** Padding fills the last group up to this many digits. */
  readonly group: number;
}

const alphabet64: Alphabet = {
  digits: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  bits: 6,
  group: 4,
};
const alphabet32: Alphabet = { digits: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', bits: 5, group: 8 };

function encode(text: string, { digits, bits, group }: Alphabet): string {
  const out: string[] = [];
  let held = 0;
  let heldBits = 0;
  for (const byte of encodeUtf8(text)) {
    held = (held << 8) | byte;
    heldBits += 8;
    while (heldBits >= bits) {
      heldBits -= bits;
      out.push(digits[held >> heldBits]!);
      held &= (1 << heldBits) - 1;
    }
  }
  if (heldBits > 0) out.push(digits[held << (bits - heldBits)]!);
  while (out.length % group !== 0) out.push('=');
  return out.join('');
}

function decode(text: string, { digits, bits }: Alphabet, name: string): string {
  // the first padding ends the data, as in jq
  const [body = ''] = text.split('=', 1);
  const bytes: number[] = [];
  let held = 0;
  let heldBits = 0;
  for (const digit of body) {
    const digitValue = digits.indexOf(digit);
    if (digitValue < 0) return refuse(text, `is not valid ${name} data`);
    held = (held << bits) | digitValue;
    heldBits += bits;
    if (heldBits < 8) continue;
    heldBits -= 8;
    bytes.push(held >> heldBits);
    held &= (1 << heldBits) - 1;
  }
  // the remaining bits must be less than one digit of padding
  if (heldBits >= bits) return refuse(text, `trailing ${name} byte found`);
  return decodeUtf8(bytes).text;
}

function percentEncode(text: string): string {
  return text.replace(/[^A-Za-z0-9\-_.~]+/gu, (part) =>
    encodeUtf8(part)
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
}

function percentDecode(text: string): string {
  return text.replace(/(?:%[\da-fA-F]{2})+|%/g, (run) => {
    if (run === '%') return refuse(text, 'is not a valid uri encoding');
    const bytes = run
      .slice(1)
      .split('%')
      .map((hex) => Number.parseInt(hex, 16));
    const { text: decoded, broken } = decodeUtf8(bytes);
    return broken ? refuse(text, 'is not a valid uri encoding') : decoded;
  });
}

const htmlEscapes: { readonly [character: string]: string } = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  "'": '&apos;',
  '"': '&quot;',
  '\0': '\\0',
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

const tsvEscapes: { readonly [character: string]: string } = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
};

function quoteForShell(input: JqValue): string {
  const items = isArray(input) ? input : [input];
  return items
    .map((item) => {
      if (typeof item === 'string') return `'${item.replaceAll("'", String.raw`'\''`).replaceAll('\0', '\\0')}'`;
      if (typeof item === 'object' && item !== null) return refuse(item, 'can not be escaped for shell');
      return stringify(item);
    })
    .join(' ');
}

type Formatter = (input: JqValue) => string;

const formatters: { readonly [name: string]: Formatter } = {
  '@text': toText,
  '@json': (input) => stringify(input),
  '@csv': (input) => row(input, 'csv', (cell) => `"${cell.replaceAll('"', '""').replaceAll('\0', '\\0')}"`, ','),
  '@tsv': (input) =>
    row(input, 'tsv', (cell) => cell.replace(/[\\\t\n\r\0]/g, (character) => tsvEscapes[character]!), '\t'),
  '@html': (input) => toText(input).replace(/[<>&'"\0]/g, (character) => htmlEscapes[character]!),
  '@uri': (input) => percentEncode(toText(input)),
  '@urid': (input) => percentDecode(toText(input)),
  '@sh': quoteForShell,
  '@base64': (input) => encode(toText(input), alphabet64),
  '@base64d': (input) => decode(toText(input), alphabet64, 'base64'),
  '@base32': (input) => encode(toText(input), alphabet32),
  '@base32d': (input) => decode(toText(input), alphabet32, 'base32'),
};

export const formatNames: readonly string[] = Object.keys(formatters);

/** The filter of a format such as `@csv`. */
export function formatter(name: string): Single | undefined {
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

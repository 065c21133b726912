import type { Json } from '../model/index.ts';
import { DASH, DIGIT_0, DIGIT_9, DOT, PLUS, TILDE } from './char-codes.ts';

/**
 * The keys for the plain scalars seen so far. Manifests repeat a few keys very often, and the cached string is the one that the
 * objects already use: setting a property under a string freshly sliced from the text costs several times as much.
 */
export interface KeyCache {
  readonly known: Map<string, string>;
  /** The words that the keys were resolved with; readings with other words must not share them. */
  readonly words: WordTable;
}

export function createKeyCache(words: YamlWords): KeyCache {
  return { known: new Map(), words: createWordTable(words) };
}

/** More than any hand-written text has; a text of nothing but new keys must not keep them all twice. */
const mostKeys = 10_000;

/** The key for a plain scalar; `undefined` for null. */
export function lookUpKey(cache: KeyCache, word: string): string | undefined {
  const earlier = cache.known.get(word);
  if (earlier !== undefined) return earlier;
  const key = resolvePlainKey(word, cache.words);
  if (key !== undefined && cache.known.size < mostKeys) cache.known.set(word, key);
  return key;
}

/** Which plain words are booleans: those that kubectl accepts, or only `true` and `false` as in YAML 1.2. */
export type YamlWords = 'kubernetes' | 'core';

/** How one reading resolves plain scalars. */
export interface WordTable {
  /** The values of words that are not strings. */
  readonly words: ReadonlyMap<string, Json>;
  /** The scalars seen so far that kubectl and kustomize read differently. */
  readonly divergent: Set<string>;
  /** Whether these are the words of Kubernetes manifests. */
  readonly isOfCluster: boolean;
}

/** Marks, among the divergent scalars, a block scalar that ends a text without a line break. */
export const missingBreak = '\n';

const core = new Map<string, Json>([
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, Infinity] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, -Infinity] as const),
]);

const kubernetes = new Map<string, Json>([
  ...core,
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
]);

function createWordTable(words: YamlWords): WordTable {
  const isOfCluster = words !== 'core';
  return { words: isOfCluster ? kubernetes : core, divergent: new Set(), isOfCluster };
}

const usual = createWordTable('kubernetes');
const longestWord = 5;
/** `true` and `false` are longer than the words that are booleans only in YAML 1.1. */
const longestOldBoolean = 3;

/** Whether a plain scalar with this first character can be something other than a string: sign, digit, dot, `~` or `yntfo`. */
function mayBeTyped(code: number): boolean {
  if (code <= DIGIT_9) return code >= DIGIT_0 || code === DASH || code === DOT || code === PLUS;
  switch (code | 0x20) {
    case 0x66: // f
    case 0x6e: // n
    case 0x6f: // o
    case 0x74: // t
    case 0x79: // y
      return true;
    default:
      return code === TILDE;
  }
}

/**
 * How kubectl (sigs.k8s.io/yaml over go-yaml v2) reads an unquoted scalar: YAML 1.1 words, octals with and without
 * `o`, `_` in numbers; dates and base 60 stay strings. Integers too large for a double are `bigint`, even above 64
 * bits, where kubectl rounds. `.inf` and `.nan` return the number, which no document may contain: the reader rejects it and the
 * writer quotes the string. Numbers do not depend on the words.
 */
export function resolvePlainScalar(text: string, table: WordTable = usual): Json {
  if (text.length === 0) return null;
  const first = text.charCodeAt(0);
  if (!mayBeTyped(first)) return text;
  if (text.length <= longestWord) {
    const word = table.words.get(text);
    if (word !== undefined) {
      if (text.length <= longestOldBoolean && word !== null) noteDivergent(table, text);
      return word;
    }
  }
  if (first > DIGIT_9) return text;
  const number = resolveNumber(text);
  if (number !== undefined) return number.value;
  if (text.charCodeAt(4) === DASH) noteDivergent(table, text);
  return text;
}

/** How kubectl reads a plain scalar as a key; `undefined` for null, which cannot be a key. */
export function resolvePlainKey(text: string, words: WordTable = usual): string | undefined {
  if (text.length === 0) return undefined;
  if (!mayBeTyped(text.charCodeAt(0))) return text;
  const value = resolvePlainScalar(text, words);
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return resolveNumber(text)?.float === false ? String(value) : formatFloatKey(value);
    case 'bigint':
      // As a key, kubectl does not keep the digits of an integer beyond 64 bits.
      return formatNumberKey(value);
    case 'boolean':
      return String(value);
    default:
      return undefined;
  }
}

/** More than this are not worth listing. */
const mostDivergent = 100;

function noteDivergent({ divergent }: WordTable, text: string): void {
  if (divergent.size < mostDivergent && isDivergent(text)) divergent.add(text);
}

// Month, day, hours, minutes and seconds in the forms that go.yaml.in/yaml v3 reads as a timestamp.
const date = String.raw`(\d{4})-(0?[1-9]|1[0-2])-(\d{1,2})`;
const time = String.raw`(?:[01]?\d|2[0-3]):[0-5]?\d:[0-5]?\d(?:\.\d+)?`;
const timestamp = new RegExp(`^${date}(?:[Tt]${time}(?:Z|[-+]\\d\\d:\\d\\d)| ${time})?$`);

/**
 * Whether kustomize (go.yaml.in/yaml v3) reads a plain scalar differently from kubectl: for kustomize, words such as `yes` are
 * strings and not booleans, and dates are not strings.
 */
export function isDivergent(text: string): boolean {
  if (text.length <= longestOldBoolean) return typeof kubernetes.get(text) === 'boolean';
  return isTimestamp(text);
}

export function isTimestamp(text: string): boolean {
  const [, year, month, day] = timestamp.exec(text) ?? [];
  return day !== undefined && Number(day) > 0 && Number(day) <= daysOf(Number(year), Number(month));
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

interface ResolvedNumber {
  readonly value: number | bigint;
  /** Whether Go stores it as a float, which decides how it is written as a key. */
  readonly float: boolean;
}

/** Whether Go stores a number as a float: `1e3` is one, although it has no fraction. */
export function isFloat(text: string): boolean {
  return resolveNumber(text)?.float === true;
}

function resolveNumber(text: string): ResolvedNumber | undefined {
  const first = text.charCodeAt(0);
  if (first === DOT) {
    // Go's own syntax: `_` is only allowed between two digits.
    return /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/.test(text)
      ? resolveFloat(text.replaceAll('_', ''))
      : undefined;
  }
  const last = text.charCodeAt(text.length - 1);
  // A number ends in a digit, a hexadecimal digit, a dot or `_`; this rules out most words such as `1Gi` early.
  if (!(last <= DIGIT_9 || last === 0x5f || ((last | 0x20) >= 0x61 && (last | 0x20) <= 0x66))) return undefined;
  const plain = text.includes('_') ? text.replaceAll('_', '') : text;
  const integer = resolveInteger(plain);
  if (integer !== undefined) return { value: integer, float: false };
  if (!/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(plain)) return undefined;
  return resolveFloat(plain);
}

function resolveFloat(text: string): ResolvedNumber | undefined {
  const value = Number(text);
  // Go does not treat an out-of-range number as a number, so the text stays a string.
  return Number.isFinite(value) ? { value, float: true } : undefined;
}

const radixes: Readonly<Record<string, string>> = { b: '0b', o: '0o', x: '0x' };

/** Whether an integer fits into the 64 bits of Go, signed or unsigned. */
export function isLong(value: bigint): boolean {
  return value >= -(1n << 63n) && value < 1n << 64n;
}

function resolveInteger(text: string): number | bigint | undefined {
  const decimal = /^[-+]?(?:0|[1-9][0-9]*)$/.test(text);
  if (decimal) {
    const value = Number(text);
    if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
    if (!Number.isFinite(value)) return undefined;
    return BigInt(text.charCodeAt(0) === PLUS ? text.slice(1) : text);
  }
  const match = /^([-+]?)0(?:([bB])([01]+)|([xX])([0-9a-fA-F]+)|([oO]?)([0-7]+))$/.exec(text);
  if (match === null) return undefined;
  const letter = (match[2] ?? match[4] ?? 'o').toLowerCase();
  const digits = match[3] ?? match[5] ?? match[7] ?? '';
  const size = BigInt(radixes[letter]! + digits);
  const negative = match[1] === '-';
  // Go uses 64 bits; beyond that it reads an octal as a decimal float, and anything else as a string.
  if (size > (negative ? 1n << 63n : (1n << 64n) - 1n)) return undefined;
  const value = negative ? -size : size;
  return size <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

/** From here on, Go writes a float with an exponent, and an integer without. */
const leastExponent = 1e6;

/** The key for a number of which nobody knows how it was written; `undefined` if that matters. */
export function formatNumberKey(value: number | bigint): string | undefined {
  if (typeof value === 'bigint') {
    if (!isLong(value)) return formatFloatKey(Number(value));
    // kubectl rejects unsigned keys.
    return BigInt.asIntN(64, value) === value ? String(value) : undefined;
  }
  if (!Number.isInteger(value) || value === 0) return formatFloatKey(value);
  return Math.abs(value) < leastExponent ? String(value) : undefined;
}

/** `strconv.FormatFloat(value, 'g', -1, 32)` and go-yaml's names for the infinities: how a float becomes a key. */
export function formatFloatKey(value: number): string {
  const single = Math.fround(value);
  if (Number.isNaN(single)) return '.nan';
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  if (single === 0) return Object.is(single, -0) ? '-0' : '0';
  let precision = 1;
  while (precision < 9 && Math.fround(Number(single.toPrecision(precision))) !== single) precision++;
  const [mantissa, exponentText] = single.toExponential(precision - 1).split('e') as [string, string];
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 6) return writeDecimal(single, precision, exponent);
  const sign = exponent < 0 ? '-' : '+';
  return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function writeDecimal(value: number, precision: number, exponent: number): string {
  return Number(value.toPrecision(precision)).toFixed(Math.max(precision - 1 - exponent, 0));
}

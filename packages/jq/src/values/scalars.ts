import { checkArrayLength, countValues, spendSteps } from '../run-state.ts';

/** Longer integers are read as doubles, so that a number with a million digits is cheap. */
const maxExactDigits = 1000;

export function toDouble(value: number | bigint): number {
  return typeof value === 'number' ? value : Number(value);
}

/** Reads a decimal literal: exact if it is an integer outside the safe range of doubles. */
export function parseNumber(text: string): number | bigint {
  const double = Number(text);
  if (Number.isSafeInteger(double) || !/^-?\d+$/.test(text) || text.length > maxExactDigits) return double;
  countValues(1 + (text.length >> 5));
  return BigInt(text);
}

// A run of digits can be matched in only one way, so that a long one with an error at its end is not retried.
const decimal = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
const special = /^([-+]?)(?:(s?nan)|inf(?:inity)?)$/i;

/** Reads a number from text: `undefined` if the text is anything else. NaN and infinities have names. */
export function readNumber(text: string): number | bigint | undefined {
  if (decimal.test(text)) return parseNumber(text.startsWith('+') ? text.slice(1) : text);
  const [whole, sign, nan] = special.exec(text) ?? [];
  if (whole === undefined) return undefined;
  if (nan !== undefined) return Number.NaN;
  return sign === '-' ? -Infinity : Infinity;
}

/** A number as jq prints it: at most 17 significant digits, no NaN, no infinities. */
export function formatNumber(value: number | bigint): string {
  if (typeof value === 'bigint') return value.toString();
  if (Number.isNaN(value)) return 'null';
  if (!Number.isFinite(value)) return value > 0 ? '1.7976931348623157e+308' : '-1.7976931348623157e+308';
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return Object.is(value, -0) ? '-0' : `${value}`;
  const [mantissa = '', exponentText = '0'] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const pointAt = Number(exponentText) + 1;
  const sign = value < 0 ? '-' : '';
  if (pointAt <= -4 || pointAt > digits.length + 15) {
    const exponent = pointAt - 1;
    const shown = Math.abs(exponent).toString().padStart(2, '0');
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${shown}`;
  }
  if (pointAt <= 0) return `${sign}0.${'0'.repeat(-pointAt)}${digits}`;
  if (pointAt >= digits.length) return `${sign}${digits}${'0'.repeat(pointAt - digits.length)}`;
  return `${sign}${digits.slice(0, pointAt)}.${digits.slice(pointAt)}`;
}

export function negate(value: number | bigint): number | bigint {
  // jq has no negative zero here
  if (typeof value === 'number') return 0 - value;
  countValues(4);
  return -value;
}

const surrogate = /[\ud800-\udfff]/;

/** jq counts code points; a string without surrogates has as many of them as units. */
function hasSurrogates(text: string): boolean {
  return surrogate.test(text);
}

export function countCodePoints(text: string): number {
  if (!hasSurrogates(text)) return text.length;
  let count = 0;
  for (const _character of text) count++;
  return count;
}

/** The unit offset that is a number of code points after another. */
function unitIndex(text: string, start: number, points: number): number {
  let at = start;
  for (let left = points; left > 0 && at < text.length; left--) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return at;
}

/** Cuts between two code point positions. */
export function sliceCodePoints(text: string, from: number, to: number): string {
  if (!hasSurrogates(text)) return text.slice(from, to);
  const start = unitIndex(text, 0, from);
  return text.slice(start, unitIndex(text, start, to - from));
}

/** Converts unit offsets to code point positions; fast if an offset is near the previous one. */
export function codePointIndices(text: string): (unitIndex: number) => number {
  if (!hasSurrogates(text)) return (unitIndex) => unitIndex;
  let units = 0;
  let points = 0;
  return (unitIndex) => {
    points +=
      unitIndex < units
        ? -countCodePoints(text.slice(unitIndex, units))
        : countCodePoints(text.slice(units, unitIndex));
    units = unitIndex;
    return points;
  };
}

export function isLowSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}

export function isHighSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800;
}

/** Longer strings are not searched by the JavaScript engine, because its search takes quadratic time for some of them. */
const longestForHost = 64;

/** The positions of a string in another, from left to right. */
export function forEachOccurrence(
  text: string,
  wanted: string,
  overlapping: boolean,
  visit: (at: number) => void,
): void {
  if (wanted === '') return;
  if (wanted.length > longestForHost) {
    findLong(text, wanted, overlapping, (at) => {
      visit(at);
      return false;
    });
    return;
  }
  let from = 0;
  for (;;) {
    const at = text.indexOf(wanted, from);
    spendSteps(1 + (((at < 0 ? text.length : at) - from) >> 3));
    if (at < 0) return;
    visit(at);
    from = at + (overlapping ? 1 : wanted.length);
  }
}

export function containsString(text: string, wanted: string): boolean {
  if (wanted.length > longestForHost) return findLong(text, wanted, false, () => true);
  spendSteps(text.length >> 3);
  return text.includes(wanted);
}

/** Knuth, Morris and Pratt: every character of the text is read about once. `visit` returns whether to stop. */
function findLong(text: string, wanted: string, overlapping: boolean, visit: (at: number) => boolean): boolean {
  if (wanted.length > text.length) return false;
  spendSteps((text.length + wanted.length) >> 2);
  const shorter = new Int32Array(wanted.length + 1);
  let matched = 0;
  for (let at = 1; at < wanted.length; at++) {
    while (matched > 0 && wanted.charCodeAt(at) !== wanted.charCodeAt(matched)) matched = shorter[matched]!;
    if (wanted.charCodeAt(at) === wanted.charCodeAt(matched)) matched++;
    shorter[at + 1] = matched;
  }
  matched = 0;
  for (let at = 0; at < text.length; at++) {
    while (matched > 0 && text.charCodeAt(at) !== wanted.charCodeAt(matched)) matched = shorter[matched]!;
    if (text.charCodeAt(at) === wanted.charCodeAt(matched)) matched++;
    if (matched < wanted.length) continue;
    if (visit(at + 1 - wanted.length)) return true;
    matched = overlapping ? shorter[matched]! : 0;
  }
  return false;
}

/** The positions of a string in another, in code points, including overlaps. */
export function stringIndices(input: string, wanted: string): readonly number[] {
  const indices: number[] = [];
  const wide = hasSurrogates(input);
  let codePoints = 0;
  let counted = 0;
  forEachOccurrence(input, wanted, true, (at) => {
    if (wide) for (; counted < at; counted++) codePoints += isLowSurrogate(input, counted) ? 0 : 1;
    indices.push(wide ? codePoints : at);
    if ((indices.length & 0xff) === 0) checkArrayLength(indices.length);
  });
  return indices;
}

export function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) length++;
    // a surrogate pair is two units and four bytes, so each half counts one more
    if (unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff)) length++;
  }
  return length;
}

/** UTF-8 encoding, written out because TextEncoder belongs to the platform and not to the language. */
export function encodeUtf8(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const codePoint = character.codePointAt(0)!;
    const point = codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint;
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 63));
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    else {
      bytes.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    }
  }
  return bytes;
}

/** `broken`: some bytes were not UTF-8; they become U+FFFD in the text. */
export function decodeUtf8(bytes: readonly number[]): { readonly text: string; readonly broken: boolean } {
  const points: string[] = [];
  let broken = false;
  let at = 0;
  while (at < bytes.length) {
    const { point, length } = decodeCharacter(bytes, at);
    broken ||= point < 0;
    points.push(String.fromCodePoint(point < 0 ? 0xfffd : point));
    at += length;
  }
  return { text: points.join(''), broken };
}

function decodeCharacter(bytes: readonly number[], at: number): { readonly point: number; readonly length: number } {
  const lead = bytes[at]!;
  if (lead < 0x80) return { point: lead, length: 1 };
  const length = lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length === 0 || lead >= 0xf5) return { point: -1, length: 1 };
  // as in jq, a sequence that is cut off at the end is one character
  if (at + length > bytes.length) return { point: -1, length: bytes.length - at };
  let point = lead & (0x7f >> length);
  for (let index = 1; index < length; index++) {
    const next = bytes[at + index]!;
    if ((next & 0xc0) !== 0x80) return { point: -1, length: index };
    point = (point << 6) | (next & 63);
  }
  const smallest = length === 2 ? 0x80 : length === 3 ? 0x800 : 0x10000;
  const valid = point >= smallest && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
  return { point: valid ? point : -1, length };
}

/** Escapes of one letter, which JSON and jq strings share. */
export const simpleEscapes: { readonly [letter: string]: string } = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

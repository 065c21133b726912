import { countValues } from '../run-state.ts';

/** Integers longer than this are read as doubles, so that a number of a million digits costs nothing. */
const maxExactDigits = 1000;

export function toDouble(value: number | bigint): number {
  return typeof value === 'number' ? value : Number(value);
}

/** Reads a decimal literal: exact when it is an integer outside the range doubles hold exactly. */
export function parseNumber(text: string): number | bigint {
  const double = Number(text);
  if (Number.isSafeInteger(double) || !/^-?\d+$/.test(text) || text.length > maxExactDigits) return double;
  countValues(1 + (text.length >> 5));
  return BigInt(text);
}

// A run of digits is read in one way only: a long one that goes wrong at its end must not be tried over and over.
const decimal = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
const special = /^([-+]?)(?:(s?nan)|inf(?:inity)?)$/i;

/** Reads a number from text: `undefined` unless all of it is one. NaN and infinities have names. */
export function readNumber(text: string): number | bigint | undefined {
  if (decimal.test(text)) return parseNumber(text.startsWith('+') ? text.slice(1) : text);
  const [whole, sign, nan] = special.exec(text) ?? [];
  if (whole === undefined) return undefined;
  if (nan !== undefined) return Number.NaN;
  return sign === '-' ? -Infinity : Infinity;
}

/** As jq prints a number: 17 significant digits at most, no NaN, no infinities. */
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

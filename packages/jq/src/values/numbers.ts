import { countValues } from '../run-state.ts';

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

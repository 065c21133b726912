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
  if (typeof value === 'bigint') countValues(4);
  return -value;
}

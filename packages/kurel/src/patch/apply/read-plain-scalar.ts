import type { Json } from '../../model/index.ts';

// Longer digits are never intended as a number, and parsing them is slow.
const integer = /^[-+]?[0-9]{1,1000}$/;
const prefixed = /^0(?:o[0-7]{1,1000}|x[0-9a-fA-F]{1,1000})$/;
const float = /^[-+]?(?:\.[0-9]{1,1000}|[0-9]{1,1000}(?:\.[0-9]{0,1000})?)(?:[eE][-+]?[0-9]{1,4})?$/;

/**
 * Reads a plain scalar of a patch by the rules of YAML 1.2; a leading zero means octal, as in kubectl. `yes`, `on`, the empty
 * string and numbers that JSON cannot represent stay strings.
 */
export function readPlainScalar(text: string): Exclude<Json, object> | null {
  switch (text) {
    case 'true':
    case 'True':
    case 'TRUE':
      return true;
    case 'false':
    case 'False':
    case 'FALSE':
      return false;
    case 'null':
    case 'Null':
    case 'NULL':
    case '~':
      return null;
  }
  if (integer.test(text)) return readInteger(text);
  if (prefixed.test(text)) return exact(BigInt(text));
  if (!float.test(text)) return text;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

function readInteger(text: string): number | bigint {
  const isNegative = text.startsWith('-');
  const digits = text.replace(/^[-+]/, '');
  const value = /^0[0-7]+$/.test(digits) ? BigInt(`0o${digits.slice(1)}`) : BigInt(digits);
  return exact(isNegative ? -value : value);
}

function exact(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

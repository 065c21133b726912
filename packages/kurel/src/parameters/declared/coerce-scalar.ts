import { isNumber } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';

const trueWords = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const falseWords = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** A value as the declared type, `undefined` when it is not of it. Texts are read; of other values only the meaning counts. */
export function coerceScalar(value: Json, type: 'integer' | 'number' | 'boolean'): Json | undefined {
  if (type === 'boolean') {
    if (typeof value === 'boolean') return value;
    if (typeof value !== 'string') return undefined;
    return trueWords.has(value) ? true : falseWords.has(value) ? false : undefined;
  }
  if (typeof value === 'string') return readInteger(value) ?? (type === 'number' ? readDecimal(value) : undefined);
  if (!isNumber(value) || type === 'number') return isNumber(value) ? value : undefined;
  // A larger one was written with an exponent or a fraction and is rounded.
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? value : undefined;
}

/** Exact at any size. */
function readInteger(text: string): number | bigint | undefined {
  if (!/^[-+]?[0-9]+$/.test(text)) return undefined;
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number === 0 ? 0 : number;
  return BigInt(text.startsWith('+') ? text.slice(1) : text);
}

function readDecimal(text: string): number | undefined {
  if (!/^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

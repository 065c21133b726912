import type { Json, JsonObject } from '../../../model/index.ts';
import { fail } from './checking.ts';
import type { Checking } from './checking.ts';
import { compilePattern } from '../../../schema/index.ts';
import { showValue } from './schema-types.ts';

type Numeric = number | bigint;

const limits: readonly (readonly [
  word: string,
  isOutside: (value: Numeric, limit: Numeric) => boolean,
  demand: string,
])[] = [
  ['minimum', (value, limit) => value < limit, 'is less than minimum'],
  ['maximum', (value, limit) => value > limit, 'is greater than maximum'],
  ['exclusiveMinimum', (value, limit) => value <= limit, 'is not greater than'],
  ['exclusiveMaximum', (value, limit) => value >= limit, 'is not less than'],
  ['multipleOf', (value, limit) => !isMultiple(value, limit), 'is not a multiple of'],
];

export function checkNumber(value: Numeric, schema: JsonObject, checking: Checking): void {
  for (const [word, isOutside, demand] of limits) {
    const limit = schema[word];
    if (!isNumeric(limit) || !isOutside(value, limit)) continue;
    fail(checking, 'parameter-range', { value: showValue(value), demand: `${demand} ${limit}` });
  }
}

function isNumeric(value: Json | undefined): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isMultiple(value: Numeric, factor: Numeric): boolean {
  if (isWhole(value) && isWhole(factor)) return BigInt(factor) === 0n || BigInt(value) % BigInt(factor) === 0n;
  const quotient = Number(value) / Number(factor);
  // 0.3 is a multiple of 0.1, whatever binary fractions say.
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

function isWhole(value: Numeric): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

export function checkText(value: string, schema: JsonObject, checking: Checking): void {
  const { pattern, minLength, maxLength } = schema;
  if (isNumeric(minLength) || isNumeric(maxLength)) {
    const { length } = Array.from(value);
    const args = { value, length, checking };
    if (isNumeric(minLength) && length < minLength) failLength(`shorter than ${count(minLength)}`, args);
    if (isNumeric(maxLength) && length > maxLength) failLength(`longer than ${count(maxLength)}`, args);
  }
  if (typeof pattern !== 'string' || matches(value, pattern, checking)) return;
  const example = typeof schema['default'] === 'string' ? showValue(schema['default']) : undefined;
  fail(checking, 'parameter-pattern', { value: showValue(value), pattern, example });
}

function failLength(
  demand: string,
  { value, checking }: { readonly value: string; readonly checking: Checking },
): void {
  fail(checking, 'parameter-length', { demand: `${showValue(value)} is ${demand}` });
}

function count(characters: Numeric): string {
  return `${characters} ${characters === 1 ? 'character' : 'characters'}`;
}

/** A pattern that cannot be read is passed over; that was told where it stands. */
export function matches(value: string, pattern: string, { patterns, run }: Checking): boolean {
  if (!patterns.has(pattern)) patterns.set(pattern, compilePattern(pattern, run));
  return patterns.get(pattern)?.(value, run) ?? true;
}

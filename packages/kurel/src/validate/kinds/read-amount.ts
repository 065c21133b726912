import { describeValue } from '../../diagnostics/index.ts';
import { parseQuantity } from '../../kube/index.ts';
import type { Quantity } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { fieldName, int32 } from '../../schema/index.ts';
import type { KindCheck } from './kind-check.ts';

interface RangeRule {
  /** Of the number. */
  readonly path: Path;
  readonly least: number;
  readonly most?: number;
  /** The field is an int64; others are int32. */
  readonly isLong?: boolean;
}

interface NumberRule extends RangeRule {
  /** Of the object that has the field. */
  readonly path: Path;
  readonly name: string;
}

/** Numbers whose limits Kubernetes checks in code and not in its schemas. */
export function checkNumber(check: KindCheck, holder: Json | undefined, rule: NumberRule): void {
  const value = isJsonObject(holder) ? holder[rule.name] : undefined;
  if (value !== undefined && isOutside(value, rule)) report(check, value, { ...rule, path: [...rule.path, rule.name] });
}

/** The same for an item of a list. */
export function checkRange(check: KindCheck, value: Json, rule: RangeRule): void {
  if (isOutside(value, rule)) report(check, value, rule);
}

/** Whether a number is beyond its limits. */
export function isOutside(
  value: Json,
  { least, most = Number.POSITIVE_INFINITY, isLong = false }: Omit<RangeRule, 'path'>,
): boolean {
  if ((typeof value !== 'number' && typeof value !== 'bigint') || (value >= least && value <= most)) return false;
  // The schema check reports fractions and numbers that an int32 cannot hold.
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  return isLong || int32.fits(value);
}

function report({ object, findings }: KindCheck, value: Json, { path, least, most }: RangeRule): void {
  const demand = most === undefined ? `must be at least ${least}` : `must be between ${least} and ${most}`;
  findings.add(object, { path }, ['field-range', { field: fieldName(path), demand, found: describeValue(value) }]);
}

export const portRange = { least: 1, most: 65_535 } as const;

const byte = 1_000_000_000n;
const kibibyte = 1024n * byte;

interface Bytes {
  readonly of: 'memory' | 'storage';
  readonly value: Json | undefined;
  readonly path: Path;
}

/** So few bytes are a mistake: the unit is missing, or `m` was used for megabytes although it means thousandths. */
export function checkTiny({ object, findings }: Pick<KindCheck, 'object' | 'findings'>, bytes: Bytes): void {
  const { of, value, path } = bytes;
  const amount = value === undefined ? undefined : readAmount(value);
  if (amount === undefined || amount.nanos <= 0n || amount.nanos >= kibibyte) return;
  const count = wholeOf(amount);
  const meaning = amount.nanos < byte ? 'less than one byte' : count === 1n ? '1 byte' : `${count} bytes`;
  findings.add(object, { path }, [
    of === 'memory' ? 'memory-tiny' : 'storage-tiny',
    { field: fieldName(path), amount: showAmount(value!), meaning, meant: propose(showAmount(value!), of) },
  ]);
}

// A larger number of memory units most likely means megabytes.
const mostGigabytes = 32;

function propose(amount: string, of: Bytes['of']): string | undefined {
  const [, number, suffix] = /^\+?(\d+(?:\.\d+)?)(m?)$/.exec(amount) ?? [];
  if (number === undefined) return undefined;
  const isMegabytes = suffix === 'm' || (of === 'memory' && Number(number) > mostGigabytes);
  const meant = `${number}${isMegabytes ? 'Mi' : 'Gi'}`;
  return readAmount(meant)!.nanos < kibibyte ? undefined : meant;
}

// All containers of a build have the same few amounts.
const known = new Map<string, Quantity | undefined>();
const mostKnown = 1000;
const nothing: Quantity = { nanos: 0n, format: 'decimal-si' };

/** A quantity as the API server reads it; `undefined` for an invalid one, which the schema check reports. */
export function readAmount(value: Json): Quantity | undefined {
  // The API server reads a null amount as 0, not as a missing field.
  if (value === null) return nothing;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const text = String(value);
  const seen = known.get(text);
  if (seen !== undefined) return seen;
  const quantity = parseQuantity(text);
  if (known.size < mostKnown) known.set(text, quantity);
  return quantity;
}

/** The amount as its author wrote it, without quotes. */
export function showAmount(value: Json): string {
  return typeof value === 'string' ? value : describeValue(value);
}

const whole = 1_000_000_000n;
const thousandth = 1_000_000n;

/** The amount as an integer, rounded up. */
export function wholeOf({ nanos }: Quantity): bigint {
  return (nanos + whole - 1n) / whole;
}

/** Whether the amount is an integer after rounding up to thousandths, as the API server does. */
export function isWholeAmount({ nanos }: Quantity): boolean {
  return ((nanos + thousandth - 1n) / thousandth) % 1000n === 0n;
}

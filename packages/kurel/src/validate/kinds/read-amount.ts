import { describeValue } from '../../diagnostics/index.ts';
import { parseQuantity } from '../../kube/index.ts';
import type { Quantity } from '../../kube/index.ts';
import type { Json } from '../../model/index.ts';

// The same few amounts stand in every container of a build.
const known = new Map<string, Quantity | undefined>();
const mostKnown = 1000;
const nothing: Quantity = { nanos: 0n, format: 'decimal-si' };

/** A quantity as the API server reads it; `undefined` for what has been reported as none. */
export function readAmount(value: Json): Quantity | undefined {
  // In a mapping of amounts, null is not a field that is left out.
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

/** The whole number that an amount counts for: it is rounded up. */
export function wholeOf({ nanos }: Quantity): bigint {
  return (nanos + whole - 1n) / whole;
}

/** Whether it is a whole number; what is finer than a thousandth is rounded up first, as the API server does. */
export function isWholeAmount({ nanos }: Quantity): boolean {
  return ((nanos + thousandth - 1n) / thousandth) % 1000n === 0n;
}

/** An amount as Kubernetes keeps it: exact to a billionth, with the family of suffixes that its text was written in. */
export interface Quantity {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
}

type QuantityFormat = 'decimal-si' | 'decimal-exponent' | 'binary-si';

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/;
// No sensible quantity is longer, or larger; without the limits a short text could ask for endless digits.
const longest = 256;
const largestExponent = 512;

const decimalSuffixes: readonly string[] = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const one = 1_000_000_000n;
const largestBinary = (2n ** 63n - 1n) * one;

/** Reads `500m`, `1.5Gi` or `1e3`; `undefined` for what Kubernetes refuses. */
export function parseQuantity(text: string): Quantity | undefined {
  const match = text.length > longest ? null : pattern.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent, suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const written = { digits: BigInt(whole + fraction), places: fraction.length };
  const quantity = exponent === undefined ? applySuffix(written, suffix) : applyExponent(written, Number(exponent));
  if (quantity === undefined || sign !== '-') return quantity;
  return { ...quantity, nanos: -quantity.nanos };
}

export function compareQuantities(a: Quantity, b: Quantity): number {
  if (a.nanos === b.nanos) return 0;
  return a.nanos < b.nanos ? -1 : 1;
}

/** The one text that Kubernetes gives back for an amount: the largest suffix of its family that leaves no fraction. */
export function formatQuantity({ nanos, format }: Quantity): string {
  if (nanos === 0n) return '0';
  const size = nanos < 0n ? -nanos : nanos;
  if (format === 'binary-si' && size >= 1024n * one && size % one === 0n) {
    const [amount, steps] = divideOut(nanos / one, { base: 1024n, limit: binarySuffixes.length - 1 });
    return `${amount}${binarySuffixes[steps]}`;
  }
  if (format === 'decimal-exponent') {
    const [amount, steps] = divideOut(nanos, { base: 1000n, limit: Number.POSITIVE_INFINITY });
    return steps === 3 ? `${amount}` : `${amount}e${3 * steps - 9}`;
  }
  const [amount, steps] = divideOut(nanos, { base: 1000n, limit: decimalSuffixes.length - 1 });
  return `${amount}${decimalSuffixes[steps]}`;
}

/** Digits, of which the last `places` stand after the point. */
interface Written {
  readonly digits: bigint;
  readonly places: number;
}

function applySuffix({ digits, places }: Written, suffix: string): Quantity {
  const power = suffix === '' ? 0 : binarySuffixes.indexOf(suffix);
  if (power <= 0) {
    const steps = decimalSuffixes.indexOf(suffix);
    return { nanos: divideUp(digits * 1000n ** BigInt(steps), 10n ** BigInt(places)), format: 'decimal-si' };
  }
  const exact = divideUp(digits * one * 1024n ** BigInt(power), 10n ** BigInt(places));
  // Kubernetes keeps binary amounts in 64 bits, and shows those below one with decimal suffixes.
  const nanos = exact > largestBinary ? largestBinary : exact;
  return { nanos, format: nanos > 0n && nanos < one ? 'decimal-si' : 'binary-si' };
}

function applyExponent({ digits, places }: Written, exponent: number): Quantity | undefined {
  if (exponent > largestExponent) return undefined;
  const power = Math.max(exponent, -largestExponent) + 9 - places;
  const nanos = power >= 0 ? digits * 10n ** BigInt(power) : divideUp(digits, 10n ** BigInt(-power));
  return { nanos, format: 'decimal-exponent' };
}

/** Whoever asks for some should get some: what is finer than a billionth is rounded away from zero. */
function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** Divides by the base as often as it goes evenly, at most `limit` times. */
function divideOut(
  amount: bigint,
  { base, limit }: { readonly base: bigint; readonly limit: number },
): readonly [amount: bigint, steps: number] {
  let rest = amount;
  let steps = 0;
  for (; steps < limit && rest % base === 0n; steps += 1) rest /= base;
  return [rest, steps];
}

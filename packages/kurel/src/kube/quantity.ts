import { quote } from '../diagnostics/index.ts';

/** An amount as Kubernetes stores it: exact to a billionth, with the family of suffixes that it was written in. */
export interface Quantity {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
}

type QuantityFormat = 'decimal-si' | 'decimal-exponent' | 'binary-si';

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/;
// No sensible quantity is longer or larger; without the limits a short string could require endless digits.
const longest = 256;
const largestExponent = 512;

const decimalSuffixes: readonly string[] = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const nanosOfOne = 1_000_000_000n;
const largestBinary = (2n ** 63n - 1n) * nanosOfOne;

/** Most containers of a build have the same few amounts. */
const quantities = new Map<string, Quantity | undefined>();
const mostQuantities = 1000;

/** Reads `500m`, `1.5Gi` or `1e3`; `undefined` for strings that Kubernetes rejects. */
export function parseQuantity(text: string): Quantity | undefined {
  const earlier = quantities.get(text);
  if (earlier !== undefined || text.length > longest) return earlier;
  if (quantities.size >= mostQuantities) quantities.clear();
  const quantity = readQuantity(text);
  quantities.set(text, quantity);
  return quantity;
}

function readQuantity(text: string): Quantity | undefined {
  const match = pattern.exec(text);
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

/** The canonical form that Kubernetes returns for an amount: the largest suffix of its family that leaves no fraction. */
export function formatQuantity({ nanos, format }: Quantity): string {
  if (nanos === 0n) return '0';
  const size = nanos < 0n ? -nanos : nanos;
  if (format === 'binary-si' && size >= 1024n * nanosOfOne && size % nanosOfOne === 0n) {
    const [amount, steps] = divideOut(nanos / nanosOfOne, { base: 1024n, limit: binarySuffixes.length - 1 });
    return `${amount}${binarySuffixes[steps]}`;
  }
  if (format === 'decimal-exponent') {
    const [amount, steps] = divideOut(nanos, { base: 1000n, limit: Number.POSITIVE_INFINITY });
    return steps === 3 ? `${amount}` : `${amount}e${3 * steps - 9}`;
  }
  const [amount, steps] = divideOut(nanos, { base: 1000n, limit: decimalSuffixes.length - 1 });
  return `${amount}${decimalSuffixes[steps]}`;
}

/** Digits, of which the last `places` are after the decimal point. */
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
  const exact = divideUp(digits * nanosOfOne * 1024n ** BigInt(power), 10n ** BigInt(places));
  // Kubernetes stores binary amounts in 64 bits, and shows those below one with decimal suffixes.
  const nanos = exact > largestBinary ? largestBinary : exact;
  return { nanos, format: nanos > 0n && nanos < nanosOfOne ? 'decimal-si' : 'binary-si' };
}

function applyExponent({ digits, places }: Written, exponent: number): Quantity | undefined {
  if (exponent > largestExponent) return undefined;
  const power = Math.max(exponent, -largestExponent) + 9 - places;
  const nanos = power >= 0 ? digits * 10n ** BigInt(power) : divideUp(digits, 10n ** BigInt(-power));
  return { nanos, format: 'decimal-exponent' };
}

/** Rounds anything finer than a billionth away from zero, so that a request never becomes zero. */
function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** Divides by the base as long as there is no remainder, at most `limit` times. */
function divideOut(
  amount: bigint,
  { base, limit }: { readonly base: bigint; readonly limit: number },
): readonly [amount: bigint, steps: number] {
  let rest = amount;
  let steps = 0;
  for (; steps < limit && rest % base === 0n; steps += 1) rest /= base;
  return [rest, steps];
}

interface CronField {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly words?: readonly string[];
}

const fields: readonly CronField[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of month', least: 1, most: 31 },
  {
    name: 'month',
    least: 1,
    most: 12,
    words: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'day of week', least: 0, most: 6, words: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];
const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/** Why the API server would reject a schedule; `undefined` if it is valid. */
export function explainSchedule(text: string): string | undefined {
  if (/^(?:CRON_)?TZ=/.test(text) || text.includes('TZ=')) return 'set the time zone in "timeZone"';
  if (text.startsWith('@')) return explainDescriptor(text);
  const parts = text.trim() === '' ? [] : text.trim().split(/\s+/);
  if (parts.length !== fields.length) return `it must have 5 fields, not ${parts.length}`;
  return parts.map((part, index) => explainField(part, fields[index]!)).find((reason) => reason !== undefined);
}

function explainDescriptor(text: string): string | undefined {
  if (descriptors.includes(text)) return undefined;
  const every = /^@every (.*)$/.exec(text)?.[1];
  if (every === undefined) return `${quote(text)} must be one of ${descriptors.join(', ')} or "@every 1h"`;
  return parseDuration(every) === undefined ? `${quote(every)} is not a valid duration` : undefined;
}

function explainField(text: string, field: CronField): string | undefined {
  const reasons = text.split(',').map((item) => explainItem(item, field));
  const reason = reasons.find((each) => each !== undefined);
  return reason === undefined ? undefined : `${field.name} ${quote(text)} ${reason}`;
}

function explainItem(item: string, field: CronField): string | undefined {
  const [range = '', step, ...more] = item.split('/');
  if (more.length > 0) return 'has more than one "/"';
  const [first = '', last, ...rest] = range.split('-');
  if (rest.length > 0) return 'has more than one "-"';
  if (step !== undefined && (!/^\d+$/.test(step) || Number(step) === 0))
    return `has the step ${quote(step)}, which must be at least 1`;
  if (first === '*' || first === '?') return last === undefined ? undefined : 'has a range that starts with a wildcard';
  const start = readValue(first, field);
  const end = last === undefined ? start : readValue(last, field);
  if (start === undefined || end === undefined) return 'is not a number, a range or "*"';
  if (start < field.least || end > field.most) return `must be between ${field.least} and ${field.most}`;
  return start > end ? 'has a range that ends before it starts' : undefined;
}

function readValue(text: string, { least, words = [] }: CronField): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const index = words.indexOf(text.toLowerCase());
  return index === -1 ? undefined : index + least;
}

// A duration may have many parts; no sensible one is longer than this, and a longer one would only cost time.
const longestDuration = 1000;
const part = /(\d*)(?:\.(\d*))?(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/y;
const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  // Both characters in use for micro.
  '\u00b5s': 1000n,
  '\u03bcs': 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const maximum = 2n ** 63n - 1n;

/** Nanoseconds of a Go duration (`1h30m`, `1.5s`, `-100ms`); `undefined` for anything else. */
export function parseDuration(text: string): bigint | undefined {
  const negative = text.startsWith('-');
  const unsigned = negative || text.startsWith('+') ? text.slice(1) : text;
  if (unsigned === '0') return 0n;
  if (unsigned === '' || unsigned.length > longestDuration) return undefined;
  let total = 0n;
  for (part.lastIndex = 0; part.lastIndex < unsigned.length;) {
    const match = part.exec(unsigned);
    if (match === null) return undefined;
    const [, whole = '', fraction = '', unit = ''] = match;
    if (whole === '' && fraction === '') return undefined;
    const scale = 10n ** BigInt(fraction.length);
    // Like Go, truncates each part to nanoseconds.
    total += (BigInt(whole + fraction) * units[unit]!) / scale;
  }
  if (total > (negative ? maximum + 1n : maximum)) return undefined;
  return negative ? -total : total;
}

/** The shortest exact form, like Go's `String`: `1h30m0s`, `1.5s`, `250ms`. */
export function formatDuration(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? '-' : '';
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size === 0n) return '0s';
  if (size < 1000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${formatDecimal(size, 3)}\u00b5s`;
  if (size < 1_000_000_000n) return `${sign}${formatDecimal(size, 6)}ms`;
  const minutes = size / units['m']!;
  const seconds = `${formatDecimal(size % units['m']!, 9)}s`;
  if (minutes === 0n) return `${sign}${seconds}`;
  const hours = minutes / 60n;
  return hours === 0n ? `${sign}${minutes}m${seconds}` : `${sign}${hours}h${minutes % 60n}m${seconds}`;
}

function formatDecimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, -places) : `${digits.slice(0, -places)}.${fraction}`;
}

// A text may hold many parts; no sensible duration is longer than this, and a longer one would only cost time.
const longest = 1000;
const part = /(\d*)(?:\.(\d*))?(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/y;
const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  // Both signs that people take for micro.
  '\u00b5s': 1000n,
  '\u03bcs': 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const maximum = 2n ** 63n - 1n;

/** Nanoseconds of a duration as Go writes it (`1h30m`, `1.5s`, `-100ms`); `undefined` for anything else. */
export function parseDuration(text: string): bigint | undefined {
  const negative = text.startsWith('-');
  const unsigned = negative || text.startsWith('+') ? text.slice(1) : text;
  if (unsigned === '0') return 0n;
  if (unsigned === '' || unsigned.length > longest) return undefined;
  let total = 0n;
  for (part.lastIndex = 0; part.lastIndex < unsigned.length;) {
    const match = part.exec(unsigned);
    if (match === null) return undefined;
    const [, whole = '', fraction = '', unit = ''] = match;
    if (whole === '' && fraction === '') return undefined;
    const scale = 10n ** BigInt(fraction.length);
    // What is finer than a nanosecond is cut off, part by part, as Go does.
    total += (BigInt(whole + fraction) * units[unit]!) / scale;
  }
  if (total > (negative ? maximum + 1n : maximum)) return undefined;
  return negative ? -total : total;
}

/** The shortest exact text, as Go's `String` gives it: `1h30m0s`, `1.5s`, `250ms`. */
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

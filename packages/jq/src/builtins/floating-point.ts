const view = new DataView(new ArrayBuffer(8));

/** The power of two that brings a finite number other than 0 into [0.5, 1). */
export function exponentOf(x: number): number {
  view.setFloat64(0, x);
  const biased = (view.getUint16(0) >> 4) & 0x7ff;
  // a subnormal number has no leading 1; make it normal first
  return biased === 0 ? exponentOf(x * 2 ** 64) - 64 : biased - 1022;
}

/** The number divided by that power of two. */
export function fractionOf(x: number): number {
  return scale(x, -exponentOf(x));
}

/** x · 2^exponent, in steps that stay in range. */
export function scale(x: number, exponent: number): number {
  let result = x;
  let left = Math.max(-4400, Math.min(4400, Math.trunc(exponent)));
  for (; left > 1000; left -= 1000) result *= 2 ** 1000;
  for (; left < -1000; left += 1000) result *= 2 ** -1000;
  return result * 2 ** left;
}

export function roundToEven(x: number): number {
  const down = Math.floor(x);
  const rest = x - down;
  if (rest < 0.5) return down;
  if (rest > 0.5) return down + 1;
  return down % 2 === 0 ? down : down + 1;
}

/** The next double after `x` in the direction of `y`. */
export function nextAfter(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x === y) return y;
  if (x === 0) return y > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE;
  view.setFloat64(0, x);
  const bits = view.getBigInt64(0);
  view.setBigInt64(0, y > x === x > 0 ? bits + 1n : bits - 1n);
  return view.getFloat64(0);
}

const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** The logarithm of the absolute value of the gamma function (Lanczos approximation). */
export function logGamma(x: number): number {
  if (Number.isNaN(x)) return x;
  if (!Number.isFinite(x)) return Infinity;
  if (x <= 0 && Number.isInteger(x)) return Infinity;
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - logGamma(1 - x);
  if (x === 1 || x === 2) return 0;
  const shifted = x - 1;
  const base = shifted + 7.5;
  const series = lanczos.reduce((sum, factor, index) => (index === 0 ? factor : sum + factor / (shifted + index)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(series);
}

export function trueGamma(x: number): number {
  if (Number.isInteger(x) && x > 0 && x < 24) {
    let product = 1;
    for (let factor = 2; factor < x; factor++) product *= factor;
    return product;
  }
  if (x === 0) return Object.is(x, -0) ? -Infinity : Infinity;
  if (x === -Infinity || (x < 0 && Number.isInteger(x))) return Number.NaN;
  const size = Math.exp(logGamma(x));
  return x < 0 && Math.floor(x) % 2 !== 0 ? -size : size;
}

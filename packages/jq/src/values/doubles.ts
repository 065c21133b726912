const view = new DataView(new ArrayBuffer(8));

/** The power of two that brings a finite number other than 0 into [0.5, 1). */
export function exponentOf(x: number): number {
  view.setFloat64(0, x);
  const biased = (view.getUint16(0) >> 4) & 0x7ff;
  // a subnormal number has no leading 1; make it normal first
  return biased === 0 ? exponentOf(x * 2 ** 64) - 64 : biased - 1022;
}

/** x · 2^exponent, in steps that stay in range. */
export function scale(x: number, exponent: number): number {
  let result = x;
  let left = Math.max(-4400, Math.min(4400, Math.trunc(exponent)));
  for (; left > 1000; left -= 1000) result *= 2 ** 1000;
  for (; left < -1000; left += 1000) result *= 2 ** -1000;
  return result * 2 ** left;
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

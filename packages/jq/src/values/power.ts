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

/** A number as the unevaluated sum of two doubles, which has about 106 bits. */
type Pair = readonly [high: number, low: number];

const ln2: Pair = [Math.LN2, 2.3190468138462996e-17];

function add([a, b]: Pair, [c, d]: Pair): Pair {
  const sum = a + c;
  const part = sum - a;
  return join(sum, a - (sum - part) + (c - part) + b + d);
}

function join(high: number, low: number): Pair {
  const sum = high + low;
  return [sum, low - (sum - high)];
}

function multiply([a, b]: Pair, [c, d]: Pair): Pair {
  const product = a * c;
  const [aHigh, aLow] = halves(a);
  const [cHigh, cLow] = halves(c);
  const rest = aHigh * cHigh - product + aHigh * cLow + aLow * cHigh + aLow * cLow;
  return join(product, rest + a * d + b * c);
}

/** Two numbers of 26 bits, whose products are exact. */
function halves(x: number): Pair {
  const shifted = x * 134217729;
  const high = shifted - (shifted - x);
  return [high, x - high];
}

/** e^x - 1 for a small x: the series for x / 512, squared nine times. */
function expMinusOne(x: Pair): Pair {
  const small: Pair = [x[0] / 512, x[1] / 512];
  let term = small;
  let sum = small;
  for (let n = 2; n < 10; n++) {
    const next = multiply(term, small);
    term = [next[0] / n, (next[1] + remainder(next[0], n)) / n];
    sum = add(sum, term);
  }
  for (let step = 0; step < 9; step++) sum = add(add(sum, sum), multiply(sum, sum));
  return sum;
}

/** The remainder of a division by a small integer. */
function remainder(x: number, n: number): number {
  const [high, low] = multiply([x / n, 0], [n, 0]);
  return x - high - low;
}

/** The logarithm of a positive number: the engine's own, with one step of Newton's method. */
function logarithm(x: number): Pair {
  let exponent = exponentOf(x);
  let fraction = scale(x, -exponent);
  if (fraction < Math.SQRT1_2) {
    fraction *= 2;
    exponent -= 1;
  }
  const guess = Math.log(fraction);
  const correction = add([fraction - 1, 0], multiply([fraction, 0], expMinusOne([-guess, 0])));
  return add(multiply([exponent, 0], ln2), add([guess, 0], correction));
}

/**
 * x to the power of y, correctly rounded except for ties that are too close. JavaScript leaves `**` to the engine, and versions of V8
 * differ in the last digit, but the same program must give the same bytes everywhere.
 */
export function power(x: number, y: number): number {
  // in C, 1 stays 1 for every exponent, and so does -1 for infinite ones
  if (x === 1 || (x === -1 && Math.abs(y) === Infinity)) return 1;
  if (x === 0 || y === 0 || !Number.isFinite(x) || !Number.isFinite(y)) return x ** y;
  if (x < 0 && !Number.isInteger(y)) return Number.NaN;
  const log = logarithm(Math.abs(x));
  // far outside the range of doubles only the sign matters, and engines agree on it
  if (Math.abs(log[0] * y) > 800) return x ** y;
  const exponent = multiply(log, [y, 0]);
  const twos = Math.round(exponent[0] / ln2[0]);
  const [high, low] = add([1, 0], expMinusOne(add(exponent, multiply([-twos, 0], ln2))));
  const size = scale(high + low, twos);
  return x < 0 && Math.abs(y % 2) === 1 ? -size : size;
}

import { isNumber, type JqValue } from '../jq-value.ts';
import { raise } from '../run-state.ts';
import { exponentOf, nextAfter, power, scale } from '../values/power.ts';
import { toDouble } from '../values/scalars.ts';
import { describe } from '../values/json.ts';
import { type Native, type NativeTable, value } from './native.ts';

function number(input: JqValue): number {
  return isNumber(input) ? toDouble(input) : raise(`${describe(input)} number required`);
}

function unary(apply: (x: number) => number): Native {
  return value((input) => apply(number(input)));
}

function binary(apply: (x: number, y: number) => number): Native {
  return value((_input, x, y) => apply(number(x), number(y)));
}

/** The number divided by that power of two. */
function fractionOf(x: number): number {
  return scale(x, -exponentOf(x));
}

function roundToEven(x: number): number {
  const down = Math.floor(x);
  const rest = x - down;
  const isDown = rest < 0.5 || (rest === 0.5 && down % 2 === 0);
  return Number.isFinite(x) ? copySign(isDown ? down : down + 1, x) : x;
}

const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** The logarithm of the absolute value of the gamma function (Lanczos approximation). */
function logGamma(x: number): number {
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

function trueGamma(x: number): number {
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

function significand(x: number): number {
  return x === 0 || !Number.isFinite(x) ? x : fractionOf(x) * 2;
}

function logb(x: number): number {
  if (x === 0) return -Infinity;
  return Number.isFinite(x) ? exponentOf(x) - 1 : Math.abs(x);
}

function gammaSign(x: number): number {
  return x < 0 && !Number.isInteger(x) && Math.floor(x) % 2 !== 0 ? -1 : 1;
}

/** The remainder with the quotient rounded to the nearest integer, ties to even. */
function ieeeRemainder(x: number, y: number): number {
  if (y === 0 || !Number.isFinite(x) || Number.isNaN(y)) return Number.NaN;
  if (!Number.isFinite(y)) return x;
  // `%` is exact, so the remainder of a turn of |y| is exact too
  const turn = Math.abs(y);
  const rest = Math.abs(x % y);
  const quotientIsOdd = Math.abs(x % (2 * turn)) >= turn;
  const rounded = rest > turn - rest || (rest === turn - rest && quotientIsOdd) ? rest - turn : rest;
  return x < 0 || Object.is(x, -0) ? -rounded : rounded;
}

/** As in C, a number wins over NaN. */
function choosing(choose: (x: number, y: number) => number): Native {
  return binary((x, y) => {
    if (Number.isNaN(x)) return y;
    return Number.isNaN(y) ? x : choose(x, y);
  });
}

function copySign(x: number, y: number): number {
  const negative = y < 0 || Object.is(y, -0);
  return negative ? -Math.abs(x) : Math.abs(x);
}

function round(x: number): number {
  return x < 0 ? -Math.round(-x) : Math.round(x);
}

export const mathNatives: NativeTable = {
  'floor/0': unary(Math.floor),
  'ceil/0': unary(Math.ceil),
  'round/0': unary(round),
  'trunc/0': unary(Math.trunc),
  'rint/0': unary(roundToEven),
  'nearbyint/0': unary(roundToEven),
  'fabs/0': unary(Math.abs),
  'sqrt/0': unary(Math.sqrt),
  'cbrt/0': unary(Math.cbrt),
  'exp/0': unary(Math.exp),
  'exp2/0': unary((x) => power(2, x)),
  'exp10/0': unary((x) => power(10, x)),
  'expm1/0': unary(Math.expm1),
  'log/0': unary(Math.log),
  'log2/0': unary(Math.log2),
  'log10/0': unary(Math.log10),
  'log1p/0': unary(Math.log1p),
  'sin/0': unary(Math.sin),
  'cos/0': unary(Math.cos),
  'tan/0': unary(Math.tan),
  'asin/0': unary(Math.asin),
  'acos/0': unary(Math.acos),
  'atan/0': unary(Math.atan),
  'sinh/0': unary(Math.sinh),
  'cosh/0': unary(Math.cosh),
  'tanh/0': unary(Math.tanh),
  'asinh/0': unary(Math.asinh),
  'acosh/0': unary(Math.acosh),
  'atanh/0': unary(Math.atanh),
  'significand/0': unary(significand),
  'logb/0': unary(logb),
  'gamma/0': unary(logGamma),
  'lgamma/0': unary(logGamma),
  'tgamma/0': unary(trueGamma),
  'lgamma_r/0': value((input) => [logGamma(number(input)), gammaSign(number(input))]),
  'frexp/0': value((input) => {
    const x = number(input);
    return x === 0 || !Number.isFinite(x) ? [x, 0] : [fractionOf(x), exponentOf(x)];
  }),
  'modf/0': value((input) => {
    const x = number(input);
    if (!Number.isFinite(x)) return [Number.isNaN(x) ? x : copySign(0, x), x];
    return [copySign(x - Math.trunc(x), x), Math.trunc(x)];
  }),
  'pow/2': binary(power),
  'atan2/2': binary(Math.atan2),
  'fmod/2': binary((x, y) => x % y),
  'fmin/2': choosing(Math.min),
  'fmax/2': choosing(Math.max),
  'fdim/2': binary((x, y) => (Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : Math.max(x - y, 0))),
  'hypot/2': binary(Math.hypot),
  'copysign/2': binary(copySign),
  'drem/2': binary(ieeeRemainder),
  'remainder/2': binary(ieeeRemainder),
  // in C, an exponent outside the range of an int becomes the smallest int
  'ldexp/2': binary((x, exponent) => scale(x, Math.abs(exponent) < 2 ** 31 ? exponent : -(2 ** 31))),
  'scalb/2': binary(scale),
  'scalbln/2': binary(scale),
  'nextafter/2': binary(nextAfter),
  'nexttoward/2': binary(nextAfter),
  'fma/3': value((_input, x, y, z) => number(x) * number(y) + number(z)),
};

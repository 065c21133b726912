/** The integer that decimal digits stand for, exact at any size; `undefined` beyond the range of a double, where a cluster reads a string. */
export function exactInteger(digits: string): number | bigint | undefined {
  const number = Number(digits);
  if (Number.isSafeInteger(number)) return number === 0 ? 0 : number;
  return Number.isFinite(number) ? BigInt(digits.startsWith('+') ? digits.slice(1) : digits) : undefined;
}

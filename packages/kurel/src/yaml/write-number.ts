/**
 * A number as every YAML reader takes it for the same number. YAML 1.1 wants a point and a signed exponent in a float,
 * and integers that a double does not hold exactly must not look like exact ones.
 */
export function writeNumber(value: number | bigint): string {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return Object.is(value, -0) ? '-0.0' : String(value);
  const text = Number.isInteger(value) ? value.toExponential() : String(value);
  const exponent = text.indexOf('e');
  return exponent === -1 || text.includes('.') ? text : `${text.slice(0, exponent)}.0${text.slice(exponent)}`;
}

import type { Environment } from '@marcbachmann/cel-js';
import { compareQuantities, parseQuantity } from '../../kube/index.ts';
import type { Quantity } from '../../kube/index.ts';

/** The result of `quantity('…')` in a rule. */
class CelQuantity {
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    this.quantity = quantity;
  }
}

const one = 1_000_000_000n;

export function registerQuantities(environment: Environment): void {
  environment
    .registerType('kubernetes.Quantity', CelQuantity)
    .registerFunction('isQuantity(string): bool', (text: string) => parseQuantity(text) !== undefined)
    .registerFunction('quantity(string): kubernetes.Quantity', read)
    .registerFunction('kubernetes.Quantity.sign(): int', ({ quantity: { nanos } }: CelQuantity) =>
      nanos === 0n ? 0n : nanos < 0n ? -1n : 1n,
    )
    .registerFunction(
      'kubernetes.Quantity.isInteger(): bool',
      ({ quantity: { nanos } }: CelQuantity) => nanos % one === 0n,
    )
    .registerFunction('kubernetes.Quantity.asInteger(): int', ({ quantity: { nanos } }: CelQuantity) => {
      if (nanos % one !== 0n) throw new Error('the quantity is not an integer');
      return nanos / one;
    })
    .registerFunction(
      'kubernetes.Quantity.asApproximateFloat(): double',
      ({ quantity: { nanos } }: CelQuantity) => Number(nanos) / 1e9,
    )
    .registerFunction(
      'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool',
      (a: CelQuantity, b: CelQuantity) => compare(a, b) > 0,
    )
    .registerFunction(
      'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool',
      (a: CelQuantity, b: CelQuantity) => compare(a, b) < 0,
    )
    .registerFunction('kubernetes.Quantity.compareTo(kubernetes.Quantity): int', (a: CelQuantity, b: CelQuantity) =>
      BigInt(compare(a, b)),
    )
    .registerFunction(
      'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity',
      (a: CelQuantity, b: CelQuantity) => shift(a, b.quantity.nanos),
    )
    .registerFunction(
      'kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity',
      (a: CelQuantity, b: CelQuantity) => shift(a, -b.quantity.nanos),
    )
    .registerFunction('kubernetes.Quantity.add(int): kubernetes.Quantity', (a: CelQuantity, b: bigint) =>
      shift(a, b * one),
    )
    .registerFunction('kubernetes.Quantity.sub(int): kubernetes.Quantity', (a: CelQuantity, b: bigint) =>
      shift(a, -b * one),
    );
}

function read(text: string): CelQuantity {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new Error(`${text} is not a quantity`);
  return new CelQuantity(quantity);
}

function compare(a: CelQuantity, b: CelQuantity): number {
  return compareQuantities(a.quantity, b.quantity);
}

function shift({ quantity: { nanos, format } }: CelQuantity, by: bigint): CelQuantity {
  return new CelQuantity({ nanos: nanos + by, format });
}

import type { Environment } from '@marcbachmann/cel-js';

/** Kubernetes' functions on lists, and `sets`. */
export function registerLists(environment: Environment): void {
  environment
    .registerFunction('list.isSorted(): bool', (list: readonly unknown[]) =>
      list.every((item, index) => index === 0 || compare(list[index - 1], item) <= 0),
    )
    .registerFunction('list.sum(): dyn', sum)
    .registerFunction('list.min(): dyn', (list: readonly unknown[]) => pick(list, -1))
    .registerFunction('list.max(): dyn', (list: readonly unknown[]) => pick(list, 1))
    .registerFunction('list.indexOf(dyn): int', (list: readonly unknown[], wanted: unknown) =>
      BigInt(list.findIndex(isSameAs(wanted))),
    )
    .registerFunction('list.lastIndexOf(dyn): int', (list: readonly unknown[], wanted: unknown) =>
      BigInt(list.findLastIndex(isSameAs(wanted))),
    )
    .registerType('SetsNamespace', SetsNamespace)
    .registerConstant('sets', 'SetsNamespace', new SetsNamespace())
    .registerFunction('SetsNamespace.contains(list, list): bool', (_: unknown, list: List, sublist: List) =>
      containsAll(list, sublist),
    )
    .registerFunction(
      'SetsNamespace.equivalent(list, list): bool',
      (_: unknown, a: List, b: List) => containsAll(a, b) && containsAll(b, a),
    )
    .registerFunction('SetsNamespace.intersects(list, list): bool', (_: unknown, a: List, b: List) => {
      const keys = new Set(a.map(keyOf));
      return b.some((item) => keys.has(keyOf(item)));
    });
}

type List = readonly unknown[];

/** The value of `sets` in `sets.contains(a, b)`. */
class SetsNamespace {
  readonly name = 'sets';
}

function containsAll(list: List, sublist: List): boolean {
  const keys = new Set(list.map(keyOf));
  return sublist.every((wanted) => keys.has(keyOf(wanted)));
}

function isSameAs(wanted: unknown): (item: unknown) => boolean {
  const key = keyOf(wanted);
  return (item) => item === wanted || keyOf(item) === key;
}

/** Equal for values that are equal in CEL, including an `int` and a `double` of the same value. */
function keyOf(value: unknown): string {
  // A fast path: most lists contain only integers or strings.
  if (typeof value === 'bigint') return String(Number(value));
  if (typeof value === 'string') return JSON.stringify(value);
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return Number(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    const entries = part instanceof Map ? [...(part as Map<string, unknown>)] : Object.entries(part);
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function compare(a: unknown, b: unknown): number {
  const [x, y] = [a as number, b as number];
  if (x < y) return -1;
  return x > y ? 1 : 0;
}

function pick(list: List, sign: 1 | -1): unknown {
  if (list.length === 0) throw new Error('min or max of an empty list');
  return list.reduce((best, item) => (compare(item, best) === sign ? item : best));
}

function sum(list: List): bigint | number {
  if (list.every((item) => typeof item === 'bigint')) return list.reduce((total: bigint, item) => total + item, 0n);
  if (!list.every((item) => typeof item === 'number'))
    throw new Error('sum of a list that contains other values than numbers');
  return list.reduce((total: number, item) => total + item, 0);
}

import { pathTo } from '../../kube/index.ts';
import { isJsonArray, isJsonObject, isNumber } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';

export interface Difference {
  readonly path: Path;
  /** `undefined` if the value does not exist there. */
  readonly actual: Json | undefined;
  readonly wanted: Json | undefined;
}

interface Pair {
  readonly actual: Json | undefined;
  readonly wanted: Json | undefined;
  readonly above?: Pair;
  readonly step?: string | number;
}

/**
 * The first difference between two values, `undefined` if they are equal: key order does not matter, numbers compare by value.
 * Uses its own stack, because data that does not come from a reader may be nested deeper than the call stack allows.
 */
export function findDifference(actual: Json, wanted: Json): Difference | undefined {
  const open: Pair[] = [{ actual, wanted }];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    if (pair.actual === pair.wanted) continue;
    const inner = pairsWithin(pair);
    if (inner === undefined) return { path: pathTo(pair), actual: pair.actual, wanted: pair.wanted };
    for (let index = inner.length - 1; index >= 0; index -= 1) open.push(inner[index]!);
  }
  return undefined;
}

/** Pairs that remain to be compared; `undefined` if the two already differ. */
function pairsWithin(pair: Pair): readonly Pair[] | undefined {
  const { actual, wanted } = pair;
  if (isJsonArray(actual) && isJsonArray(wanted)) {
    if (actual.length !== wanted.length) return undefined;
    return actual.map((item, step) => ({ actual: item, wanted: wanted[step], above: pair, step }));
  }
  if (isJsonObject(actual) && isJsonObject(wanted)) {
    const extra = Object.keys(actual).filter((key) => !Object.hasOwn(wanted, key));
    return [...Object.keys(wanted), ...extra].map((step) => ({
      actual: Object.hasOwn(actual, step) ? actual[step] : undefined,
      wanted: Object.hasOwn(wanted, step) ? wanted[step] : undefined,
      above: pair,
      step,
    }));
  }
  return isSameNumber(actual, wanted) ? [] : undefined;
}

function isSameNumber(a: Json | undefined, b: Json | undefined): boolean {
  // oxlint-disable-next-line eqeqeq -- the only comparison of a bigint with a number that is exact
  return isNumber(a) && isNumber(b) && a == b;
}

import { findRising } from '../yaml/index.ts';

/** Matching positions in the two lists. */
export type Pair = readonly [before: number, after: number];

/** Above this product of lengths the exact search is too slow, and only elements that are unique in both lists are matched. */
const mostCells = 1_000_000;

/**
 * Finds a common subsequence of two lists. Swapping the lists returns the same pairs, swapped, even if several subsequences
 * are possible.
 */
export function findCommon(before: readonly string[], after: readonly string[]): readonly Pair[] {
  const isSwapped = comparesHigher(before, after);
  const [a, b] = isSwapped ? [after, before] : [before, after];
  const pairs: Pair[] = [];
  search({ aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length });
  return isSwapped ? pairs.map(([i, j]) => [j, i]) : pairs;

  function search(gap: Gap): void {
    let { aFrom, aTo, bFrom, bTo } = gap;
    while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) pairs.push([aFrom++, bFrom++]);
    const tail: Pair[] = [];
    while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) tail.push([--aTo, --bTo]);
    const rest = { aFrom, aTo, bFrom, bTo };
    if ((aTo - aFrom) * (bTo - bFrom) <= mostCells) searchAll(rest);
    else searchUnique(rest);
    for (const pair of tail.reverse()) pairs.push(pair);
  }

  /** Dynamic programming over the longest common subsequences of all suffixes. */
  function searchAll({ aFrom, aTo, bFrom, bTo }: Gap): void {
    const width = bTo - bFrom + 1;
    const lengths = new Uint32Array((aTo - aFrom + 1) * width);
    const at = (i: number, j: number): number => (i - aFrom) * width + (j - bFrom);
    for (let i = aTo - 1; i >= aFrom; i -= 1) {
      for (let j = bTo - 1; j >= bFrom; j -= 1) {
        lengths[at(i, j)] =
          a[i] === b[j] ? lengths[at(i + 1, j + 1)]! + 1 : Math.max(lengths[at(i + 1, j)]!, lengths[at(i, j + 1)]!);
      }
    }
    for (let [i, j] = [aFrom, bFrom]; i < aTo && j < bTo;) {
      if (a[i] === b[j]) pairs.push([i++, j++]);
      else if (lengths[at(i + 1, j)]! >= lengths[at(i, j + 1)]!) i += 1;
      else j += 1;
    }
  }

  /** Matches elements that are unique in both parts, then repeats between the matches as long as there are any. */
  function searchUnique({ aFrom, aTo, bFrom, bTo }: Gap): void {
    const inB = positionsOfUnique(b, bFrom, bTo);
    const shared: Pair[] = [];
    for (const [text, position] of positionsOfUnique(a, aFrom, aTo)) {
      const other = inB.get(text);
      if (other !== undefined) shared.push([position, other]);
    }
    const rising = findRising(shared.map(([, position]) => position));
    if (rising.length === 0) return;
    let [aNext, bNext] = [aFrom, bFrom];
    for (const index of rising) {
      const [i, j] = shared[index]!;
      search({ aFrom: aNext, aTo: i, bFrom: bNext, bTo: j });
      pairs.push([i, j]);
      [aNext, bNext] = [i + 1, j + 1];
    }
    search({ aFrom: aNext, aTo, bFrom: bNext, bTo });
  }
}

function comparesHigher(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return a.length > b.length;
  const index = a.findIndex((text, at) => text !== b[at]);
  return index !== -1 && a[index]! > b[index]!;
}

/** Unmatched parts of both lists between matches. */
interface Gap {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

function positionsOfUnique(list: readonly string[], from: number, to: number): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (let index = from; index < to; index += 1) {
    positions.set(list[index]!, positions.has(list[index]!) ? -1 : index);
  }
  for (const [text, position] of positions) if (position === -1) positions.delete(text);
  return positions;
}

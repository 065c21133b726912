/** Nobody mistypes a word this long; the limit keeps hostile input from costing time. */
const longestName = 64;

/**
 * The name that was most likely meant: the one with the fewest slips (characters missing, added, changed or swapped),
 * else one that starts with the word or ends with it as a part. The first of equals wins.
 */
export function nearestName(word: string, names: Iterable<string>): string | undefined {
  if (word.length > longestName) return undefined;
  const wanted = word.toLowerCase();
  const most = Math.floor(Math.max(wanted.length, 3) / 3);
  let best: { readonly name: string; readonly slips: number } | undefined;
  for (const name of names) {
    const slips = rateName(wanted, name.toLowerCase(), most);
    if (slips !== undefined && (best === undefined || slips < best.slips)) best = { name, slips };
  }
  return best?.name;
}

function rateName(wanted: string, name: string, most: number): number | undefined {
  const slips = countSlips(wanted, name);
  if (slips <= most && slips < Math.max(wanted.length, name.length)) return slips;
  const isPart = wanted.length >= 3 && (name.startsWith(wanted) || name.endsWith(`_${wanted}`));
  return isPart ? most + name.length : undefined;
}

function countSlips(from: string, to: string): number {
  let beforePrevious: readonly number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_cell, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const changed = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          previous[column]! + 1,
          current[column - 1]! + 1,
          previous[column - 1]! + changed,
          swapped ? beforePrevious[column - 2]! + 1 : Infinity,
        ),
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length]!;
}

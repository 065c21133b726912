import { listFirst } from './list-words.ts';
import { quote } from './quote.ts';

// Typos occur in shorter words; the limit keeps hostile input from costing time.
const longestWord = 128;
// With more candidates than this, only a difference in case is considered, to save time.
const mostCandidates = 2000;
// Hundreds of findings with thousands of candidates each. What hostile input makes beyond that gets no suggestions.
const mostSteps = 30_000_000;
let stepsLeft = mostSteps;

/** Lets the next run make as many suggestions as the first. */
export function allowSuggestions(): void {
  stepsLeft = mostSteps;
}

// A long word with more typos is a different word.
const mostSlips = 8;
const shortestPrefix = 3;

/**
 * The candidate that the user most likely meant: one that differs only in case, else the one with the fewest typos
 * (characters missing, added, changed or swapped), else one that starts with the word. The first of equals wins. A candidate may be
 * `maxDistance` edits away; this defaults to a third of the word's length. `undefined` when the run has compared too much already.
 */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  { maxDistance }: { readonly maxDistance?: number } = {},
): string | undefined {
  if (word.length > longestWord || stepsLeft <= 0) return undefined;
  const wanted = word.toLowerCase();
  const limit = maxDistance ?? Math.min(mostSlips, Math.floor(Math.max(wanted.length, 3) / 3));
  let best: { readonly candidate: string; readonly score: number } | undefined;
  let seen = 0;
  for (const candidate of candidates) {
    stepsLeft -= 1;
    if (candidate.length > longestWord) continue;
    const lower = candidate.toLowerCase();
    if (lower === wanted) return candidate;
    seen += 1;
    if (seen > mostCandidates) continue;
    const score = rate({ wanted, candidate: lower, limit });
    if (score !== undefined && (best === undefined || score < best.score)) best = { candidate, score };
  }
  return best?.candidate;
}

/** The question in a hint, unless nothing is near. */
export function didYouMean(near: string | undefined, spell: (near: string) => string = quote): string | undefined {
  return near === undefined ? undefined : `did you mean ${spell(near)}?`;
}

/** A hint for an unknown name: the name it resembles, or all known ones. */
export function suggestName(name: string, names: readonly string[]): string {
  return didYouMean(nearest(name, names)) ?? listNames(names);
}

/** A hint with the known names, of which there is at least one, or the first of them. */
export function listNames(names: readonly string[], most = names.length): string {
  return names.length === 1 ? `use ${names[0]!}` : `use one of ${listFirst(names, most)}`;
}

interface Pair {
  readonly wanted: string;
  readonly candidate: string;
  readonly limit: number;
}

/** Lower is nearer; a common prefix counts for at most half a typo. */
function rate(pair: Pair): number | undefined {
  const { wanted, candidate, limit } = pair;
  const distance = countSlips(pair);
  if (distance !== undefined && distance < Math.max(wanted.length, candidate.length)) {
    return distance - countShared(wanted, candidate) / (2 * longestWord);
  }
  return isBeginning(pair) ? limit + candidate.length - wanted.length : undefined;
}

/** Fewer letters are enough when they are a complete segment: `vw` of `vw.kurel`. */
function isBeginning({ wanted, candidate }: Pair): boolean {
  if (wanted === '' || !candidate.startsWith(wanted)) return false;
  return wanted.length >= shortestPrefix || /^[._-]/.test(candidate.slice(wanted.length));
}

function countShared(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count += 1;
  return count;
}

// Three rows of the table, reused for each pair because there may be millions of pairs.
const rows = [0, 1, 2].map(() => new Uint16Array(longestWord + 1));

/** Damerau–Levenshtein distance with adjacent swaps, `undefined` beyond `limit`; only the band within it is filled. */
function countSlips({ wanted: a, candidate: b, limit }: Pair): number | undefined {
  if (Math.abs(a.length - b.length) > limit) return undefined;
  if (limit === 1) return isOneSlip(a, b) ? 1 : undefined;
  const far = limit + 1;
  let [beforePrevious, previous, current] = rows as [Uint16Array, Uint16Array, Uint16Array];
  for (let column = 0; column <= b.length; column += 1) previous[column] = Math.min(column, far);
  for (let row = 1; row <= a.length; row += 1) {
    current.fill(far, 0, b.length + 1);
    if (row <= limit) current[0] = row;
    let least = current[0]!;
    const last = Math.min(b.length, row + limit);
    stepsLeft -= 1 + 2 * limit;
    for (let column = Math.max(1, row - limit); column <= last; column += 1) {
      const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let slips = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) slips = Math.min(slips, beforePrevious[column - 2]! + 1);
      current[column] = Math.min(slips, far);
      least = Math.min(least, slips);
    }
    if (least > limit) return undefined;
    [beforePrevious, previous, current] = [previous, current, beforePrevious];
  }
  const distance = previous[b.length]!;
  return distance <= limit ? distance : undefined;
}

/** Whether two different words differ in one character, or in two that are swapped. Needs no table. */
function isOneSlip(a: string, b: string): boolean {
  let start = 0;
  // After the end of a word there is NaN, which equals nothing.
  while (a.charCodeAt(start) === b.charCodeAt(start)) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA -= 1;
    endB -= 1;
  }
  const [left, right] = [endA - start, endB - start];
  if (left <= 1 && right <= 1) return true;
  return left === 2 && right === 2 && a[start] === b[start + 1] && a[start + 1] === b[start];
}

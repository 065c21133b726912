import { sha256 } from '../engine/index.ts';

/** Whether a text is a pattern rather than a name. */
export function isPattern(text: string): boolean {
  return /[*?]/.test(text);
}

/**
 * Compiles a pattern of names: `*` matches within a part, `**` across parts, `?` one character. Every character of the text is compared
 * once per position in the pattern, whatever the pattern is.
 */
export function compileNamePattern(pattern: string): (name: string) => boolean {
  const steps = pattern.match(/\*+|[^*]/gsu) ?? [];
  return (name) => {
    let positions = skipStars(new Set([0]), steps);
    for (const character of name) {
      const next = new Set<number>();
      for (const position of positions) {
        const step = steps[position];
        if (step === undefined || !takes(step, character)) continue;
        next.add(isStar(step) ? position : position + 1);
      }
      if (next.size === 0) return false;
      positions = skipStars(next, steps);
    }
    return positions.has(steps.length);
  };
}

function isStar(step: string | undefined): boolean {
  return step?.startsWith('*') === true;
}

function takes(step: string, character: string): boolean {
  if (step === '*' || step === '?') return character !== '/';
  return isStar(step) || step === character;
}

/** A star also matches nothing. */
function skipStars(positions: Set<number>, steps: readonly string[]): Set<number> {
  for (const position of positions) if (isStar(steps[position])) positions.add(position + 1);
  return positions;
}

/** One of several parts that together are all targets of a fleet, each in exactly one of them. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

export const mostShards = 10_000;

/**
 * Parses `3/8`. CI services count from 1, a Job in Kubernetes from 0. Both work, because `0/8` is the same shard as `8/8`.
 * `undefined` if the text is not valid.
 */
export function parseShard(text: string): Shard | undefined {
  const [, left, right] = /^([0-9]{1,5})\/([1-9][0-9]{0,4})$/.exec(text) ?? [];
  if (left === undefined || right === undefined) return undefined;
  const [index, count] = [Number(left), Number(right)];
  if (index > count || count > mostShards) return undefined;
  return { index: index === 0 ? count : index, count };
}

/** Depends on the name alone, so that a new target does not move others to another shard. */
export function isInShard(name: string, { index, count }: Shard): boolean {
  return Number.parseInt(sha256(name).slice(0, 8), 16) % count === index % count;
}

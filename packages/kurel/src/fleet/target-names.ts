import { sha256 } from '../engine/index.ts';
import type { Path } from '../model/index.ts';
import type { FleetSteps } from './fleet-steps.ts';

/** Whether a text is a pattern rather than a name. */
export function isPattern(text: string): boolean {
  return /[*?]/.test(text);
}

/** A pattern that fails at the first character takes some time too. */
const stepsPerName = 8;

/**
 * Compiles a pattern of names: `*` matches within a part, `**` across parts, `?` one character. Every character of the text is compared
 * at most once per position in the pattern, whatever the pattern is. `onSteps` gets the number of comparisons for each name.
 */
export function compileNamePattern(
  pattern: string,
  onSteps: (count: number) => void = () => undefined,
): (name: string) => boolean {
  const steps = pattern.match(/\*+|[^*]/gsu) ?? [];
  const isStar = steps.map((step) => step.startsWith('*'));
  const isWithinPart = steps.map((step) => step === '*' || step === '?');
  // The round in which each position was added last, so that none is added twice.
  const added = new Float64Array(steps.length + 1);
  let round = 0;

  function add(position: number, positions: number[]): void {
    // A star also matches nothing.
    for (let next = position; added[next] !== round; next += 1) {
      added[next] = round;
      positions.push(next);
      if (isStar[next] !== true) return;
    }
  }

  function takes(position: number, character: string): boolean {
    if (isWithinPart[position]!) return character !== '/';
    return isStar[position]! || steps[position] === character;
  }

  return (name) => {
    round += 1;
    let count = stepsPerName;
    let positions: number[] = [];
    add(0, positions);
    for (const character of name) {
      round += 1;
      const next: number[] = [];
      for (const position of positions) {
        if (position < steps.length && takes(position, character))
          add(isStar[position]! ? position : position + 1, next);
      }
      count += positions.length;
      positions = next;
      if (next.length === 0) break;
    }
    onSteps(count);
    return positions.includes(steps.length);
  };
}

/** Names that can be found by patterns; each pattern is tried once. */
export interface NameIndex {
  readonly all: readonly string[];
  /** The positions of the names that a name or pattern selects, in order. `path` is the entry with the pattern. */
  readonly find: (text: string, path: Path) => readonly number[];
}

export function createNameIndex(all: readonly string[], { take, takePattern }: FleetSteps): NameIndex {
  const positions = new Map<string, number[]>();
  for (const [index, name] of all.entries()) {
    const same = positions.get(name);
    if (same === undefined) positions.set(name, [index]);
    else same.push(index);
  }
  const selections = new Map<string, readonly number[]>();

  function search(pattern: string, path: Path): readonly number[] {
    const isMatch = compileNamePattern(pattern, (count) => takePattern(count, path));
    return [...all.keys()].filter((index) => isMatch(all[index]!));
  }

  return {
    all,
    find(text, path) {
      const selection = selections.get(text) ?? (isPattern(text) ? search(text, path) : (positions.get(text) ?? []));
      take(selection.length + 1, path);
      selections.set(text, selection);
      return selection;
    },
  };
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

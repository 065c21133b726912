import { type GlobNode, parseGlob } from './parse-glob.ts';

/** Possible positions in the pattern after the characters read so far; empty if no match is possible. */
type Readings = ReadonlySet<number>;

/**
 * A pattern that is matched during a walk. All possible positions are tracked at once, so the time is proportional to pattern and path
 * for any pattern, and a walk skips a directory without possible matches.
 */
export interface Glob {
  /** The path before the first part with a special character; `.` if that is the first part. */
  readonly directory: string;
  readonly start: Readings;
  /** Reads a name, or the `/` after it. */
  read(readings: Readings, text: string): Readings;
  /** Whether the text read so far matches. */
  accepts(readings: Readings): boolean;
}

interface State {
  /** Absent in states that only continue to others. */
  readonly test?: (character: string, startsName: boolean) => boolean;
  readonly next: number[];
}

export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path);
}

/** Everything before the part with the first special character; `.` if that is the first part. */
export function directoryOfGlob(pattern: string): string {
  const slash = lastSlashOf(pattern);
  return slash === -1 ? '.' : slash === 0 ? '/' : pattern.slice(0, slash);
}

function lastSlashOf(pattern: string): number {
  const special = pattern.search(/[*?[{\\]/);
  return pattern.lastIndexOf('/', special === -1 ? pattern.length : special);
}

/** Throws `GlobError` if the pattern is invalid. */
export function compileGlob(pattern: string): Glob {
  const states: State[] = [];
  const add = (state: State): number => states.push(state) - 1;
  const end = add({ next: [] });
  const first = link(parseGlob(pattern.slice(lastSlashOf(pattern) + 1)), end, add);

  /** The states reachable without reading a character. */
  function close(open: Iterable<number>): Set<number> {
    const closed = new Set<number>();
    const pending = [...open];
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (closed.has(index)) continue;
      closed.add(index);
      const state = states[index]!;
      if (state.test === undefined) for (const next of state.next) pending.push(next);
    }
    return closed;
  }

  return {
    directory: directoryOfGlob(pattern),
    start: close([first]),
    read(readings, text) {
      let current = readings;
      let startsName = true;
      for (const character of text) {
        const reached: number[] = [];
        for (const index of current) {
          const state = states[index]!;
          if (state.test?.(character, startsName) !== true) continue;
          for (const next of state.next) reached.push(next);
        }
        if (reached.length === 0) return new Set();
        current = close(reached);
        startsName = false;
      }
      return current;
    },
    accepts: (readings) => readings.has(end),
  };
}

/** Adds the states for some nodes before `next` and returns the first of them. */
function link(nodes: readonly GlobNode[], next: number, add: (state: State) => number): number {
  return nodes.reduceRight((target, node) => linkNode(node, target, add), next);
}

function linkNode(node: GlobNode, next: number, add: (state: State) => number): number {
  switch (node.type) {
    case 'character':
      return add({ test: (character) => character === node.character, next: [next] });
    case 'one':
      return add({
        test: (character, startsName) => isInName(character, startsName) && node.test(character),
        next: [next],
      });
    case 'any': {
      const loop: State = { next: [next] };
      const start = add(loop);
      loop.next.push(add({ test: isInName, next: [start] }));
      return start;
    }
    case 'directories': {
      // ( name / )* with names of at least one character.
      const loop: State = { next: [next] };
      const start = add(loop);
      const slash = add({ test: (character) => character === '/', next: [start] });
      loop.next.push(linkNode({ type: 'one', test: () => true }, linkNode({ type: 'any' }, slash, add), add));
      return start;
    }
    default:
      return add({ next: node.choices.map((choice) => link(choice, next, add)) });
  }
}

function isInName(character: string, startsName: boolean): boolean {
  return character !== '/' && !(startsName && character === '.');
}

import { manifestsProblems } from './problems.ts';

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

/** Throws a finding if the pattern is invalid. */
export function compileGlob(pattern: string): Glob {
  const states: State[] = [];
  const add = (state: State): number => states.push(state) - 1;
  const end = add({ next: [] });
  const refuse = (reason: string) => manifestsProblems.error('manifests-bad-pattern', { path: pattern, reason });
  const first = link(parseGlob(pattern.slice(lastSlashOf(pattern) + 1), refuse), end);

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

  /** Adds the states for some nodes before `next` and returns the first of them. */
  function link(nodes: readonly GlobNode[], next: number): number {
    return nodes.reduceRight((target, node) => linkNode(node, target), next);
  }

  function linkNode(node: GlobNode, next: number): number {
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
        loop.next.push(linkNode({ type: 'one', test: () => true }, linkNode({ type: 'any' }, slash)));
        return start;
      }
      default:
        return add({ next: node.choices.map((choice) => link(choice, next)) });
    }
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

function isInName(character: string, startsName: boolean): boolean {
  return character !== '/' && !(startsName && character === '.');
}

/** A piece of a pattern. */
type GlobNode =
  | { readonly type: 'character'; readonly character: string }
  /** One character of a name. */
  | { readonly type: 'one'; readonly test: (character: string) => boolean }
  /** Any characters of a name. */
  | { readonly type: 'any' }
  /** Any number of directories, each with its slash. */
  | { readonly type: 'directories' }
  | { readonly type: 'either'; readonly choices: readonly (readonly GlobNode[])[] };

const longestPattern = 4096;
const deepestBraces = 32;

/**
 *     *   any characters of a name                         ?      one character     [a-z] [!a-z]   one of these, one except these
 *     **  as a whole part of the path: any directories     {a,b}  one of these      \x             literal x
 */
function parseGlob(pattern: string, refuse: (reason: string) => Error): readonly GlobNode[] {
  if (pattern.length > longestPattern) throw refuse(`is longer than ${longestPattern} characters`);
  const characters = Array.from(pattern);
  let position = 0;

  function parseSequence(depth: number): GlobNode[] {
    const nodes: GlobNode[] = [];
    while (position < characters.length) {
      const character = characters[position]!;
      if (depth > 0 && (character === ',' || character === '}')) break;
      for (const node of parseNode(character, depth)) nodes.push(node);
    }
    return nodes;
  }

  function parseNode(character: string, depth: number): readonly GlobNode[] {
    switch (character) {
      case '*':
        return parseStars();
      case '?':
        position += 1;
        return [{ type: 'one', test: () => true }];
      case '[':
        return [parseClass()];
      case '{':
        return [parseEither(depth + 1)];
      case '\\':
        position += 1;
        if (position === characters.length) throw refuse('ends with an incomplete escape \\');
        break;
    }
    return [{ type: 'character', character: characters[position++]! }];
  }

  /** `**` matches directories only as a whole part of the path; elsewhere it equals one star. */
  function parseStars(): readonly GlobNode[] {
    const before = characters[position - 1];
    const start = position;
    while (characters[position] === '*') position += 1;
    const after = characters[position];
    const isWhole = position - start === 2 && (before === undefined || before === '/');
    if (!isWhole) return [{ type: 'any' }];
    if (after === '/') {
      position += 1;
      return [{ type: 'directories' }];
    }
    return after === undefined ? [{ type: 'directories' }, { type: 'any' }] : [{ type: 'any' }];
  }

  function parseClass(): GlobNode {
    position += 1;
    const isNegated = characters[position] === '!' || characters[position] === '^';
    if (isNegated) position += 1;
    const ranges: (readonly [string, string])[] = [];
    for (let isFirst = true; isFirst || characters[position] !== ']'; isFirst = false) {
      const from = takeClassCharacter();
      const isRange = characters[position] === '-' && characters[position + 1] !== ']';
      if (isRange) position += 1;
      ranges.push([from, isRange ? takeClassCharacter() : from]);
    }
    position += 1;
    const isListed = (character: string): boolean => ranges.some(([from, to]) => from <= character && character <= to);
    return { type: 'one', test: (character) => isListed(character) !== isNegated };
  }

  function takeClassCharacter(): string {
    if (characters[position] === '\\') position += 1;
    const character = characters[position];
    if (character === undefined) throw refuse('has an unclosed [');
    position += 1;
    return character;
  }

  function parseEither(depth: number): GlobNode {
    if (depth > deepestBraces) throw refuse(`has more than ${deepestBraces} nested braces`);
    const choices: (readonly GlobNode[])[] = [];
    do {
      position += 1;
      choices.push(parseSequence(depth));
    } while (characters[position] === ',');
    if (characters[position] !== '}') throw refuse('has an unclosed {');
    position += 1;
    return { type: 'either', choices };
  }

  return parseSequence(0);
}

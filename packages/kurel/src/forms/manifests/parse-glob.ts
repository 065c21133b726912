/** A piece of a pattern. */
export type GlobNode =
  | { readonly type: 'character'; readonly character: string }
  /** One character of a name. */
  | { readonly type: 'one'; readonly test: (character: string) => boolean }
  /** Any characters of a name. */
  | { readonly type: 'any' }
  /** Any number of directories, each with its slash. */
  | { readonly type: 'directories' }
  | { readonly type: 'either'; readonly choices: readonly (readonly GlobNode[])[] };

/** An invalid pattern; the message continues a sentence that starts with the pattern. */
export class GlobError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'GlobError';
  }
}

const longestPattern = 4096;
const deepestBraces = 32;

/**
 *     *   any characters of a name                         ?      one character     [a-z] [!a-z]   one of these, one except these
 *     **  as a whole part of the path: any directories     {a,b}  one of these      \x             literal x
 */
export function parseGlob(pattern: string): readonly GlobNode[] {
  if (pattern.length > longestPattern) throw new GlobError(`is longer than ${longestPattern} characters`);
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
        if (position === characters.length) throw new GlobError('ends with an incomplete escape \\');
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
    if (character === undefined) throw new GlobError('has an unclosed [');
    position += 1;
    return character;
  }

  function parseEither(depth: number): GlobNode {
    if (depth > deepestBraces) throw new GlobError(`has more than ${deepestBraces} nested braces`);
    const choices: (readonly GlobNode[])[] = [];
    do {
      position += 1;
      choices.push(parseSequence(depth));
    } while (characters[position] === ',');
    if (characters[position] !== '}') throw new GlobError('has an unclosed {');
    position += 1;
    return { type: 'either', choices };
  }

  return parseSequence(0);
}

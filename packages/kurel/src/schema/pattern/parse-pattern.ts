const deepest = 100;
const mostRepeats = 1000;

export function parsePattern(text: string, dialect: PatternDialect): PatternNode {
  const reading: PatternReading = { characters: Array.from(text), dialect, at: 0, depth: 0 };
  const node = readChoice(reading);
  if (reading.at < reading.characters.length) throw new UnreadablePattern('an unmatched ")"');
  return node;
}

function readChoice(reading: PatternReading): PatternNode {
  reading.depth += 1;
  if (reading.depth > deepest) throw new UnreadablePattern('too many levels');
  const nodes = [readSequence(reading)];
  while (reading.characters[reading.at] === '|') {
    reading.at += 1;
    nodes.push(readSequence(reading));
  }
  reading.depth -= 1;
  return nodes.length === 1 ? nodes[0]! : { type: 'choice', nodes };
}

function readSequence(reading: PatternReading): PatternNode {
  const nodes: PatternNode[] = [];
  for (;;) {
    const next = reading.characters[reading.at];
    if (next === undefined || next === '|' || next === ')') return { type: 'sequence', nodes };
    nodes.push(readRepeats(readAtom(reading, next), reading));
  }
}

function readAtom(reading: PatternReading, next: string): PatternNode {
  reading.at += 1;
  switch (next) {
    case '^':
      return { type: 'assertion', what: reading.dialect.isByLine ? 'line-start' : 'start' };
    case '$':
      return { type: 'assertion', what: reading.dialect.isByLine ? 'line-end' : 'end' };
    case '.':
      return { type: 'character', isIn: dotOf(reading.dialect) };
    case '[':
      return { type: 'character', isIn: readClass(reading) };
    case '(':
      return readGroup(reading);
    case '\\':
      return readEscaped(reading);
    case '*':
    case '+':
    case '?':
      throw new UnreadablePattern('nothing to repeat');
    default: {
      const code = next.codePointAt(0)!;
      return character(reading, (other) => other === code);
    }
  }
}

function character({ dialect }: PatternReading, isIn: CharacterSet): PatternNode {
  return { type: 'character', isIn: dialect.ignoresCase ? inEitherCase(isIn) : isIn };
}

const lineBreaks = [0x0a, 0x0d, 0x20_28, 0x20_29];

function dotOf({ isGo, dotIsAll }: PatternDialect): CharacterSet {
  if (dotIsAll) return () => true;
  return isGo ? (code) => code !== 0x0a : (code) => !lineBreaks.includes(code);
}

function readGroup(reading: PatternReading): PatternNode {
  if (reading.characters[reading.at] === '?') {
    const head = /^\?(?::|P?<[A-Za-z_$][\w$]{0,100}>)/.exec(
      reading.characters.slice(reading.at, reading.at + 106).join(''),
    );
    if (head === null) throw new UnreadablePattern('an unknown group');
    reading.at += head[0].length;
  }
  const node = readChoice(reading);
  if (reading.characters[reading.at] !== ')') throw new UnreadablePattern('an unmatched "("');
  reading.at += 1;
  return node;
}

function readEscaped(reading: PatternReading): PatternNode {
  const next = reading.characters[reading.at];
  if (next === 'b' || next === 'B') {
    reading.at += 1;
    return { type: 'assertion', what: next === 'b' ? 'boundary' : 'inside' };
  }
  if (reading.dialect.isGo) {
    const anchor = next === 'A' ? 'start' : next === 'z' || next === 'Z' ? 'end' : undefined;
    if (anchor !== undefined) {
      reading.at += 1;
      return { type: 'assertion', what: anchor };
    }
  }
  return character(reading, readEscape(reading).isIn);
}

function readRepeats(node: PatternNode, reading: PatternReading): PatternNode {
  const range = readRange(reading);
  if (range === undefined) return node;
  if (node.type === 'assertion') throw new UnreadablePattern('nothing to repeat');
  const isLazy = reading.characters[reading.at] === '?';
  if (isLazy) reading.at += 1;
  return { type: 'repeat', node, ...range, isLazy };
}

function readRange(reading: PatternReading): { readonly least: number; readonly most: number } | undefined {
  const next = reading.characters[reading.at];
  const ranges = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] } as const;
  if (next === '*' || next === '+' || next === '?') {
    reading.at += 1;
    const [least, most] = ranges[next];
    return { least, most };
  }
  if (next !== '{') return undefined;
  let end = reading.at + 1;
  while (/[\d,]/.test(reading.characters[end] ?? '')) end += 1;
  const written = /^\{(\d+)(,(\d+)?)?\}$/.exec(reading.characters.slice(reading.at, end + 1).join(''));
  if (written === null) return undefined;
  reading.at += written[0].length;
  const [, first, comma, second] = written;
  const least = Number(first);
  const most = comma === undefined ? least : second === undefined ? Infinity : Number(second);
  if (least > most || least > mostRepeats || (most !== Infinity && most > mostRepeats)) {
    throw new UnreadablePattern('an invalid repeat count');
  }
  return { least, most };
}

/** Whether a character (a code point) is in a set. */
export type CharacterSet = (code: number) => boolean;

export type PatternNode =
  | { readonly type: 'character'; readonly isIn: CharacterSet }
  | { readonly type: 'assertion'; readonly what: PatternAssertion }
  | { readonly type: 'sequence' | 'choice'; readonly nodes: readonly PatternNode[] }
  | {
      readonly type: 'repeat';
      readonly node: PatternNode;
      readonly least: number;
      readonly most: number;
      /** Matches as little as possible, which changes the match but not whether there is one. */
      readonly isLazy: boolean;
    };

export type PatternAssertion = 'start' | 'end' | 'line-start' | 'line-end' | 'boundary' | 'inside';

/** Differences between the dialects of patterns. */
export interface PatternDialect {
  /** Go's dialect, as in CustomResourceDefinitions; otherwise JSON Schema's. */
  readonly isGo: boolean;
  readonly ignoresCase: boolean;
  /** `.` matches every character. */
  readonly dotIsAll: boolean;
  /** `^` and `$` match at line ends. */
  readonly isByLine: boolean;
}

export const jsonSchemaDialect: PatternDialect = { isGo: false, ignoresCase: false, dotIsAll: false, isByLine: false };

/** The state of reading a pattern, shared by the functions that advance it. */
interface PatternReading {
  readonly characters: readonly string[];
  readonly dialect: PatternDialect;
  at: number;
  depth: number;
}

/** Thrown for invalid patterns, and for unsupported ones with lookaround or back references. */
export class UnreadablePattern extends Error {}

interface Escape {
  readonly isIn: CharacterSet;
  /** The character, if there is only one. */
  readonly code?: number;
}

const isDigit: CharacterSet = (code) => code >= 0x30 && code <= 0x39;
const isWord: CharacterSet = (code) =>
  isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f;
const isSpace: CharacterSet = (code) => /\s/u.test(String.fromCodePoint(code));
const not =
  (isIn: CharacterSet): CharacterSet =>
  (code) =>
    !isIn(code);

/** Whether a set contains a character, or its counterpart in the other case. */
function inEitherCase(isIn: CharacterSet): CharacterSet {
  return (code) => {
    if (isIn(code)) return true;
    const text = String.fromCodePoint(code);
    return [text.toLowerCase(), text.toUpperCase()].some((other) => isIn(other.codePointAt(0)!));
  };
}

const sets: ReadonlyMap<string, CharacterSet> = new Map([
  ['d', isDigit],
  ['D', not(isDigit)],
  ['w', isWord],
  ['W', not(isWord)],
  ['s', isSpace],
  ['S', not(isSpace)],
]);

/** Go's five white space characters. */
const isGoSpace: CharacterSet = (code) =>
  code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d;
const goSets: ReadonlyMap<string, CharacterSet> = new Map([...sets, ['s', isGoSpace], ['S', not(isGoSpace)]]);

/** Go's named sets, as in `[[:alpha:]]`. */
const namedSets: ReadonlyMap<string, CharacterSet> = new Map(
  Object.entries({
    alnum: /[A-Za-z0-9]/,
    alpha: /[A-Za-z]/,
    ascii: /[\0-\x7f]/,
    blank: /[\t ]/,
    // oxlint-disable-next-line no-control-regex -- the set is that of control characters
    cntrl: /[\0-\x1f\x7f]/,
    digit: /[0-9]/,
    graph: /[!-~]/,
    lower: /[a-z]/,
    print: /[ -~]/,
    punct: /[!-/:-@[-`{-~]/,
    space: /[\t-\r ]/,
    upper: /[A-Z]/,
    word: /[0-9A-Za-z_]/,
    xdigit: /[0-9A-Fa-f]/,
  }).map(([name, expression]) => [name, (code: number) => expression.test(String.fromCodePoint(code))]),
);

const controls: ReadonlyMap<string, number> = new Map([
  ['t', 0x09],
  ['n', 0x0a],
  ['v', 0x0b],
  ['f', 0x0c],
  ['r', 0x0d],
  ['0', 0],
]);

/** Reads an escape after the backslash. */
function readEscape(reading: PatternReading): Escape {
  const next = reading.characters[reading.at];
  if (next === undefined) throw new UnreadablePattern('a backslash at the end');
  reading.at += 1;
  const set = (reading.dialect.isGo ? goSets : sets).get(next);
  if (set !== undefined) return { isIn: set };
  if (next === 'a' && reading.dialect.isGo) return single(0x07);
  const control = controls.get(next);
  if (control !== undefined) return single(control);
  if (next === 'x' || next === 'u') return readCode(reading, next);
  if (next === 'p' || next === 'P') return readProperty(reading, next);
  // Letters and digits after a backslash are not ordinary characters: back references, classes of other dialects.
  if (/[A-Za-z0-9]/.test(next)) throw new UnreadablePattern('an unknown escape');
  return single(next.codePointAt(0)!);
}

function single(code: number): Escape {
  return { isIn: (other) => other === code, code };
}

function readCode(reading: PatternReading, kind: 'x' | 'u'): Escape {
  const rest = reading.characters.slice(reading.at, reading.at + 10).join('');
  const braced = /^(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,6})\})/;
  const short = reading.dialect.isGo ? /^(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\})/ : /^([0-9a-fA-F]{2})/;
  const digits = (kind === 'x' ? short : braced).exec(rest);
  if (digits === null) throw new UnreadablePattern('an unknown escape');
  reading.at += digits[0].length;
  return single(Number.parseInt(digits[1] ?? digits[2]!, 16));
}

function readProperty(reading: PatternReading, kind: 'p' | 'P'): Escape {
  const rest = reading.characters.slice(reading.at, reading.at + 62).join('');
  // In Go, names of one letter need no braces.
  const name = /^\{([\w=]{1,60})\}/.exec(rest) ?? (reading.dialect.isGo ? /^([A-Z])/.exec(rest) : null);
  if (name === null) throw new UnreadablePattern('an unknown escape');
  reading.at += name[0].length;
  try {
    const expression = new RegExp(`\\${kind}{${name[1]}}`, 'u');
    return { isIn: (code) => expression.test(String.fromCodePoint(code)) };
  } catch {
    throw new UnreadablePattern('an unknown property');
  }
}

/** Reads a bracket expression after its opening bracket. */
function readClass(reading: PatternReading): CharacterSet {
  const isNegated = reading.characters[reading.at] === '^';
  if (isNegated) reading.at += 1;
  const start = reading.at;
  const ranges: (readonly [number, number])[] = [];
  const others: CharacterSet[] = [];
  for (;;) {
    const next = reading.characters[reading.at];
    if (next === undefined) throw new UnreadablePattern('an unmatched "["');
    // In Go, a closing bracket in first position is a member.
    if (next === ']' && !(reading.dialect.isGo && reading.at === start)) break;
    const from = readMember(reading);
    const isRange = reading.characters[reading.at] === '-' && reading.characters[reading.at + 1] !== ']';
    if (from.code === undefined || !isRange) {
      if (from.code === undefined) others.push(from.isIn);
      else ranges.push([from.code, from.code]);
      continue;
    }
    reading.at += 1;
    const to = readMember(reading);
    if (to.code === undefined || to.code < from.code) throw new UnreadablePattern('an invalid range');
    ranges.push([from.code, to.code]);
  }
  reading.at += 1;
  const isMember: CharacterSet = (code) =>
    ranges.some(([first, last]) => code >= first && code <= last) || others.some((isMember) => isMember(code));
  const isIn = reading.dialect.ignoresCase ? inEitherCase(isMember) : isMember;
  return isNegated ? not(isIn) : isIn;
}

function readMember(reading: PatternReading): Escape {
  const next = reading.characters[reading.at];
  if (next === undefined) throw new UnreadablePattern('an unmatched "["');
  if (next === '[' && reading.characters[reading.at + 1] === ':') return readNamedSet(reading);
  reading.at += 1;
  if (next !== '\\') return single(next.codePointAt(0)!);
  if (reading.characters[reading.at] !== 'b') return readEscape(reading);
  reading.at += 1;
  return single(0x08);
}

/** `[:alpha:]`, which only Go supports. */
function readNamedSet(reading: PatternReading): Escape {
  const written = /^\[:([a-z]+):\]/.exec(reading.characters.slice(reading.at, reading.at + 12).join(''));
  const isIn = reading.dialect.isGo ? namedSets.get(written?.[1] ?? '') : undefined;
  if (isIn === undefined) throw new UnreadablePattern('an unknown class');
  reading.at += written![0].length;
  return { isIn };
}

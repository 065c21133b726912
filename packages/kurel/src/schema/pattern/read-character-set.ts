import { UnreadablePattern } from './pattern.ts';
import type { CharacterSet, PatternReading } from './pattern.ts';

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
export function inEitherCase(isIn: CharacterSet): CharacterSet {
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
export function readEscape(reading: PatternReading): Escape {
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
  return { isIn: (one) => one === code, code };
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
export function readClass(reading: PatternReading): CharacterSet {
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
    ranges.some(([first, last]) => code >= first && code <= last) || others.some((one) => one(code));
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

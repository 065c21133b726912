import { UnreadablePattern } from './pattern.ts';
import type { CharacterSet, PatternReading } from './pattern.ts';

interface Escape {
  readonly isIn: CharacterSet;
  /** The character, when it is only one. */
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

const sets: ReadonlyMap<string, CharacterSet> = new Map([
  ['d', isDigit],
  ['D', not(isDigit)],
  ['w', isWord],
  ['W', not(isWord)],
  ['s', isSpace],
  ['S', not(isSpace)],
]);

const controls: ReadonlyMap<string, number> = new Map([
  ['t', 0x09],
  ['n', 0x0a],
  ['v', 0x0b],
  ['f', 0x0c],
  ['r', 0x0d],
  ['0', 0],
]);

/** What stands behind a backslash. */
export function readEscape(reading: PatternReading): Escape {
  const next = reading.characters[reading.at];
  if (next === undefined) throw new UnreadablePattern('a backslash at the end');
  reading.at += 1;
  const set = sets.get(next);
  if (set !== undefined) return { isIn: set };
  const control = controls.get(next);
  if (control !== undefined) return single(control);
  if (next === 'x' || next === 'u') return readCode(reading, next);
  if (next === 'p' || next === 'P') return readProperty(reading, next);
  // Letters and digits behind a backslash are no ordinary characters: back references, classes of other languages.
  if (/[A-Za-z0-9]/.test(next)) throw new UnreadablePattern('an unknown escape');
  return single(next.codePointAt(0)!);
}

function single(code: number): Escape {
  return { isIn: (one) => one === code, code };
}

function readCode(reading: PatternReading, kind: 'x' | 'u'): Escape {
  const rest = reading.characters.slice(reading.at, reading.at + 10).join('');
  const digits = (kind === 'x' ? /^([0-9a-fA-F]{2})/ : /^(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,6})\})/).exec(rest);
  if (digits === null) throw new UnreadablePattern('an unknown escape');
  reading.at += digits[0].length;
  return single(Number.parseInt(digits[1] ?? digits[2]!, 16));
}

function readProperty(reading: PatternReading, kind: 'p' | 'P'): Escape {
  const name = /^\{[\w=]{1,60}\}/.exec(reading.characters.slice(reading.at, reading.at + 62).join(''));
  if (name === null) throw new UnreadablePattern('an unknown escape');
  reading.at += name[0].length;
  try {
    const expression = new RegExp(`\\${kind}${name[0]}`, 'u');
    return { isIn: (code) => expression.test(String.fromCodePoint(code)) };
  } catch {
    throw new UnreadablePattern('an unknown property');
  }
}

/** What stands between brackets, from behind the opening one. */
export function readClass(reading: PatternReading): CharacterSet {
  const isNegated = reading.characters[reading.at] === '^';
  if (isNegated) reading.at += 1;
  const ranges: (readonly [number, number])[] = [];
  const others: CharacterSet[] = [];
  for (;;) {
    const next = reading.characters[reading.at];
    if (next === undefined) throw new UnreadablePattern('an open class');
    if (next === ']') break;
    const from = readMember(reading);
    const isRange = reading.characters[reading.at] === '-' && reading.characters[reading.at + 1] !== ']';
    if (from.code === undefined || !isRange) {
      if (from.code === undefined) others.push(from.isIn);
      else ranges.push([from.code, from.code]);
      continue;
    }
    reading.at += 1;
    const to = readMember(reading);
    if (to.code === undefined || to.code < from.code) throw new UnreadablePattern('a range that cannot be');
    ranges.push([from.code, to.code]);
  }
  reading.at += 1;
  const isIn: CharacterSet = (code) =>
    ranges.some(([first, last]) => code >= first && code <= last) || others.some((one) => one(code));
  return isNegated ? not(isIn) : isIn;
}

function readMember(reading: PatternReading): Escape {
  const next = reading.characters[reading.at];
  if (next === undefined) throw new UnreadablePattern('an open class');
  // `[:alpha:]` is of another language.
  if (next === '[' && reading.characters[reading.at + 1] === ':') throw new UnreadablePattern('an unknown class');
  reading.at += 1;
  if (next !== '\\') return single(next.codePointAt(0)!);
  if (reading.characters[reading.at] !== 'b') return readEscape(reading);
  reading.at += 1;
  return single(0x08);
}

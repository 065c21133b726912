import { UnreadablePattern } from './pattern.ts';
import type { PatternNode, PatternReading } from './pattern.ts';
import { readClass, readEscape } from './read-character-set.ts';

const deepest = 100;
const mostRepeats = 1000;

/** A regular expression in the syntax of JSON Schema. */
export function parsePattern(text: string): PatternNode {
  const reading: PatternReading = { characters: Array.from(text), at: 0, depth: 0 };
  const node = readChoice(reading);
  if (reading.at < reading.characters.length) throw new UnreadablePattern('a bracket too many');
  return node;
}

function readChoice(reading: PatternReading): PatternNode {
  reading.depth += 1;
  if (reading.depth > deepest) throw new UnreadablePattern('too deep');
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
      return { type: 'assertion', what: 'start' };
    case '$':
      return { type: 'assertion', what: 'end' };
    case '.':
      return { type: 'character', isIn: (code) => !lineBreaks.includes(code) };
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
      return { type: 'character', isIn: (one) => one === code };
    }
  }
}

const lineBreaks = [0x0a, 0x0d, 0x20_28, 0x20_29];

function readGroup(reading: PatternReading): PatternNode {
  if (reading.characters[reading.at] === '?') {
    const head = /^\?(?::|P?<[A-Za-z_$][\w$]{0,100}>)/.exec(
      reading.characters.slice(reading.at, reading.at + 106).join(''),
    );
    if (head === null) throw new UnreadablePattern('an unknown group');
    reading.at += head[0].length;
  }
  const node = readChoice(reading);
  if (reading.characters[reading.at] !== ')') throw new UnreadablePattern('an open group');
  reading.at += 1;
  return node;
}

function readEscaped(reading: PatternReading): PatternNode {
  const next = reading.characters[reading.at];
  if (next === 'b' || next === 'B') {
    reading.at += 1;
    return { type: 'assertion', what: next === 'b' ? 'boundary' : 'inside' };
  }
  return { type: 'character', isIn: readEscape(reading).isIn };
}

function readRepeats(node: PatternNode, reading: PatternReading): PatternNode {
  const range = readRange(reading);
  if (range === undefined) return node;
  if (node.type === 'assertion') throw new UnreadablePattern('nothing to repeat');
  // Whether a repeat takes much or little decides what is found, not whether something is.
  if (reading.characters[reading.at] === '?') reading.at += 1;
  return { type: 'repeat', node, ...range };
}

function readRange(reading: PatternReading): { readonly least: number; readonly most: number } | undefined {
  const next = reading.characters[reading.at];
  const known = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] } as const;
  if (next === '*' || next === '+' || next === '?') {
    reading.at += 1;
    const [least, most] = known[next];
    return { least, most };
  }
  if (next !== '{') return undefined;
  const written = /^\{(\d{1,6})(,(\d{1,6})?)?\}/.exec(reading.characters.slice(reading.at, reading.at + 16).join(''));
  if (written === null) return undefined;
  reading.at += written[0].length;
  const [, first, comma, second] = written;
  const least = Number(first);
  const most = comma === undefined ? least : second === undefined ? Infinity : Number(second);
  if (least > most || least > mostRepeats || (most !== Infinity && most > mostRepeats)) {
    throw new UnreadablePattern('numbers that cannot be');
  }
  return { least, most };
}

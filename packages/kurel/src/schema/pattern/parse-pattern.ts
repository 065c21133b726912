import { UnreadablePattern } from './pattern.ts';
import type { CharacterSet, PatternDialect, PatternNode, PatternReading } from './pattern.ts';
import { inEitherCase, readClass, readEscape } from './read-character-set.ts';

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
      return character(reading, (one) => one === code);
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
  const known = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] } as const;
  if (next === '*' || next === '+' || next === '?') {
    reading.at += 1;
    const [least, most] = known[next];
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

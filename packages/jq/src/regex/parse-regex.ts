import { anyCharacter, badRegex, characterSet, notNewline, typeMembers } from './character-set.ts';
import { readClass, readProperty } from './parse-class.ts';
import { readCharacterEscape } from './parse-escape.ts';
import { readGroup } from './parse-group.ts';
import type { RegexOptions, RegexReader } from './regex-reader.ts';
import { type Anchor, emptyNode, type ParsedRegex, type RegexNode } from './regex-tree.ts';

const maxNesting = 200;
const maxRepetitions = 100_000;

/** Reads a pattern in the syntax that jq gives to Oniguruma: Perl's, with named groups. */
export function parseRegex(pattern: string, options: RegexOptions): ParsedRegex {
  const reader: RegexReader = { pattern, at: 0, options, names: [], highestGroup: 0 };
  const root = readChoice(reader, 0);
  if (reader.at < pattern.length) badRegex('unmatched close parenthesis');
  if (reader.highestGroup > reader.names.length) badRegex('invalid backref number/name');
  return { root, names: reader.names };
}

/** Up to the `)` of the group it is in, or the end. Options that are set inside end with it. */
export function readChoice(reader: RegexReader, depth: number): RegexNode {
  if (depth > maxNesting) badRegex('too deep nest level');
  const { options: outer } = reader;
  const options: RegexNode[] = [];
  let items: RegexNode[] = [];
  const end = (): void => {
    options.push(items.length === 1 ? items[0]! : { type: 'sequence', items });
    items = [];
  };
  for (;;) {
    skipExtended(reader);
    const next = reader.pattern[reader.at];
    if (next === undefined || next === ')') break;
    if (next === '|') {
      reader.at++;
      end();
    } else if (reader.pattern.startsWith(String.raw`\Q`, reader.at)) readQuoted(reader, items);
    else {
      const atom = readAtom(reader, depth);
      if (atom !== undefined) items.push(readQuantifiers(reader, atom));
    }
  }
  end();
  reader.options = outer;
  return options.length === 1 ? options[0]! : { type: 'choice', options };
}

/** `\Q…\E`: all characters stand for themselves; a quantifier after it repeats the last one. */
function readQuoted(reader: RegexReader, items: RegexNode[]): void {
  const close = reader.pattern.indexOf(String.raw`\E`, reader.at + 2);
  const text = reader.pattern.slice(reader.at + 2, close < 0 ? undefined : close);
  reader.at = close < 0 ? reader.pattern.length : close + 2;
  const points = Array.from(text, (character) => literal(reader, character.codePointAt(0)!));
  const last = points.pop() ?? emptyNode;
  items.push(...points, readQuantifiers(reader, last));
}

function skipExtended(reader: RegexReader): void {
  if (!reader.options.extended) return;
  const blank = /(?:\s|#[^\n]*)+/y;
  blank.lastIndex = reader.at;
  const found = blank.exec(reader.pattern);
  if (found !== null) reader.at += found[0].length;
}

const quantifier = /(?:([?*+])|\{(\d+)(,?)(\d*)\})([?+]?)/y;

function readQuantifiers(reader: RegexReader, atom: RegexNode): RegexNode {
  let node = atom;
  for (;;) {
    skipExtended(reader);
    quantifier.lastIndex = reader.at;
    const found = quantifier.exec(reader.pattern);
    if (found === null) return node;
    if (cannotRepeat(node)) return badRegex('target of repeat operator is invalid');
    reader.at += found[0].length;
    const [, mark, low, comma, high, mode] = found;
    const { min, max } = mark === undefined ? interval(low!, comma!, high!) : marks[mark]!;
    const repeat: RegexNode = { type: 'repeat', body: node, min, max, greedy: mode !== '?' };
    node = mode === '+' ? { type: 'atomic', body: repeat } : repeat;
  }
}

/** What takes nothing by itself; in a sequence or a group of its own it may be repeated. */
function cannotRepeat(node: RegexNode): boolean {
  if (node.type === 'choice') return node.options.some(cannotRepeat);
  return node.type === 'anchor' || node.type === 'look' || node.type === 'keep';
}

const marks: { readonly [mark: string]: { readonly min: number; readonly max: number } } = {
  '?': { min: 0, max: 1 },
  '*': { min: 0, max: Infinity },
  '+': { min: 1, max: Infinity },
};

function interval(low: string, comma: string, high: string): { readonly min: number; readonly max: number } {
  const min = Number(low);
  const max = comma === '' ? min : high === '' ? Infinity : Number(high);
  if (min > maxRepetitions || (max > maxRepetitions && max !== Infinity)) badRegex('too big number for repeat range');
  return max < min ? badRegex('upper is smaller than lower in repeat range') : { min, max };
}

function literal({ options: { ignoreCase } }: RegexReader, point: number): RegexNode {
  return { type: 'character', point, ignoreCase };
}

function anchor(name: Anchor): RegexNode {
  return { type: 'anchor', anchor: name };
}

/** One piece without its quantifier; `undefined` for comments, which cannot have one. */
function readAtom(reader: RegexReader, depth: number): RegexNode | undefined {
  const point = reader.pattern.codePointAt(reader.at)!;
  const interval = /^\{\d+,?\d*\}/.test(reader.pattern.slice(reader.at, reader.at + 20));
  reader.at += point > 0xffff ? 2 : 1;
  const { options } = reader;
  switch (String.fromCodePoint(point)) {
    case '.':
      return { type: 'set', set: options.dotMatchesNewline ? anyCharacter : notNewline };
    case '^':
      return anchor(options.multiLine ? 'line-start' : 'text-start');
    case '$':
      return anchor(options.multiLine ? 'line-end' : 'last-line-end');
    case '(':
      return readGroup(reader, depth + 1);
    case '[':
      return { type: 'set', set: readClass(reader) };
    case '\\':
      return readEscape(reader);
    case '*':
    case '+':
    case '?':
      return badRegex('target of repeat operator is not specified');
    default:
      return interval ? badRegex('target of repeat operator is not specified') : literal(reader, point);
  }
}

const anchors: { readonly [letter: string]: Anchor } = {
  A: 'text-start',
  z: 'text-end',
  Z: 'last-line-end',
  b: 'word-boundary',
  B: 'no-word-boundary',
  G: 'search-start',
};

/** An escape outside a class, with the backslash already read. */
function readEscape(reader: RegexReader): RegexNode {
  const letter = reader.pattern[reader.at] ?? '';
  if (Object.hasOwn(anchors, letter)) {
    reader.at++;
    return anchor(anchors[letter]!);
  }
  const members = typeMembers(letter);
  if (members !== undefined) {
    reader.at++;
    return { type: 'set', set: characterSet(members, false, false) };
  }
  const property = readProperty(reader);
  if (property !== undefined) return { type: 'set', set: characterSet(property, false, false) };
  switch (letter) {
    case 'K':
      reader.at++;
      return { type: 'keep' };
    case 'N':
      reader.at++;
      return { type: 'set', set: notNewline };
    case 'O':
      reader.at++;
      return { type: 'set', set: anyCharacter };
    case 'R':
      reader.at++;
      return lineBreak;
    default:
      return readReference(reader) ?? literal(reader, readCharacterEscape(reader, true));
  }
}

const lineBreak: RegexNode = {
  type: 'atomic',
  body: {
    type: 'choice',
    options: [
      {
        type: 'sequence',
        items: [
          { type: 'character', point: 13, ignoreCase: false },
          { type: 'character', point: 10, ignoreCase: false },
        ],
      },
      { type: 'set', set: characterSet(String.raw`\n\v\f\r\x85\u2028\u2029`, false, false) },
    ],
  },
};

/** `\1`, `\k<1>`, `\k<-1>`, `\k<name>`, `\k'name'`, with the backslash already read. */
function readReference(reader: RegexReader): RegexNode | undefined {
  const { ignoreCase } = reader.options;
  const rest = reader.pattern.slice(reader.at, reader.at + 200);
  const digits = /^[1-9]\d*/.exec(rest)?.[0];
  if (digits !== undefined) {
    // a number without such a group is a character in octal
    if (digits.length > 1 && Number(digits) > reader.names.length) return undefined;
    reader.at += digits.length;
    return { type: 'reference', groups: referredGroups(reader, digits), ignoreCase };
  }
  const named = /^k(?:<([^>]*)>|'([^']*)')/.exec(rest);
  if (named === null) return undefined;
  reader.at += named[0].length;
  return { type: 'reference', groups: referredGroups(reader, named[1] ?? named[2]!), ignoreCase };
}

/** The groups that a number or name means. A number may be that of a group that follows. */
export function referredGroups(reader: RegexReader, name: string): readonly number[] {
  const { names } = reader;
  if (/^[-+]?\d+$/.test(name)) {
    const number = Number(name);
    const group = name.startsWith('-')
      ? names.length + 1 + number
      : name.startsWith('+')
        ? names.length + number
        : number;
    reader.highestGroup = Math.max(reader.highestGroup, group);
    return group < 1 ? badRegex('invalid backref number/name') : [group];
  }
  const groups = names.flatMap((known, index) => (known === name ? [index + 1] : []));
  return groups.length === 0 ? badRegex(`undefined name <${name}> reference`) : groups;
}

import { anyCharacter, badRegex, emptyNode, notNewline, type ParsedRegex, type RegexNode } from './regex-tree.ts';
import {
  anchor,
  literal,
  readClass,
  readEscape,
  referredGroups,
  type RegexOptions,
  type RegexReader,
} from './parse-characters.ts';

const maxNesting = 200;
const maxRepetitions = 100_000;

/** Reads a pattern in the syntax that jq uses with Oniguruma: Perl's, with named groups. */
export function parseRegex(pattern: string, options: RegexOptions): ParsedRegex {
  const reader: RegexReader = { pattern, at: 0, options, names: [], highestGroup: 0 };
  const root = readChoice(reader, 0);
  if (reader.at < pattern.length) badRegex('unmatched close parenthesis');
  if (reader.highestGroup > reader.names.length) badRegex('invalid backref number/name');
  return { root, names: reader.names };
}

/** Reads up to the `)` of the current group, or to the end. Options set inside end with it. */
function readChoice(reader: RegexReader, depth: number): RegexNode {
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
    else if (reader.pattern.startsWith('(?#', reader.at)) {
      skipComment(reader);
      // a quantifier after a comment applies to the item before the comment
      const before = items.pop();
      if (before !== undefined) items.push(readQuantifiers(reader, before));
    } else items.push(readQuantifiers(reader, readAtom(reader, depth)));
  }
  end();
  reader.options = outer;
  return options.length === 1 ? options[0]! : { type: 'choice', options };
}

/** `\Q…\E`: all characters are literal; a quantifier after it repeats the last one. */
function readQuoted(reader: RegexReader, items: RegexNode[]): void {
  const close = reader.pattern.indexOf(String.raw`\E`, reader.at + 2);
  const text = reader.pattern.slice(reader.at + 2, close < 0 ? undefined : close);
  reader.at = close < 0 ? reader.pattern.length : close + 2;
  const points = Array.from(text, (character) => literal(reader, character.codePointAt(0)!));
  const last = points.pop() ?? emptyNode;
  for (const point of points) items.push(point);
  items.push(readQuantifiers(reader, last));
}

function skipExtended(reader: RegexReader): void {
  if (!reader.options.extended) return;
  const blank = /(?:\s|#[^\n]*)+/y;
  blank.lastIndex = reader.at;
  const match = blank.exec(reader.pattern);
  if (match !== null) reader.at += match[0].length;
}

const quantifier = /(?:([?*+])|\{(\d+)(,?)(\d*)\})([?+]?)/y;

function readQuantifiers(reader: RegexReader, atom: RegexNode): RegexNode {
  let node = atom;
  for (;;) {
    skipExtended(reader);
    quantifier.lastIndex = reader.at;
    const match = quantifier.exec(reader.pattern);
    if (match === null) return node;
    if (cannotRepeat(node)) return badRegex('target of repeat operator is invalid');
    reader.at += match[0].length;
    const [, mark, low, comma, high, mode] = match;
    const { min, max } = mark === undefined ? interval(low!, comma!, high!) : marks[mark]!;
    const repeat: RegexNode = { type: 'repeat', body: node, min, max, greedy: mode !== '?' };
    node = mode === '+' ? { type: 'atomic', body: repeat } : repeat;
  }
}

/** Nodes that consume no characters cannot be repeated, except in a sequence or a group of their own. */
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

/** One piece without its quantifier. */
function readAtom(reader: RegexReader, depth: number): RegexNode {
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

const callouts = /^\*(?:FAIL|MISMATCH|ERROR|MAX|COUNT|TOTAL_COUNT|CMP|SKIP)\b/;

/** A group, after its `(`. */
function readGroup(reader: RegexReader, depth: number): RegexNode {
  const { pattern } = reader;
  const next = pattern[reader.at];
  if (next === '*') {
    const callout = callouts.exec(pattern.slice(reader.at, reader.at + 20))?.[0];
    return badRegex(callout === undefined ? 'undefined callout name' : `(${callout}) is not supported`);
  }
  if (next !== '?') return capture(reader, depth, null);
  reader.at++;
  const rest = pattern.slice(reader.at, reader.at + 200);
  if (rest === '') return badRegex('end pattern in group');
  const opening = /^(?:[:>=!]|<[=!])/.exec(rest)?.[0];
  if (opening !== undefined) {
    reader.at += opening.length;
    return special(opening, readBody(reader, depth));
  }
  if (/^[~{]/.test(rest)) return badRegex(`(?${rest[0]} is not supported`);
  if (rest.startsWith('(')) return condition(reader, depth);
  if (/^[<']/.test(rest)) return named(reader, depth, rest);
  return readOptions(reader, depth, rest);
}

function readBody(reader: RegexReader, depth: number): RegexNode {
  const body = readChoice(reader, depth);
  if (reader.pattern[reader.at] !== ')') return badRegex('end pattern with unmatched parenthesis');
  reader.at++;
  return body;
}

function capture(reader: RegexReader, depth: number, name: string | null): RegexNode {
  const index = reader.names.push(name);
  return { type: 'capture', index, body: readBody(reader, depth) };
}

function special(opening: string, body: RegexNode): RegexNode {
  if (opening === ':') return body;
  if (opening === '>') return { type: 'atomic', body };
  return { type: 'look', behind: opening.startsWith('<'), negated: opening.endsWith('!'), body };
}

function skipComment(reader: RegexReader): void {
  const close = reader.pattern.indexOf(')', reader.at);
  if (close < 0) badRegex('end pattern in group');
  reader.at = close + 1;
}

function named(reader: RegexReader, depth: number, rest: string): RegexNode {
  const close = rest.startsWith('<') ? '>' : "'";
  const end = rest.indexOf(close, 1);
  if (end === 1) return badRegex('group name is empty');
  if (rest.length === 1) return badRegex('end pattern with unmatched parenthesis');
  const name = end < 0 ? rest.slice(1) : rest.slice(1, end);
  if (end < 0 || !/^[\p{L}\p{M}\p{Nl}\p{Pc}][^)]*$/u.test(name)) return badRegex(`invalid group name <${name}>`);
  reader.at += end + 1;
  return capture(reader, depth, name);
}

/** `(?(1)then|otherwise)`, `(?(<name>)then|otherwise)`, after `(?`. */
function condition(reader: RegexReader, depth: number): RegexNode {
  const rest = reader.pattern.slice(reader.at, reader.at + 200);
  const match = /^\((?:<([^>)]+)>|'([^')]+)'|([-+]?\d+))\)/.exec(rest);
  if (match === null) return badRegex('invalid if-else syntax');
  reader.at += match[0].length;
  const groups = referredGroups(reader, match[1] ?? match[2] ?? match[3]!);
  const body = readBody(reader, depth);
  if (body.type !== 'choice') return { type: 'condition', groups, then: body, otherwise: emptyNode };
  const [then = emptyNode, ...others] = body.options;
  return { type: 'condition', groups, then, otherwise: { type: 'choice', options: others } };
}

/** `(?i)` for the rest of the current group, `(?i:…)` for its own content; after `(?`. */
function readOptions(reader: RegexReader, depth: number, rest: string): RegexNode {
  const match = /^([imsx]*)(?:-([imsx]*))?([:)]|$)/.exec(rest);
  if (match === null) return badRegex('undefined group option');
  const [text, on = '', off = '', close] = match;
  if (close === '') return badRegex('end pattern in group');
  reader.at += text.length;
  const { options: outer } = reader;
  const set = (letter: string, before: boolean): boolean =>
    off.includes(letter) ? false : on.includes(letter) ? true : before;
  reader.options = {
    ignoreCase: set('i', outer.ignoreCase),
    extended: set('x', outer.extended),
    dotMatchesNewline: set('s', outer.dotMatchesNewline),
    multiLine: set('m', outer.multiLine),
  };
  if (close === ')') return emptyNode;
  const body = readBody(reader, depth);
  reader.options = outer;
  return { type: 'sequence', items: [body] };
}

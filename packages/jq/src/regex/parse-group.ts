import { badRegex } from './character-set.ts';
import { readChoice, referredGroups } from './parse-regex.ts';
import type { RegexReader } from './regex-reader.ts';
import { emptyNode, type RegexNode } from './regex-tree.ts';

/** A group, with its `(` already read; `undefined` for comments. */
export function readGroup(reader: RegexReader, depth: number): RegexNode | undefined {
  const { pattern } = reader;
  const next = pattern[reader.at];
  if (next === '*') return badRegex('undefined callout name');
  if (next !== '?') return capture(reader, depth, null);
  reader.at++;
  const rest = pattern.slice(reader.at, reader.at + 200);
  if (rest === '') return badRegex('end pattern in group');
  const opening = /^(?:[:>=!]|<[=!])/.exec(rest)?.[0];
  if (opening !== undefined) {
    reader.at += opening.length;
    return special(opening, readBody(reader, depth));
  }
  if (rest.startsWith('#')) return skipComment(reader);
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

function skipComment(reader: RegexReader): undefined {
  const close = reader.pattern.indexOf(')', reader.at);
  if (close < 0) return badRegex('end pattern in group');
  reader.at = close + 1;
  return undefined;
}

function named(reader: RegexReader, depth: number, rest: string): RegexNode {
  const close = rest.startsWith('<') ? '>' : "'";
  const end = rest.indexOf(close, 1);
  if (end === 1) return badRegex('group name is empty');
  const name = end < 0 ? rest.slice(1) : rest.slice(1, end);
  if (end < 0 || !/^[\p{L}\p{M}\p{Nl}\p{Pc}][^)]*$/u.test(name)) return badRegex(`invalid group name <${name}>`);
  reader.at += end + 1;
  return capture(reader, depth, name);
}

/** `(?(1)then|otherwise)`, `(?(<name>)then|otherwise)`, with `(?` already read. */
function condition(reader: RegexReader, depth: number): RegexNode {
  const rest = reader.pattern.slice(reader.at, reader.at + 200);
  const found = /^\((?:<([^>)]+)>|'([^')]+)'|([-+]?\d+))\)/.exec(rest);
  if (found === null) return badRegex('invalid if-else syntax');
  reader.at += found[0].length;
  const groups = referredGroups(reader, found[1] ?? found[2] ?? found[3]!);
  const body = readBody(reader, depth);
  if (body.type !== 'choice') return { type: 'condition', groups, then: body, otherwise: emptyNode };
  const [then = emptyNode, ...others] = body.options;
  return { type: 'condition', groups, then, otherwise: { type: 'choice', options: others } };
}

/** `(?i)` for the rest of the group it is in, `(?i:…)` for its own content; `(?` is already read. */
function readOptions(reader: RegexReader, depth: number, rest: string): RegexNode | undefined {
  const found = /^([imsx]*)(?:-([imsx]*))?([:)]|$)/.exec(rest);
  if (found === null) return badRegex('undefined group option');
  const [text, on = '', off = '', close] = found;
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

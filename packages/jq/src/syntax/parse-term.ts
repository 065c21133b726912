import type { JqValue } from '../jq-value.ts';
import { parseNumber } from '../values/numbers.ts';
import { parseObject, parsePatterns, parseString, variableTerm } from './parse-structure.ts';
import type { Node } from './syntax-tree.ts';
import { accept, expect, isAt, nested, next, peek, type TokenReader, unexpected } from './tokens.ts';

const constants = new Map<string, JqValue>([
  ['null', null],
  ['true', true],
  ['false', false],
]);

/** `-term` or a term with its suffixes; also the operand of `try` and `catch`. */
export function parseUnary(reader: TokenReader): Node {
  if (!isAt(reader, '-')) return parsePostfix(reader);
  const { at } = next(reader);
  return { type: 'negate', body: nested(reader, parseUnary), at };
}

/** A term and its suffixes: `.foo`, `[…]`, `?`. */
function parsePostfix(reader: TokenReader): Node {
  const first = peek(reader);
  let term = parseTerm(reader);
  let isStep = first.type === 'field' || (first.text === '.' && term.type === 'index');
  for (;;) {
    const token = peek(reader);
    if (accept(reader, '?')) {
      term = isStep ? optionalStep(term) : { type: 'try', body: term, handler: undefined, at: token.at };
      isStep = false;
      continue;
    }
    isStep = true;
    if (token.type === 'field') {
      next(reader);
      term = { type: 'index', target: term, key: { type: 'literal', value: token.text, at: token.at }, at: token.at };
    } else if (isAt(reader, '.')) {
      next(reader);
      if (peek(reader).type === 'quote') {
        term = { type: 'index', target: term, key: parseString(reader, undefined), at: token.at };
      } else if (isAt(reader, '[')) term = parseBracket(reader, term);
      else throw unexpected(reader, 'a field name, a string or `[` after `.`');
    } else if (isAt(reader, '[')) term = parseBracket(reader, term);
    else return term;
  }
}

function optionalStep(term: Node): Node {
  return term.type === 'index' || term.type === 'slice' || term.type === 'iterate' ? { ...term, optional: true } : term;
}

/** `[]`, `[key]`, `[from:to]` after a term. */
function parseBracket(reader: TokenReader, target: Node): Node {
  const { at } = next(reader);
  if (accept(reader, ']')) return { type: 'iterate', target, at };
  if (accept(reader, ':')) {
    const to = reader.grammar.pipe(reader);
    expect(reader, ']', 'after the slice');
    return { type: 'slice', target, from: undefined, to, at };
  }
  const key = reader.grammar.pipe(reader);
  if (accept(reader, ':')) {
    const to = isAt(reader, ']') ? undefined : reader.grammar.pipe(reader);
    expect(reader, ']', 'after the slice');
    return { type: 'slice', target, from: key, to, at };
  }
  expect(reader, ']', 'after the index');
  return { type: 'index', target, key, at };
}

function parseTerm(reader: TokenReader): Node {
  const token = peek(reader);
  const { at } = token;
  switch (token.type) {
    case 'number':
      next(reader);
      return { type: 'literal', value: parseNumber(token.text), at };
    case 'quote':
      return parseString(reader, undefined);
    case 'format':
      next(reader);
      return peek(reader).type === 'quote' ? parseString(reader, token.text) : { type: 'format', name: token.text, at };
    case 'field':
      next(reader);
      return { type: 'index', target: { type: 'identity', at }, key: { type: 'literal', value: token.text, at }, at };
    case 'variable':
      next(reader);
      return variableTerm(reader, token.text, at);
    case 'name':
      next(reader);
      if (constants.has(token.text)) return { type: 'literal', value: constants.get(token.text) ?? null, at };
      return { type: 'call', name: token.text, args: parseArguments(reader), at };
    case 'keyword':
      return parseKeyword(reader);
    default:
      return parseOperatorTerm(reader);
  }
}

function parseArguments(reader: TokenReader): readonly Node[] {
  const args: Node[] = [];
  if (!accept(reader, '(')) return args;
  do args.push(reader.grammar.pipe(reader));
  while (accept(reader, ';'));
  expect(reader, ')', 'after the arguments');
  return args;
}

function parseOperatorTerm(reader: TokenReader): Node {
  const { at } = peek(reader);
  if (accept(reader, '.')) {
    if (peek(reader).type === 'quote') {
      return { type: 'index', target: { type: 'identity', at }, key: parseString(reader, undefined), at };
    }
    return { type: 'identity', at };
  }
  if (accept(reader, '..')) return { type: 'descend', at };
  if (accept(reader, '(')) {
    const body = reader.grammar.pipe(reader);
    expect(reader, ')', 'to close the parenthesis');
    return body;
  }
  if (accept(reader, '[')) {
    if (accept(reader, ']')) return { type: 'array', body: undefined, at };
    const body = reader.grammar.pipe(reader);
    expect(reader, ']', 'to close the array');
    return { type: 'array', body, at };
  }
  if (accept(reader, '{')) return nested(reader, () => parseObject(reader, at));
  if (isAt(reader, '-')) return parseUnary(reader);
  throw unexpected(reader, 'an expression');
}

function parseKeyword(reader: TokenReader): Node {
  const { text, at } = next(reader);
  switch (text) {
    case 'if':
      return nested(reader, () => parseIf(reader, at));
    case 'try': {
      const body = nested(reader, parseUnary);
      const handler = accept(reader, 'catch') ? nested(reader, parseUnary) : undefined;
      return { type: 'try', body, handler, at };
    }
    case 'reduce':
    case 'foreach':
      return nested(reader, () => parseLoop(reader, text, at));
    case 'break': {
      const label = peek(reader);
      if (label.type !== 'variable') throw unexpected(reader, 'a label such as `$out` after `break`');
      next(reader);
      return { type: 'break', name: label.text, at };
    }
    default:
      reader.index--;
      throw unexpected(reader, 'an expression');
  }
}

function parseIf(reader: TokenReader, at: number): Node {
  const condition = reader.grammar.pipe(reader);
  expect(reader, 'then', 'after the condition of `if`');
  const then = reader.grammar.pipe(reader);
  const branch = peek(reader);
  let otherwise: Node | undefined;
  if (accept(reader, 'elif')) return { type: 'if', condition, then, otherwise: parseIf(reader, branch.at), at };
  if (accept(reader, 'else')) otherwise = reader.grammar.pipe(reader);
  expect(reader, 'end', 'to close `if`');
  return { type: 'if', condition, then, otherwise, at };
}

function parseLoop(reader: TokenReader, type: 'reduce' | 'foreach', at: number): Node {
  const source = reader.grammar.expression(reader);
  expect(reader, 'as', `after the source of \`${type}\``);
  const patterns = parsePatterns(reader);
  expect(reader, '(', `before the steps of \`${type}\``);
  const init = reader.grammar.pipe(reader);
  expect(reader, ';', `after the first step of \`${type}\``);
  const update = reader.grammar.pipe(reader);
  const extract = type === 'foreach' && accept(reader, ';') ? reader.grammar.pipe(reader) : undefined;
  expect(reader, ')', `after the steps of \`${type}\``);
  return type === 'reduce'
    ? { type, source, patterns, init, update, at }
    : { type, source, patterns, init, update, extract, at };
}

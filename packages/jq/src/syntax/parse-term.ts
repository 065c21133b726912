import { positionAt } from '../jq-error.ts';
import type { JqValue } from '../jq-value.ts';
import { parseNumber } from '../values/scalars.ts';
import {
  accept,
  expect,
  isAt,
  nested,
  next,
  type Node,
  type ObjectEntry,
  type Pattern,
  type PatternField,
  peek,
  type TokenReader,
  unexpected,
  unexpectedLast,
} from './tokens.ts';

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
  const from = isAt(reader, ':') ? undefined : reader.grammar.pipe(reader);
  if (from === undefined || isAt(reader, ':')) {
    next(reader);
    const to = from !== undefined && isAt(reader, ']') ? undefined : reader.grammar.pipe(reader);
    expect(reader, ']', 'after the slice');
    return { type: 'slice', target, from, to, at };
  }
  expect(reader, ']', 'after the index');
  return { type: 'index', target, key: from, at };
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
      throw unexpectedLast(reader, 'an expression');
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

/** A string, from its opening quote. */
function parseString(reader: TokenReader, format: string | undefined): Node {
  const { at } = next(reader);
  const parts: (string | Node)[] = [];
  for (;;) {
    const token = next(reader);
    if (token.type === 'quote') break;
    if (token.type === 'text') parts.push(token.text);
    else {
      parts.push(reader.grammar.pipe(reader));
      expect(reader, ')', 'after the interpolated expression');
    }
  }
  if (parts.every((part) => typeof part === 'string')) return { type: 'literal', value: parts.join(''), at };
  return { type: 'string', format, parts, at };
}

function parseObject(reader: TokenReader, at: number): Node {
  const entries: ObjectEntry[] = [];
  if (accept(reader, '}')) return { type: 'object', entries, at };
  do {
    if (isAt(reader, '}') && entries.length > 0) break;
    entries.push(parseEntry(reader));
  } while (accept(reader, ','));
  expect(reader, '}', 'or `,` in the object');
  return { type: 'object', entries, at };
}

function parseEntry(reader: TokenReader): ObjectEntry {
  const token = peek(reader);
  const { at } = token;
  const identity: Node = { type: 'identity', at };
  if (token.type === 'variable') {
    next(reader);
    const value = variableTerm(reader, token.text, at);
    if (accept(reader, ':')) return { key: value, value: parseObjectValue(reader) };
    return { key: { type: 'literal', value: token.text, at }, value };
  }
  if (accept(reader, '(')) {
    const key = reader.grammar.pipe(reader);
    expect(reader, ')', 'after the key');
    expect(reader, ':', 'after the key');
    return { key, value: parseObjectValue(reader) };
  }
  const key = parseKey(reader);
  if (accept(reader, ':')) return { key, value: parseObjectValue(reader) };
  if (!isAt(reader, ',') && !isAt(reader, '}')) throw unexpected(reader, '`:`, `,` or `}` after the key of an object');
  return { key, value: { type: 'index', target: identity, key, at } };
}

function variableTerm(reader: TokenReader, name: string, at: number): Node {
  return name === '__loc__'
    ? { type: 'location', line: positionAt(reader.source, at).line, at }
    : { type: 'variable', name, at };
}

function parseKey(reader: TokenReader): Node {
  const token = peek(reader);
  const { at } = token;
  if (token.type === 'quote') return parseString(reader, undefined);
  if (token.type === 'format') {
    next(reader);
    if (peek(reader).type !== 'quote') throw unexpected(reader, 'a string after the format of a key');
    return parseString(reader, token.text);
  }
  if (token.type === 'number') {
    throw unexpected(reader, 'a key of an object: a name, a string, a variable or an expression in parentheses');
  }
  if (token.type !== 'name' && token.type !== 'keyword') throw unexpected(reader, 'a key of an object');
  next(reader);
  return { type: 'literal', value: token.text, at };
}

/** The value of an object's key: no `,`, but pipes are allowed. */
function parseObjectValue(reader: TokenReader): Node {
  const left = nested(reader, reader.grammar.expression);
  if (!accept(reader, '|')) return left;
  return { type: 'pipe', left, right: nested(reader, parseObjectValue), at: left.at };
}

/** `pattern ?// pattern ?// …` */
export function parsePatterns(reader: TokenReader): readonly Pattern[] {
  const patterns = [parsePattern(reader)];
  // `?//` arrives as two tokens, because `.a?//1` must read as `(.a?) // 1`
  while (isAt(reader, '?') && reader.tokens[reader.index + 1]?.text === '//') {
    reader.index += 2;
    patterns.push(parsePattern(reader));
  }
  return patterns;
}

function parsePattern(reader: TokenReader): Pattern {
  const token = peek(reader);
  if (token.type === 'variable') {
    next(reader);
    return { type: 'name', name: token.text };
  }
  const parseAll = <Part>(parsePart: (reader: TokenReader) => Part): readonly Part[] => {
    const parts: Part[] = [];
    do parts.push(nested(reader, parsePart));
    while (accept(reader, ','));
    return parts;
  };
  if (accept(reader, '[')) {
    const items = parseAll(parsePattern);
    expect(reader, ']', 'after the array pattern');
    return { type: 'list', items };
  }
  if (accept(reader, '{')) {
    const fields = parseAll(parseField);
    expect(reader, '}', 'after the object pattern');
    return { type: 'fields', fields };
  }
  throw unexpected(reader, 'a variable, `[` or `{`');
}

function parseField(reader: TokenReader): PatternField {
  const token = peek(reader);
  if (token.type === 'variable') {
    next(reader);
    const key: Node = { type: 'literal', value: token.text, at: token.at };
    const pattern = accept(reader, ':') ? parsePattern(reader) : undefined;
    return { key, name: token.text, pattern };
  }
  const key = parseFieldKey(reader);
  expect(reader, ':', 'after the key of an object pattern');
  return { key, pattern: parsePattern(reader) };
}

function parseFieldKey(reader: TokenReader): Node {
  const { type } = peek(reader);
  if (type === 'name' || type === 'keyword' || type === 'quote') return parseKey(reader);
  if (accept(reader, '(')) {
    const key = reader.grammar.pipe(reader);
    expect(reader, ')', 'after the key of an object pattern');
    return key;
  }
  throw unexpected(reader, 'a key or a variable');
}

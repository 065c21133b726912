import { positionAt } from '../jq-error.ts';
import type { Node, ObjectEntry, Pattern, PatternField } from './syntax-tree.ts';
import { accept, expect, isAt, nested, next, peek, type TokenReader, unexpected } from './tokens.ts';

/** A string, from its opening quote. */
export function parseString(reader: TokenReader, format: string | undefined): Node {
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

export function parseObject(reader: TokenReader, at: number): Node {
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

export function variableTerm(reader: TokenReader, name: string, at: number): Node {
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
  if (token.type !== 'name' && token.type !== 'keyword' && token.type !== 'number') {
    throw unexpected(reader, 'a key of an object');
  }
  next(reader);
  if (token.type === 'number') {
    reader.index--;
    throw unexpected(reader, 'a key of an object: a name, a string, a variable or an expression in parentheses');
  }
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
  if (accept(reader, '[')) {
    const items: Pattern[] = [];
    do items.push(nested(reader, parsePattern));
    while (accept(reader, ','));
    expect(reader, ']', 'after the array pattern');
    return { type: 'list', items };
  }
  if (accept(reader, '{')) {
    const fields: PatternField[] = [];
    do fields.push(nested(reader, parseField));
    while (accept(reader, ','));
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
  const token = peek(reader);
  if (token.type === 'name' || token.type === 'keyword') {
    next(reader);
    return { type: 'literal', value: token.text, at: token.at };
  }
  if (token.type === 'quote') return parseString(reader, undefined);
  if (accept(reader, '(')) {
    const key = reader.grammar.pipe(reader);
    expect(reader, ')', 'after the key of an object pattern');
    return key;
  }
  throw unexpected(reader, 'a key or a variable');
}

import { parsePipe } from './parse-program.ts';
import { parseString } from './parse-term.ts';
import type { Node, Pattern, PatternField } from './syntax-tree.ts';
import { accept, expect, isAt, nested, next, peek, type TokenReader, unexpected } from './token-reader.ts';

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
    const key = parsePipe(reader);
    expect(reader, ')', 'after the key of an object pattern');
    return key;
  }
  throw unexpected(reader, 'a key or a variable');
}

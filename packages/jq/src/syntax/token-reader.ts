import { type JqError, sourceError } from '../jq-error.ts';
import { type Token, tokenize } from './tokens.ts';

/** Deeper nesting of brackets is refused: the parser and the compiler recurse on it. */
const maxNesting = 400;

/** A cursor over the tokens of one program. */
export interface TokenReader {
  readonly source: string;
  readonly tokens: readonly Token[];
  index: number;
  nesting: number;
}

export function openTokens(source: string): TokenReader {
  return { source, tokens: tokenize(source), index: 0, nesting: 0 };
}

export function peek(reader: TokenReader): Token {
  return reader.tokens[reader.index]!;
}

export function next(reader: TokenReader): Token {
  const token = peek(reader);
  if (token.type !== 'end') reader.index++;
  return token;
}

export function isAt(reader: TokenReader, text: string): boolean {
  const token = peek(reader);
  return (token.type === 'operator' || token.type === 'keyword') && token.text === text;
}

export function accept(reader: TokenReader, text: string): boolean {
  if (!isAt(reader, text)) return false;
  reader.index++;
  return true;
}

export function expect(reader: TokenReader, text: string, purpose: string): void {
  if (!accept(reader, text)) throw unexpected(reader, `\`${text}\` ${purpose}`);
}

function describe(token: Token): string {
  switch (token.type) {
    case 'end':
      return 'the end of the program';
    case 'quote':
    case 'text':
      return 'a string';
    case 'field':
      return `\`.${token.text}\``;
    case 'variable':
      return `\`$${token.text}\``;
    default:
      return `\`${token.text}\``;
  }
}

export function unexpected(reader: TokenReader, expected: string): JqError {
  const token = peek(reader);
  return sourceError('syntax', `Found ${describe(token)} but expected ${expected}`, reader.source, token.at);
}

/** Runs a parser one level deeper. */
export function nested<Result>(reader: TokenReader, parse: (reader: TokenReader) => Result): Result {
  if (++reader.nesting > maxNesting) {
    const message = `The program nests deeper than ${maxNesting} levels`;
    throw sourceError('syntax', message, reader.source, peek(reader).at);
  }
  const result = parse(reader);
  reader.nesting--;
  return result;
}

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

/** What people who come from other languages want to write. */
function otherSpelling({ tokens, index }: TokenReader): string | undefined {
  const found = tokens[index]!;
  const before = tokens[index - 1];
  if (before === undefined || before.at + before.text.length < found.at) return undefined;
  const written = before.text + found.text;
  if (written === '||') return 'write `or` for either of two conditions';
  return written === '===' ? 'write `==` to compare' : undefined;
}

export function unexpected(reader: TokenReader, expected: string): JqError {
  const token = peek(reader);
  const reason = `found ${describe(token)} but expected ${expected}`;
  return sourceError({ kind: 'syntax', reason, source: reader.source, at: token.at, hint: otherSpelling(reader) });
}

/** Runs a parser one level deeper. */
export function nested<Result>(reader: TokenReader, parse: (reader: TokenReader) => Result): Result {
  if (++reader.nesting > maxNesting) {
    const reason = `the program nests deeper than ${maxNesting} levels`;
    throw sourceError({ kind: 'syntax', reason, source: reader.source, at: peek(reader).at });
  }
  const result = parse(reader);
  reader.nesting--;
  return result;
}

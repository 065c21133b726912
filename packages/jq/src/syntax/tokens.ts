import { type JqError, sourceError } from '../jq-error.ts';
import type { JqValue } from '../jq-value.ts';
import type { ArithmeticOperator, AssignmentOperator } from '../values/arithmetic.ts';
import type { ComparisonOperator } from '../values/compare.ts';
import { simpleEscapes } from '../values/scalars.ts';

export type Pattern =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'list'; readonly items: readonly Pattern[] }
  | { readonly type: 'fields'; readonly fields: readonly PatternField[] };

/** One `key: pattern` of an object pattern; `$name` alone or before the colon also binds the field itself. */
export interface PatternField {
  readonly key: Node;
  readonly name?: string | undefined;
  readonly pattern?: Pattern | undefined;
}

export interface Definition {
  readonly name: string;
  /** Parameter names. A parameter written `$x` is `x` here, and the body starts with `x as $x |`. */
  readonly params: readonly string[];
  readonly body: Node;
}

export interface ObjectEntry {
  readonly key: Node;
  readonly value: Node;
}

/** A step into a value; `?` after it makes only this step optional. */
interface Access {
  readonly optional?: true;
}

interface Loop {
  readonly source: Node;
  readonly patterns: readonly Pattern[];
  readonly init: Node;
  readonly update: Node;
}

type Shape =
  | { readonly type: 'identity' }
  | { readonly type: 'descend' }
  | { readonly type: 'literal'; readonly value: JqValue }
  | { readonly type: 'string'; readonly format: string | undefined; readonly parts: readonly (string | Node)[] }
  | { readonly type: 'format'; readonly name: string }
  | ({ readonly type: 'index'; readonly target: Node; readonly key: Node } & Access)
  | ({
      readonly type: 'slice';
      readonly target: Node;
      readonly from: Node | undefined;
      readonly to: Node | undefined;
    } & Access)
  | ({ readonly type: 'iterate'; readonly target: Node } & Access)
  | { readonly type: 'array'; readonly body: Node | undefined }
  | { readonly type: 'object'; readonly entries: readonly ObjectEntry[] }
  | { readonly type: 'negate'; readonly body: Node }
  | { readonly type: 'pipe'; readonly left: Node; readonly right: Node }
  | { readonly type: 'comma'; readonly left: Node; readonly right: Node }
  | { readonly type: 'alternative'; readonly left: Node; readonly right: Node }
  | { readonly type: 'and'; readonly left: Node; readonly right: Node }
  | { readonly type: 'or'; readonly left: Node; readonly right: Node }
  | { readonly type: 'arithmetic'; readonly operator: ArithmeticOperator; readonly left: Node; readonly right: Node }
  | { readonly type: 'comparison'; readonly operator: ComparisonOperator; readonly left: Node; readonly right: Node }
  | { readonly type: 'assign'; readonly operator: AssignmentOperator; readonly left: Node; readonly right: Node }
  | { readonly type: 'if'; readonly condition: Node; readonly then: Node; readonly otherwise: Node | undefined }
  | { readonly type: 'try'; readonly body: Node; readonly handler: Node | undefined }
  | { readonly type: 'bind'; readonly source: Node; readonly patterns: readonly Pattern[]; readonly body: Node }
  | ({ readonly type: 'reduce' } & Loop)
  | ({ readonly type: 'foreach'; readonly extract: Node | undefined } & Loop)
  | { readonly type: 'label'; readonly name: string; readonly body: Node }
  | { readonly type: 'break'; readonly name: string }
  | { readonly type: 'define'; readonly definition: Definition; readonly body: Node }
  | { readonly type: 'call'; readonly name: string; readonly args: readonly Node[] }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'location'; readonly line: number };

/** A piece of program; `at` is its offset in the source. */
export type Node = Shape & { readonly at: number };
export type NodeOf<Type extends Shape['type']> = Extract<Node, { readonly type: Type }>;

type TokenType =
  | 'field'
  | 'name'
  | 'keyword'
  | 'variable'
  | 'number'
  | 'format'
  | 'quote'
  | 'text'
  | 'operator'
  | 'end';

/** `text` is the content of the token: a field without its dot, a string with escapes resolved. */
interface Token {
  readonly type: TokenType;
  readonly text: string;
  readonly at: number;
}

const keywords = new Set(
  'def as if then else elif end reduce foreach try catch label break import include module and or __loc__'.split(' '),
);
const blank = /(?:[ \t\r\n]+|#(?:[^\n\\]|\\[^\n]|\\\n|\\$)*)+/y;
const number = /(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;
const name = /(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*/y;
const variable = /\$\s*(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*/y;
const field = /\.[A-Za-z_]\w*/y;
const format = /@\w+/y;
const operator = /\/\/=|\|=|\/\/|==|!=|<=|>=|\+=|-=|\*=|\/=|%=|\.\.|[-+*/%<>=|,.;:?()[\]{}$]/y;
const stringText = /[^"\\]+/y;
/** `\\uXXXX`, together with the second half of a surrogate pair. */
const unicodeEscape = /\\u([\da-fA-F]{4})(?:(?<=d[89ab]..)\\u(d[c-f][\da-f]{2}))?/iy;
/** Hints for the syntax of other languages. */
const otherSpellings: { readonly [character: string]: string } = {
  "'": 'write strings in double quotes',
  '&': 'write `and` to combine conditions',
  '!': 'write `| not` after a condition to negate it',
};

interface Scanner {
  readonly source: string;
  readonly tokens: Token[];
  /** For each string being interpolated, the number of open parentheses inside its `\(`. */
  readonly interpolations: number[];
  at: number;
}

/**
 * Splits a program into tokens. A string is a `quote`, then `text` and interpolations (between the operators `\(` and
 * `)`), then a `quote`.
 */
function tokenize(source: string): readonly Token[] {
  const scanner: Scanner = { source, tokens: [], interpolations: [], at: 0 };
  for (;;) {
    take(scanner, blank);
    if (scanner.at >= source.length) break;
    scanToken(scanner);
  }
  scanner.tokens.push({ type: 'end', text: '', at: source.length });
  return scanner.tokens;
}

function take(scanner: Scanner, pattern: RegExp): string | undefined {
  pattern.lastIndex = scanner.at;
  const match = pattern.exec(scanner.source)?.[0];
  if (match !== undefined) scanner.at += match.length;
  return match;
}

function scanToken(scanner: Scanner): void {
  const { source, tokens, at } = scanner;
  const first = source[at]!;
  if (first === '"') {
    tokens.push({ type: 'quote', text: '"', at });
    scanner.at++;
    scanString(scanner, at);
    return;
  }
  const word = scanWord(scanner);
  if (word !== undefined) {
    tokens.push(word);
    return;
  }
  if (scanOperator(scanner)) return;
  const shown = String.fromCodePoint(source.codePointAt(at)!);
  const reason = `unexpected character ${JSON.stringify(shown)}`;
  throw sourceError({ kind: 'syntax', reason, source, at, hint: otherSpellings[shown] });
}

function scanWord(scanner: Scanner): Token | undefined {
  const { at } = scanner;
  const numeral = take(scanner, number);
  if (numeral !== undefined) return { type: 'number', text: numeral, at };
  const access = take(scanner, field);
  if (access !== undefined) return { type: 'field', text: access.slice(1), at };
  const word = take(scanner, name);
  if (word !== undefined) return { type: keywords.has(word) ? 'keyword' : 'name', text: word, at };
  const bound = take(scanner, variable);
  if (bound !== undefined) return { type: 'variable', text: bound.slice(1).trim(), at };
  const shape = take(scanner, format);
  return shape === undefined ? undefined : { type: 'format', text: shape, at };
}

function scanOperator(scanner: Scanner): boolean {
  const { at, interpolations } = scanner;
  const text = take(scanner, operator);
  if (text === undefined) return false;
  scanner.tokens.push({ type: 'operator', text, at });
  const open = interpolations.length - 1;
  if (open >= 0 && text === '(') interpolations[open]!++;
  // after the `)` of an interpolation the string continues
  if (open >= 0 && text === ')' && interpolations[open]!-- === 0) {
    interpolations.pop();
    scanString(scanner, at);
  }
  return true;
}

function scanString(scanner: Scanner, start: number): void {
  const { source, tokens } = scanner;
  let text = '';
  const textAt = scanner.at;
  for (;;) {
    text += take(scanner, stringText) ?? '';
    const mark = source[scanner.at];
    if (mark === undefined) {
      throw sourceError({ kind: 'syntax', reason: 'the string has no closing "', source, at: start });
    }
    if (mark === '"' || source[scanner.at + 1] === '(') {
      if (text !== '') tokens.push({ type: 'text', text: text.replace(/\p{Surrogate}/gu, '\ufffd'), at: textAt });
      if (mark === '"') tokens.push({ type: 'quote', text: '"', at: scanner.at });
      else {
        tokens.push({ type: 'operator', text: '\\(', at: scanner.at });
        scanner.interpolations.push(0);
      }
      scanner.at += mark === '"' ? 1 : 2;
      return;
    }
    text += scanEscape(scanner);
  }
}

function scanEscape(scanner: Scanner): string {
  const { source, at } = scanner;
  const letter = source[at + 1] ?? '';
  const simple = simpleEscapes[letter];
  if (simple !== undefined) {
    scanner.at += 2;
    return simple;
  }
  unicodeEscape.lastIndex = at;
  const [text = '', high = '', low] = unicodeEscape.exec(source) ?? [];
  if (letter !== 'u' || text === '') {
    const hint = 'write \\\\ for a backslash';
    throw sourceError({ kind: 'syntax', reason: `invalid escape \\${letter} in a string`, source, at, hint });
  }
  const unit = Number.parseInt(high, 16);
  if (low === undefined && unit >= 0xd800 && unit < 0xdc00) {
    throw sourceError({ kind: 'syntax', reason: `${text} is half of a surrogate pair`, source, at });
  }
  scanner.at += text.length;
  return low === undefined ? String.fromCharCode(unit) : String.fromCharCode(unit, Number.parseInt(low, 16));
}

/** Deeper nesting of brackets is rejected, because the parser and the compiler are recursive. */
const maxNesting = 400;

/** A cursor over the tokens of one program. */
export interface TokenReader {
  readonly source: string;
  readonly tokens: readonly Token[];
  readonly grammar: Grammar;
  index: number;
  nesting: number;
}

/** Parsers of parts of terms and patterns; the reader carries them, because they need terms themselves. */
export interface Grammar {
  readonly pipe: (reader: TokenReader) => Node;
  readonly expression: (reader: TokenReader) => Node;
}

export function openTokens(source: string, grammar: Grammar): TokenReader {
  return { source, tokens: tokenize(source), grammar, index: 0, nesting: 0 };
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

function describeToken(token: Token): string {
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

/** A hint for an operator of another language that consists of two tokens here. */
function otherSpelling({ tokens, index }: TokenReader): string | undefined {
  const current = tokens[index]!;
  const before = tokens[index - 1];
  if (before === undefined || before.at + before.text.length < current.at) return undefined;
  const written = before.text + current.text;
  if (written === '||') return 'write `or` to combine conditions';
  return written === '===' ? 'write `==` to compare' : undefined;
}

/** The same about the token that was read last. */
export function unexpectedLast(reader: TokenReader, expected: string): JqError {
  reader.index--;
  return unexpected(reader, expected);
}

export function unexpected(reader: TokenReader, expected: string): JqError {
  const token = peek(reader);
  const reason = `expected ${expected}, got ${describeToken(token)}`;
  return sourceError({ kind: 'syntax', reason, source: reader.source, at: token.at, hint: otherSpelling(reader) });
}

/** Runs a parser one level deeper. */
export function nested<Result>(reader: TokenReader, parse: (reader: TokenReader) => Result): Result {
  if (++reader.nesting > maxNesting) {
    const reason = `the program has more than ${maxNesting} levels`;
    throw sourceError({ kind: 'syntax', reason, source: reader.source, at: peek(reader).at });
  }
  const result = parse(reader);
  reader.nesting--;
  return result;
}

import { quote } from '../diagnostics/index.ts';
import { createLabelSelector, LabelSelectorError, parseInteger } from './label-selector.ts';
import type { LabelOperator, LabelRequirement, LabelSelector } from './label-selector.ts';
import { checkLabelKey, checkLabelValue } from './names.ts';

interface Token {
  /** The symbol itself, `word`, or `end`. */
  readonly type: string;
  readonly text: string;
  readonly position: number;
}

const tokenPattern = /[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^ \t\r\n=!(),<>]+))/y;
const operators: ReadonlySet<string> = new Set(['=', '==', '!=', '>', '<']);
// Longer than any command line; the limit keeps hostile input from costing time.
const longest = 1_000_000;

/**
 * Reads a selector like `kubectl --selector`: `app=web,tier in (front,back),!legacy`. Throws `LabelSelectorError`.
 * A key or value may also be the word `in` or `notin`, because no position allows both a word and such an operator.
 */
export function parseLabelSelector(text: string): LabelSelector {
  if (text.length > longest) throw new LabelSelectorError(text, ['it is too long']);
  const cursor = createCursor(text);
  const requirements: LabelRequirement[] = [];
  if (cursor.peek().type !== 'end') {
    requirements.push(parseRequirement(cursor));
    while (cursor.peek().type !== 'end') {
      cursor.expect(',', 'expected "," or the end');
      requirements.push(parseRequirement(cursor));
    }
  }
  return createLabelSelector(requirements);
}

interface Cursor {
  peek(): Token;
  next(): Token;
  /** Consumes a token of the type, or fails at the token found instead. */
  expect(type: string, expected: string): Token;
  fail(token: Token, reason: string): never;
}

function createCursor(text: string): Cursor {
  const tokens = tokenize(text);
  let index = 0;
  const cursor: Cursor = {
    peek: () => tokens[index]!,
    next: () => tokens[Math.min(index++, tokens.length - 1)]!,
    expect(type, expected) {
      const token = cursor.peek();
      if (token.type === type) return cursor.next();
      return cursor.fail(token, `${expected}, got ${token.type === 'end' ? 'the end' : quote(token.text)}`);
    },
    fail(token, reason) {
      throw new LabelSelectorError(text, [`${reason} at position ${token.position + 1}`], token.position);
    },
  };
  return cursor;
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  for (let match = tokenPattern.exec(text); match !== null; match = tokenPattern.exec(text)) {
    const [, symbol, word] = match;
    const found = symbol ?? word!;
    tokens.push({ type: symbol ?? 'word', text: found, position: match.index + match[0].length - found.length });
  }
  return [...tokens, { type: 'end', text: '', position: text.length }];
}

function parseRequirement(cursor: Cursor): LabelRequirement {
  if (cursor.peek().type === '!') {
    cursor.next();
    return { key: parseKey(cursor), operator: '!', values: [] };
  }
  const key = parseKey(cursor);
  const token = cursor.peek();
  if (token.type === ',' || token.type === 'end') return { key, operator: 'exists', values: [] };
  cursor.next();
  if (operators.has(token.type)) {
    return { key, operator: token.type as LabelOperator, values: [parseValue(cursor, token.type)] };
  }
  if (token.text === 'in' || token.text === 'notin') return { key, operator: token.text, values: parseValues(cursor) };
  return cursor.fail(token, `expected an operator, got ${quote(token.text)}`);
}

function parseKey(cursor: Cursor): string {
  const token = cursor.expect('word', 'expected a key');
  const reason = checkLabelKey(token.text);
  return reason === undefined ? token.text : cursor.fail(token, `key ${quote(token.text)} ${reason}`);
}

/** A missing value is the empty string, which `>` and `<` cannot compare with. */
function parseValue(cursor: Cursor, operator: string): string {
  const token = cursor.peek();
  const isMissing = token.type === ',' || token.type === 'end';
  const value = isMissing ? '' : checkedValue(cursor, cursor.expect('word', 'expected a value'));
  if ((operator === '>' || operator === '<') && parseInteger(value) === undefined) {
    return cursor.fail(token, `expected an integer after ${quote(operator)}, got ${quote(value)}`);
  }
  return value;
}

/** A missing value before or after a comma is the empty string, and so is an empty list. */
function parseValues(cursor: Cursor): readonly string[] {
  cursor.expect('(', 'expected "("');
  const values = new Set<string>();
  for (let more = true; more;) {
    values.add(cursor.peek().type === 'word' ? checkedValue(cursor, cursor.next()) : '');
    more = cursor.peek().type === ',';
    if (more) cursor.next();
  }
  cursor.expect(')', 'expected "," or ")"');
  return [...values].sort();
}

function checkedValue(cursor: Cursor, token: Token): string {
  const reason = checkLabelValue(token.text);
  return reason === undefined ? token.text : cursor.fail(token, `value ${quote(token.text)} ${reason}`);
}

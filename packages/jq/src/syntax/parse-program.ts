import { sourceError } from '../jq-error.ts';
import type { ArithmeticOperator, AssignmentOperator } from '../values/arithmetic.ts';
import type { ComparisonOperator } from '../values/compare.ts';
import { parsePatterns, parseUnary } from './parse-term.ts';
import {
  accept,
  type Definition,
  expect,
  type Grammar,
  isAt,
  nested,
  next,
  type Node,
  openTokens,
  peek,
  type TokenReader,
  unexpected,
  unexpectedLast,
} from './tokens.ts';

const grammar: Grammar = { pipe: parsePipe, expression: parseExpression };

export function parseProgram(source: string): Node {
  const reader = openTokens(source, grammar);
  refuseModules(reader);
  if (peek(reader).type === 'end') return { type: 'identity', at: 0 };
  const body = parsePipe(reader);
  if (peek(reader).type !== 'end') throw unexpected(reader, 'an operator or the end of the program');
  return body;
}

/** Parses the source of a builtin, which is a single definition. */
export function parseBuiltin(source: string): Definition {
  return parseDefinition(openTokens(source, grammar));
}

function refuseModules(reader: TokenReader): void {
  const token = peek(reader);
  if (token.type === 'keyword' && ['import', 'include', 'module'].includes(token.text)) {
    const reason = `modules are not supported: \`${token.text}\``;
    throw sourceError({ kind: 'compile', reason, source: reader.source, at: token.at });
  }
}

/** The lowest level: `def …; query`, `… | …`, `… as $x | …`, `label $x | …`. */
function parsePipe(reader: TokenReader): Node {
  return nested(reader, parsePipeHere);
}

function parsePipeHere(reader: TokenReader): Node {
  const operands: Node[] = [];
  for (;;) {
    const { node, open } = parseComma(reader);
    operands.push(node);
    // a binding or definition consumes the rest of the pipe
    if (open || !accept(reader, '|')) break;
  }
  return operands.reduceRight((right, left) => ({ type: 'pipe', left, right, at: left.at }));
}

interface Operand {
  readonly node: Node;
  /** Whether the operand has consumed everything after it. */
  readonly open: boolean;
}

function parseComma(reader: TokenReader): Operand {
  let { node, open } = parseQueryOperand(reader);
  while (!open && isAt(reader, ',')) {
    const { at } = next(reader);
    const right = parseQueryOperand(reader);
    node = { type: 'comma', left: node, right: right.node, at };
    open = right.open;
  }
  return { node, open };
}

function parseQueryOperand(reader: TokenReader): Operand {
  const { at } = peek(reader);
  if (isAt(reader, 'def')) {
    const definition = parseDefinition(reader);
    return { node: { type: 'define', definition, body: parsePipe(reader), at }, open: true };
  }
  if (accept(reader, 'label')) {
    const label = next(reader);
    if (label.type !== 'variable') throw unexpectedLast(reader, 'a name such as `$out` after `label`');
    expect(reader, '|', 'after the label');
    return { node: { type: 'label', name: label.text, body: parsePipe(reader), at }, open: true };
  }
  const source = parseExpression(reader);
  if (!accept(reader, 'as')) return { node: source, open: false };
  const patterns = parsePatterns(reader);
  expect(reader, '|', 'after the variable');
  return { node: { type: 'bind', source, patterns, body: parsePipe(reader), at }, open: true };
}

function parseDefinition(reader: TokenReader): Definition {
  expect(reader, 'def', 'here');
  const name = next(reader);
  if (name.type !== 'name' && name.type !== 'keyword') throw unexpectedLast(reader, "the function's name");
  const params: string[] = [];
  const bound: string[] = [];
  if (accept(reader, '(')) {
    do {
      const param = next(reader);
      if (param.type === 'variable') bound.push(param.text);
      else if (param.type !== 'name' && param.type !== 'keyword') throw unexpectedLast(reader, 'a parameter');
      params.push(param.text);
    } while (accept(reader, ';'));
    expect(reader, ')', 'after the parameters');
  }
  expect(reader, ':', `before the body of \`${name.text}\``);
  const body = parsePipe(reader);
  expect(reader, ';', `after the body of \`${name.text}\``);
  return { name: name.text, params, body: bound.reduceRight(bindParameter, body) };
}

function bindParameter(body: Node, name: string): Node {
  const source: Node = { type: 'call', name, args: [], at: body.at };
  return { type: 'bind', source, patterns: [{ type: 'name', name }], body, at: body.at };
}

interface Operator {
  readonly level: number;
  readonly associates: 'left' | 'right' | 'never';
}

const assignment: Operator = { level: 2, associates: 'never' };
const comparison: Operator = { level: 5, associates: 'never' };
const operators = new Map<string, Operator>([
  ['//', { level: 1, associates: 'right' }],
  ...['=', '|=', '+=', '-=', '*=', '/=', '%=', '//='].map((text) => [text, assignment] as const),
  ['or', { level: 3, associates: 'left' }],
  ['and', { level: 4, associates: 'left' }],
  ...['==', '!=', '<', '<=', '>', '>='].map((text) => [text, comparison] as const),
  ['+', { level: 6, associates: 'left' }],
  ['-', { level: 6, associates: 'left' }],
  ['*', { level: 7, associates: 'left' }],
  ['/', { level: 7, associates: 'left' }],
  ['%', { level: 7, associates: 'left' }],
]);

function operatorHere(reader: TokenReader): Operator | undefined {
  const token = peek(reader);
  return token.type === 'operator' || token.type === 'keyword' ? operators.get(token.text) : undefined;
}

/** Everything that binds tighter than `,`. */
function parseExpression(reader: TokenReader, lowest = 1): Node {
  let left = parseUnary(reader);
  let refused = Infinity;
  for (;;) {
    const operator = operatorHere(reader);
    if (operator === undefined || operator.level < lowest) return left;
    const token = next(reader);
    if (operator.level === refused) throw unexpectedLast(reader, `parentheses (\`${token.text}\` does not chain)`);
    const right = nested(reader, () =>
      parseExpression(reader, operator.associates === 'right' ? operator.level : operator.level + 1),
    );
    left = combine(token.text, left, right, token.at);
    refused = operator.associates === 'never' ? operator.level : Infinity;
  }
}

function combine(text: string, left: Node, right: Node, at: number): Node {
  if (text === 'and' || text === 'or') return { type: text, left, right, at };
  if (text === '//') return { type: 'alternative', left, right, at };
  const operator = operators.get(text);
  if (operator === assignment) return { type: 'assign', operator: text as AssignmentOperator, left, right, at };
  if (operator === comparison) return { type: 'comparison', operator: text as ComparisonOperator, left, right, at };
  return { type: 'arithmetic', operator: text as ArithmeticOperator, left, right, at };
}

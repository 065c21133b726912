import { parseSync } from 'oxc-parser';

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** What is called with arguments spread from anything but lists written on the spot. */
export function spreadCalls(path: string, text: string): readonly string[] {
  return nodesOf(path, text).flatMap(({ type, callee, arguments: passed }) => {
    if (type !== 'CallExpression' && type !== 'NewExpression') return [];
    const isSpread = (passed as readonly SyntaxNode[]).some(
      (argument) => argument.type === 'SpreadElement' && !isWritten(argument['argument'] as SyntaxNode),
    );
    const { start, end } = callee as SyntaxNode;
    return isSpread ? [text.slice(start, end).replaceAll(/\s+/g, ' ')] : [];
  });
}

function isWritten({ type, expression, consequent, alternate }: SyntaxNode): boolean {
  if (type === 'ParenthesizedExpression') return isWritten(expression as SyntaxNode);
  if (type === 'ConditionalExpression')
    return isWritten(consequent as SyntaxNode) && isWritten(alternate as SyntaxNode);
  return type === 'ArrayExpression';
}

/** The names of all variables and parameters that a file declares. */
export function boundNames(path: string, text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { type, id, params, param } of nodesOf(path, text)) {
    if (type === 'VariableDeclarator') collectNames(id, names);
    if (type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression')
      for (const parameter of params as readonly unknown[]) collectNames(parameter, names);
    if (type === 'CatchClause') collectNames(param, names);
  }
  return names;
}

function collectNames(pattern: unknown, names: Set<string>): void {
  if (!isNode(pattern)) return;
  const { type, name, properties, elements, value, argument, left } = pattern;
  if (type === 'Identifier') names.add(name as string);
  if (type === 'ObjectPattern') for (const property of properties as readonly unknown[]) collectNames(property, names);
  if (type === 'ArrayPattern') for (const element of elements as readonly unknown[]) collectNames(element, names);
  if (type === 'Property') collectNames(value, names);
  if (type === 'RestElement') collectNames(argument, names);
  if (type === 'AssignmentPattern') collectNames(left, names);
}

function nodesOf(path: string, text: string): readonly SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  const waiting: unknown[] = [parseSync(path, text).program];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (isNode(value)) nodes.push(value);
    for (const inner of Object.values(value)) waiting.push(inner);
  }
  return nodes;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** The texts of all strings and templates of a file. */
export function stringsIn(path: string, text: string): readonly string[] {
  return nodesOf(path, text).flatMap(({ type, value }) => {
    if (type === 'Literal') return typeof value === 'string' ? [value] : [];
    return type === 'TemplateElement' ? [(value as { readonly raw: string }).raw] : [];
  });
}

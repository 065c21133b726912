// Where a source file can be changed by one small mistake, and which part of it is replaced by the mutant.
import { parseSync } from 'oxc-parser';

const swapped = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '&&': '||',
  '||': '&&',
};

// Prose is data, and so are literals and lists at the top of a module.
const prose = new Set([
  'summary',
  'description',
  'hint',
  'message',
  'title',
  'help',
  'placeholder',
  'example',
  'explanation',
]);

/**
 * The mutations of a file: `text` instead of what is from `start` to `end`. The unit of a mutation is the nearest statement or
 * expression around it that can be switched as a whole; at the top of a module there is none.
 */
export function findSites(path, source) {
  const sites = [];
  visit(parseSync(path, source).program, { parent: undefined, unit: undefined, inFunction: false });
  return sites;

  function visit(node, { parent, key, unit, inFunction }) {
    if (isType(node) || node.type.startsWith('Import') || prose.has(node.key?.name)) return;
    if (node.type.startsWith('Export') && node.source != null) return;
    const within = inFunction || isFunction(node);
    const nearest = (inFunction ? unitOf(node, parent, key) : undefined) ?? unit;
    for (const { kind, start, end, text } of mutationsOf(node, { parent, key, inFunction }, source)) {
      if (source.slice(start, end) !== text) sites.push({ kind, start, end, text, unit: nearest });
    }
    for (const [name, child] of Object.entries(node)) {
      for (const each of Array.isArray(child) ? child : [child]) {
        if (typeof each?.type === 'string') visit(each, { parent: node, key: name, unit: nearest, inFunction: within });
      }
    }
  }
}

function unitOf({ type, start, end }, parent, key) {
  const isStatement = type.endsWith('Statement') && type !== 'BlockStatement';
  const inBlock = parent.type === 'BlockStatement' || (parent.type === 'SwitchCase' && key === 'consequent');
  const isBranch = ['consequent', 'alternate', 'body'].includes(key) && parent.type !== 'LabeledStatement';
  if (isStatement && (inBlock || isBranch)) return { start, end, isStatement };
  const isArrowBody = parent.type === 'ArrowFunctionExpression' && key === 'body' && type !== 'BlockStatement';
  const isInitial = parent.type === 'VariableDeclarator' && key === 'init';
  return isArrowBody || isInitial ? { start, end, isStatement } : undefined;
}

function isType(node) {
  if (/^TS(?:As|Satisfies|NonNull)/.test(node.type)) return false;
  return node.type.startsWith('TS');
}

function isFunction(node) {
  return /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
}

function* mutationsOf(node, { parent, key, inFunction }, source) {
  const { start, end } = node;
  const read = ({ start: from, end: to }) => source.slice(from, to);
  const inLoopTest = key === 'test' && /^(?:While|DoWhile|For)Statement$/.test(parent.type);
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      yield { kind: 'negate', start: node.test.start, end: node.test.end, text: `!(${read(node.test)})` };
      break;
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const { left, right, operator } = node;
      const between = source.slice(left.end, right.start);
      if (operator === '??') {
        yield { kind: 'operator', start, end, text: `(${read(left)})!` };
        yield { kind: 'operator', start, end, text: `(${read(right)})` };
      } else if (swapped[operator] !== undefined && between.includes(operator)) {
        const text = `${read(left)}${between.replace(operator, () => swapped[operator])}${read(right)}`;
        const grouped =
          node.type === 'LogicalExpression' ? `((${read(left)}) ${swapped[operator]} (${read(right)}))` : text;
        yield { kind: 'operator', start, end, text: grouped };
      }
      break;
    }
    case 'MemberExpression':
    case 'CallExpression': {
      const inner = node.type === 'CallExpression' ? node.callee : node.object;
      const at = node.optional ? source.indexOf('?.', inner.end) : -1;
      if (at >= 0) yield { kind: 'optional', start: at, end: at + 2, text: /[[(]/.test(source[at + 2]) ? '!' : '!.' };
      break;
    }
    case 'ExpressionStatement':
      if (/^(?:Await|Yield|Call|Chain)Expression$/.test(node.expression.type))
        yield { kind: 'call', start, end, text: ';' };
      break;
    case 'ContinueStatement':
      yield { kind: 'call', start, end, text: ';' };
      break;
    case 'ReturnStatement':
      if (node.argument !== null && !/^(?:undefined|false)$/.test(read(node.argument)))
        yield { kind: 'return', start, end, text: 'return undefined as never;' };
      break;
    case 'BlockStatement':
      if (isFunction(parent) && node.body.length > 1) {
        yield { kind: 'entry', start, end: start + 1, text: '{ return undefined as never;' };
      }
      break;
    case 'Literal':
      if (!inFunction || inLoopTest || key === 'source' || (key === 'key' && !parent.computed)) break;
      if (typeof node.value === 'boolean') yield { kind: 'literal', start, end, text: String(!node.value) };
      else if (typeof node.value === 'number') yield { kind: 'literal', start, end, text: String(node.value + 1) };
      else if (typeof node.value === 'string' && /^\S{1,24}$/.test(node.value))
        yield { kind: 'literal', start, end, text: "''" };
      break;
    case 'ArrayExpression':
    case 'ObjectExpression':
      if (!inFunction) break;
      for (const [index, element] of (node.elements ?? node.properties).entries()) {
        if (element === null || (node.type === 'ObjectExpression' && element.type !== 'SpreadElement')) continue;
        const next = (node.elements ?? node.properties)[index + 1];
        const comma = /^\s*,/.exec(source.slice(element.end, end))?.[0].length ?? 0;
        yield { kind: 'element', start: element.start, end: next?.start ?? element.end + comma, text: '' };
      }
      break;
    default:
  }
}

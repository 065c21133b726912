// Where a source file can be changed by one small mistake, and where to note that a test runs it.
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
 * The mutations of a file, `{ kind, start, end, text, recorder }`, and its recorders, `{ start, end, wrap }`: the statements and arrow
 * functions before which a call can be noted. The recorder of a mutation is the nearest that encloses it, or -1 at the top of the module.
 */
export function findSites(path, source) {
  const sites = [];
  const recorders = [];
  visit(parseSync(path, source).program, { parent: undefined, recorder: -1, inFunction: false });
  return { sites, recorders };

  function visit(node, { parent, key, recorder, inFunction }) {
    if (isType(node) || node.type.startsWith('Import') || prose.has(node.key?.name)) return;
    if (node.type.startsWith('Export') && node.source != null) return;
    const within = inFunction || isFunction(node);
    const own = inFunction ? openRecorder(node, parent, key) : recorder;
    const nearest = own ?? recorder;
    for (const { kind, start, end, text } of mutationsOf(node, { parent, key, inFunction }, source)) {
      if (source.slice(start, end) !== text) sites.push({ kind, start, end, text, recorder: nearest });
    }
    for (const [name, child] of Object.entries(node)) {
      for (const each of Array.isArray(child) ? child : [child]) {
        if (typeof each?.type === 'string')
          visit(each, { parent: node, key: name, recorder: nearest, inFunction: within });
      }
    }
  }

  function openRecorder(node, parent, key) {
    const isStatement = /Statement$/.test(node.type) && node.type !== 'BlockStatement';
    const inBlock = parent.type === 'BlockStatement' || (parent.type === 'SwitchCase' && key === 'consequent');
    const isBranch = ['consequent', 'alternate', 'body'].includes(key) && parent.type !== 'LabeledStatement';
    const isArrowBody = parent.type === 'ArrowFunctionExpression' && key === 'body' && node.type !== 'BlockStatement';
    const isInitial = parent.type === 'VariableDeclarator' && key === 'init';
    if (isStatement && inBlock) return recorders.push({ start: node.start, end: node.end, wrap: 'before' }) - 1;
    if (isStatement && isBranch) return recorders.push({ start: node.start, end: node.end, wrap: 'block' }) - 1;
    if (isArrowBody || isInitial) return recorders.push({ start: node.start, end: node.end, wrap: 'comma' }) - 1;
    return undefined;
  }
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
      if (node.argument !== null && read(node.argument) !== 'undefined') yield { kind: 'return', start, end, text: 'return undefined as never;' };
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

/** The source with a note at every recorder; `first` numbers them across files. */
export function insertRecorders(source, recorders, first) {
  const edits = recorders.flatMap(({ start, end, wrap }, index) => {
    const note = `globalThis.mutantHits[${first + index}]=1`;
    if (wrap === 'before') return [{ at: start, text: `${note};`, opens: true }];
    const [open, close] = wrap === 'block' ? [`{${note};`, '}'] : [`(${note},`, ')'];
    return [
      { at: start, text: open, opens: true },
      { at: end, text: close, opens: false },
    ];
  });
  // A recorder comes after those that enclose it, so that at one position opening ones are in order and closing ones in reverse.
  const sorted = [...edits.filter(({ opens }) => !opens).toReversed(), ...edits.filter(({ opens }) => opens)].toSorted(
    (a, b) => a.at - b.at,
  );
  let written = '';
  let position = 0;
  for (const { at, text } of sorted) {
    written += source.slice(position, at) + text;
    position = at;
  }
  return written + source.slice(position);
}

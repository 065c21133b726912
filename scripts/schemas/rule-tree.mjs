import { Environment } from '@marcbachmann/cel-js';

const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
  .registerVariable('self', 'dyn')
  .registerVariable('oldSelf', 'dyn');

/** Macros with a variable: `list.all(name, expression)`. */
const macros = new Set(['all', 'exists', 'exists_one', 'filter']);
const functions = new Set(['contains', 'startsWith', 'endsWith', 'size']);
const operators = new Set(['&&', '||', '==', '!=', '<', '<=', '>', '>=', '+', 'in', '?:', '[]', 'list']);

/**
 * The syntax tree of a rule as packages/kurel/src/validate/cel/evaluate-tree.ts evaluates it. An operation that it does not have is
 * `?`: then another evaluator decides.
 */
export function ruleTree(rule) {
  return writeNode(environment.parse(rule).ast);
}

/** An operator that the evaluator does not have. */
const unknown = ['?'];

function writeNode({ op, args }) {
  if (op === 'value') return writeValue(args);
  if (op === 'id') return args;
  if (op === '.') return ['.', writeNode(args[0]), args[1]];
  if (op === '!_') return ['!', writeNode(args)];
  if (op === '-_' && typeof args.args === 'bigint') return writeValue(-args.args);
  if (operators.has(op)) return [op, ...args.map(writeNode)];
  if (op === 'call') return writeCall(args[0], args[1]);
  if (op === 'rcall') return writeMethod(args[0], args[1], args[2]);
  return unknown;
}

function writeValue(value) {
  if (typeof value === 'string') return ['text', value];
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return Number(value);
  return typeof value === 'boolean' ? value : unknown;
}

function writeCall(name, args) {
  if (name === 'has' && args[0].op === '.') return ['has', writeNode(args[0].args[0]), args[0].args[1]];
  return name === 'size' ? ['size', writeNode(args[0])] : unknown;
}

function writeMethod(name, receiver, args) {
  if (macros.has(name)) return [name, writeNode(receiver), args[0].args, writeNode(args[1])];
  if (name === 'matches') return args[0].op === 'value' ? [name, writeNode(receiver), writeNode(args[0])] : unknown;
  return functions.has(name) ? [name, ...[receiver, ...args].map(writeNode)] : unknown;
}

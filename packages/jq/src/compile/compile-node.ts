import { formatter } from '../builtins/strings.ts';
import { type Code, codeOfConstant, codeOfSingle, identity, type Single } from '../code/code.ts';
import {
  binaryCode,
  collect,
  comparisonCode,
  emptyArray,
  logicCode,
  negateCode,
  objectCode,
  stringCode,
} from '../code/expressions.ts';
import {
  alternative,
  bindCode,
  breakTo,
  choose,
  foreachCode,
  labelled,
  pipe,
  reduceCode,
  sequence,
  tryCatch,
  type UpdateInPlace,
} from '../code/flow.ts';
import { descend, indexCode, iterate, iterateOptional, sliceCode } from '../code/navigation.ts';
import { assignCode, placesInside, updateIf, updateItems, updateKey, type UpdatePlaces } from '../code/updates.ts';
import { isArray, isObject, isTruthy, type JqValue, writeKey } from '../jq-value.ts';
import { checkArrayLength, countArray, countObject, limitReached, runState, spendSteps } from '../run-state.ts';
import type { Node, NodeOf } from '../syntax/tokens.ts';
import { getPath, setPath } from '../values/access.ts';
import { addTo, arithmetic, type AssignmentOperator, changeOf } from '../values/arithmetic.ts';
import { compileCall, defineFunction } from './calls.ts';
import {
  bind,
  compileBinding,
  compileInner,
  compileKey,
  environmentAt,
  findCallable,
  findBinding,
  type Site,
} from './scope.ts';
import { unknownFormat, unknownLabel, unknownVariable } from './unknown-name.ts';

const maxPieces = 500_000;

/**
 * Compiles one node: its parts, and then the code that combines them. In tail position (`tail`), a call of a
 * recursive function is left to the caller's loop.
 */
export function compileNode(node: Node, site: Site, tail = false): Code {
  if (++site.context.pieces > maxPieces)
    limitReached('host', 'the program is too large once its functions are expanded');
  switch (node.type) {
    case 'identity':
      return identity;
    case 'descend':
      return descend;
    case 'literal':
      return codeOfConstant(node.value);
    case 'location':
      return codeOfSingle(() => {
        countObject(2);
        return { file: '<top-level>', line: node.line };
      });
    case 'string':
      return compileString(node, site);
    case 'format':
      return codeOfSingle(formatterAt(node.name, node.at, site));
    case 'index':
      return indexCode(compileNode(node.target, site), compileNode(node.key, site), node.optional);
    case 'slice':
      return compileSlice(node, site);
    case 'iterate':
      return pipe(compileNode(node.target, site), node.optional === true ? iterateOptional : iterate);
    case 'array':
      return node.body === undefined ? emptyArray : collect(compileNode(node.body, site));
    case 'object':
      return objectCode(
        node.entries.map(({ key, value }) => ({ key: compileKey(key, site), value: compileNode(value, site) })),
      );
    case 'negate':
      return negateCode(compileNode(node.body, site));
    case 'arithmetic':
      return binaryCode(compileNode(node.left, site), compileNode(node.right, site), arithmetic[node.operator]);
    case 'comparison':
      return comparisonCode(node.operator, compileNode(node.left, site), compileNode(node.right, site));
    case 'and':
    case 'or':
      return logicCode(node.type, compileNode(node.left, site), compileNode(node.right, site));
    case 'pipe':
      return compilePipe(node, site, tail);
    case 'comma':
      return sequence(compileNode(node.left, site), compileNode(node.right, site, tail));
    case 'alternative':
      return alternative(compileNode(node.left, site), compileNode(node.right, site));
    case 'assign': {
      const places = compileNode(node.left, site);
      const right = compileNode(node.right, site);
      return assignCode(node.operator, places, right, compilePlaces(node.left, site));
    }
    case 'if':
      return compileIf(node, site, tail);
    case 'try': {
      const body = compileNode(node.body, site);
      return tryCatch(body, node.handler === undefined ? undefined : compileNode(node.handler, site));
    }
    case 'bind':
      return compileBind(node, site, tail);
    case 'reduce':
    case 'foreach':
      return compileLoop(node, site);
    case 'label':
      return compileLabel(node, site);
    case 'break':
      return compileBreak(node, site);
    case 'define':
      return compileNode(node.body, defineFunction(node.definition, site), tail);
    case 'call':
      return compileCall(node, site, tail);
    default:
      return compileVariable(node, site);
  }
}

function compileString(node: NodeOf<'string'>, site: Site): Code {
  const format = formatterAt(node.format ?? '@text', node.at, site);
  const parts = node.parts.map((part) => (typeof part === 'string' ? part : compileNode(part, site)));
  return stringCode(parts, format);
}

function formatterAt(name: string, at: number, site: Site): Single {
  const format = formatter(name);
  if (format === undefined) throw unknownFormat(name, at, site);
  return format;
}

function compileSlice(node: NodeOf<'slice'>, site: Site): Code {
  const from = compileBound(node.from, site);
  const to = compileBound(node.to, site);
  return sliceCode(compileNode(node.target, site), from, to, node.optional);
}

function compileBound(node: Node | undefined, site: Site): Code {
  return node === undefined ? codeOfSingle(() => null) : compileNode(node, site);
}

function compilePipe(node: NodeOf<'pipe'>, site: Site, tail: boolean): Code {
  const left = compileNode(node.left, site);
  const right = compileNode(node.right, site, tail && left.single !== undefined);
  return pipe(left, right);
}

function compileIf(node: NodeOf<'if'>, site: Site, tail: boolean): Code {
  const condition = compileNode(node.condition, site);
  const inTail = tail && condition.single !== undefined;
  const then = compileNode(node.then, site, inTail);
  const otherwise = node.otherwise === undefined ? identity : compileNode(node.otherwise, site, inTail);
  return choose(condition, then, otherwise);
}

function compileBind(node: NodeOf<'bind'>, site: Site, tail: boolean): Code {
  const source = compileNode(node.source, site);
  const binding = compileBinding(node.patterns, site);
  const inTail = tail && binding.simple && source.single !== undefined;
  return bindCode(source, binding, compileNode(node.body, binding.site, inTail));
}

function compileLoop(node: NodeOf<'reduce' | 'foreach'>, site: Site): Code {
  const source = compileNode(node.source, site);
  const init = compileNode(node.init, site);
  const binding = compileBinding(node.patterns, site);
  const loop = { source, binding, init, update: compileNode(node.update, binding.site) };
  if (node.type === 'reduce') return reduceCode(loop, compileInPlace(node.update, binding.site));
  return foreachCode(loop, node.extract === undefined ? identity : compileNode(node.extract, binding.site));
}

function compileLabel(node: NodeOf<'label'>, site: Site): Code {
  const level = site.level + 1;
  const scope = bind(site.scope, { kind: 'label', name: node.name, level });
  return labelled(compileNode(node.body, { ...site, scope, level }));
}

function compileBreak(node: NodeOf<'break'>, site: Site): Code {
  const label = findBinding('label', site.scope, node.name);
  if (label === undefined) throw unknownLabel(node, site);
  return breakTo(environmentAt(site.level - label.level));
}

function compileVariable(node: NodeOf<'variable'>, site: Site): Code {
  const binding = findBinding('variable', site.scope, node.name);
  if (binding !== undefined) {
    const read = readVariable(site.level - binding.level, binding.index);
    return { single: read, each: (input, env, emit, path) => emit(read(input, env), path) };
  }
  if (node.name === 'ENV') return codeOfSingle(() => runState.options.env ?? {});
  throw unknownVariable(node, site);
}

function readVariable(hops: number, index: number | undefined): Single {
  const at = environmentAt(hops);
  if (index !== undefined) return (_input, env) => (at(env).value as readonly JqValue[])[index]!;
  if (hops === 0) return (_input, env) => env.value as JqValue;
  if (hops === 1) return (_input, env) => env.parent!.value as JqValue;
  return (_input, env) => at(env).value as JqValue;
}

/**
 * A direct way to update simple places such as `.a.b[0]`, `.[].c` and `.[] | select(…) | .d`. Such places do not
 * overlap and their keys do not depend on the data, so walking down and rebuilding on the way up gives the same result as
 * iterating over all paths, without the paths. `undefined` for anything else.
 */
function compilePlaces(node: Node, site: Site): UpdatePlaces | undefined {
  if ('optional' in node) return undefined;
  switch (node.type) {
    case 'identity':
      return (input, _env, change) => change(input);
    case 'pipe':
      return placesInside(compilePlaces(node.left, site), compilePlaces(node.right, site));
    case 'iterate':
      return placesInside(compilePlaces(node.target, site), updateItems);
    case 'index':
      if (node.key.type !== 'literal' && node.key.type !== 'variable') return undefined;
      return placesInside(compilePlaces(node.target, site), updateKey(compileInner(node.key, site).single!));
    case 'call': {
      const [condition] = node.args;
      if (node.name !== 'select' || node.args.length !== 1 || condition === undefined) return undefined;
      if (findCallable(site.scope, 'select', 1) !== undefined) return undefined;
      return updateIf(compileInner(condition, site));
    }
    default:
      return undefined;
  }
}

/**
 * A `reduce` that sets one key per turn must not copy all keys per turn. This finds updates that never leak the
 * state: chains of `.[key] = value`, `.[key] += value`, `. + value` and the like, whose keys and values do not come
 * from the state. Then nothing else refers to the values that the `reduce` created. `undefined` for anything else.
 */
function compileInPlace(node: Node, site: Site): UpdateInPlace | undefined {
  switch (node.type) {
    case 'identity':
      return (state) => state;
    case 'pipe':
    case 'arithmetic': {
      if (node.type === 'arithmetic' && node.operator !== '+') return undefined;
      const first = compileInPlace(node.left, site);
      const compileSecond = node.type === 'pipe' ? compileInPlace : appending;
      const second = first && compileSecond(node.right, site);
      return first && second && ((state, env, owned) => second(first(state, env, owned), env, owned));
    }
    case 'if': {
      const then = compileInPlace(node.then, site);
      const otherwise = compileInPlace(node.otherwise ?? { type: 'identity', at: node.at }, site);
      const test = then && otherwise && compileInner(node.condition, site).single;
      return test && ((state, env, owned) => (isTruthy(test(state, env)) ? then : otherwise)(state, env, owned));
    }
    case 'assign':
      return assigning(node.operator, node.left, node.right, site);
    default:
      return undefined;
  }
}

/** Whether a piece provably ignores its input. */
function ignoresInput(node: Node): boolean {
  switch (node.type) {
    case 'literal':
    case 'variable':
    case 'location':
      return true;
    case 'index':
      return ignoresInput(node.target) && ignoresInput(node.key);
    case 'pipe':
      return ignoresInput(node.left);
    case 'negate':
      return ignoresInput(node.body);
    case 'arithmetic':
    case 'comparison':
    case 'alternative':
    case 'and':
    case 'or':
      return ignoresInput(node.left) && ignoresInput(node.right);
    case 'array':
      return node.body === undefined || ignoresInput(node.body);
    case 'object':
      return node.entries.every(({ key, value }) => ignoresInput(key) && ignoresInput(value));
    case 'string':
      return node.parts.every((part) => typeof part === 'string' || ignoresInput(part));
    default:
      return false;
  }
}

function independent(node: Node, site: Site): Single | undefined {
  return ignoresInput(node) ? compileInner(node, site).single : undefined;
}

function appending(right: Node, site: Site): UpdateInPlace | undefined {
  const operand = independent(right, site);
  if (operand === undefined) return undefined;
  return (state, env, owned) => {
    const more = operand(state, env);
    if (owned.has(state)) {
      if (isArray(state) && isArray(more)) {
        checkArrayLength(state.length + more.length);
        countArray(more.length);
        spendSteps(more.length >> 3);
        for (const item of more) (state as JqValue[]).push(item);
        return state;
      }
      if (isObject(state) && isObject(more)) {
        const keys = Object.keys(more);
        countObject(2 * keys.length);
        for (const key of keys) writeKey(state, key, more[key]!);
        return state;
      }
    }
    const sum = addTo(state, more);
    if (typeof sum === 'object' && sum !== state && sum !== more) owned.add(sum);
    return sum;
  };
}

/** The keys of a place such as `.a[$x]`, outermost first. */
function keysOf(node: Node, site: Site): readonly Single[] | undefined {
  if (node.type === 'identity') return [];
  if (node.type !== 'index' || node.optional === true) return undefined;
  const outer = keysOf(node.target, site);
  const key = outer && independent(node.key, site);
  return key && [...outer, key];
}

function assigning(operator: AssignmentOperator, left: Node, right: Node, site: Site): UpdateInPlace | undefined {
  const keys = keysOf(left, site);
  if (keys === undefined || keys.length === 0) return undefined;
  const change = compileChange(operator, right, site);
  if (change === undefined) return undefined;
  return (state, env, owned) => {
    const path = keys.map((key) => key(state, env));
    return setPath(state, path, change(getPath(state, path), env), owned);
  };
}

function compileChange(operator: AssignmentOperator, right: Node, site: Site): Single | undefined {
  const isArithmetic = operator === '|=' && right.type === 'arithmetic' && right.left.type === 'identity';
  const operand = independent(isArithmetic ? right.right : right, site);
  // if the right side ignores its input, `|=` is the same as `=`
  const change = isArithmetic ? arithmetic[right.operator] : changeOf(operator === '|=' ? '=' : operator);
  return operand && ((old, env) => change(old, operand(null, env)));
}

import { formatter } from '../builtins/formats.ts';
import { type Code, codeOfConstant, codeOfSingle, identity, type Single } from '../code/code.ts';
import { collect, emptyArray, objectCode, stringCode } from '../code/construction.ts';
import { alternative, breakTo, choose, labelled, pipe, sequence, tryCatch } from '../code/flow.ts';
import { bindCode, foreachCode, reduceCode } from '../code/loops.ts';
import { descend, indexCode, iterate, iterateOptional, sliceCode } from '../code/navigation.ts';
import { arithmeticCode, comparisonCode, logicCode, negateCode } from '../code/operators.ts';
import { assignCode } from '../code/updates.ts';
import type { JqValue } from '../jq-value.ts';
import { countObject, limitReached, runState } from '../run-state.ts';
import type { Node, NodeOf } from '../syntax/syntax-tree.ts';
import { compileBinding } from './binding.ts';
import { compileCall, defineFunction } from './calls.ts';
import { bind, compileKey, environmentAt, findLabel, findVariable, type Site } from './scope.ts';
import { unknownFormat, unknownLabel, unknownVariable } from './unknown-name.ts';
import { compileInPlace, compilePlaces } from './updates.ts';

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
      return arithmeticCode(node.operator, compileNode(node.left, site), compileNode(node.right, site));
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
      return compileReduce(node, site);
    case 'foreach':
      return compileForeach(node, site);
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
  if (format === undefined) throw unknownFormat({ name, at }, site);
  return format;
}

function compileSlice(node: NodeOf<'slice'>, site: Site): Code {
  const bounds = { from: compileBound(node.from, site), to: compileBound(node.to, site) };
  return sliceCode(compileNode(node.target, site), bounds, node.optional);
}

function compileBound(node: Node | undefined, site: Site): Code {
  return node === undefined ? codeOfSingle(() => null) : compileNode(node, site);
}

function compilePipe(node: NodeOf<'pipe'>, site: Site, tail: boolean): Code {
  const left = compileNode(node.left, site);
  const right = compileNode(node.right, site, tail && left.single !== undefined);
  return pipe(left, right, tail);
}

function compileIf(node: NodeOf<'if'>, site: Site, tail: boolean): Code {
  const condition = compileNode(node.condition, site);
  const inTail = tail && condition.single !== undefined;
  const then = compileNode(node.then, site, inTail);
  const otherwise = node.otherwise === undefined ? identity : compileNode(node.otherwise, site, inTail);
  return choose(condition, then, otherwise, inTail);
}

function compileBind(node: NodeOf<'bind'>, site: Site, tail: boolean): Code {
  const source = compileNode(node.source, site);
  const binding = compileBinding(node.patterns, site);
  const inTail = tail && binding.simple && source.single !== undefined;
  return bindCode(source, binding, compileNode(node.body, binding.site, inTail), inTail);
}

function compileReduce(node: NodeOf<'reduce'>, site: Site): Code {
  const source = compileNode(node.source, site);
  const init = compileNode(node.init, site);
  const binding = compileBinding(node.patterns, site);
  const update = compileNode(node.update, binding.site);
  return reduceCode({ source, binding, init, update }, compileInPlace(node.update, binding.site));
}

function compileForeach(node: NodeOf<'foreach'>, site: Site): Code {
  const source = compileNode(node.source, site);
  const init = compileNode(node.init, site);
  const binding = compileBinding(node.patterns, site);
  const update = compileNode(node.update, binding.site);
  const extract = node.extract === undefined ? identity : compileNode(node.extract, binding.site);
  return foreachCode({ source, binding, init, update }, extract);
}

function compileLabel(node: NodeOf<'label'>, site: Site): Code {
  const level = site.level + 1;
  const scope = bind(site.scope, { kind: 'label', name: node.name, level });
  return labelled(compileNode(node.body, { ...site, scope, level }));
}

function compileBreak(node: NodeOf<'break'>, site: Site): Code {
  const label = findLabel(site.scope, node.name);
  if (label === undefined) throw unknownLabel(node, site);
  return breakTo(environmentAt(site.level - label.level));
}

function compileVariable(node: NodeOf<'variable'>, site: Site): Code {
  const binding = findVariable(site.scope, node.name);
  if (binding !== undefined) {
    const read = readVariable(site.level - binding.level, binding.index);
    return codeOfSingle(read, () => (path, value, env, emit) => emit(path, read(value, env)));
  }
  if (node.name === 'ENV') return codeOfSingle(() => runState.capabilities.env);
  throw unknownVariable(node, site);
}

function readVariable(hops: number, index: number | undefined): Single {
  const at = environmentAt(hops);
  if (index !== undefined) return (_input, env) => (at(env).value as readonly JqValue[])[index]!;
  if (hops === 0) return (_input, env) => env.value as JqValue;
  if (hops === 1) return (_input, env) => env.parent!.value as JqValue;
  return (_input, env) => at(env).value as JqValue;
}

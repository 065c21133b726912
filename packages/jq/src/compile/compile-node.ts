import { formatter } from '../builtins/formats.ts';
import { isTruthy } from '../jq-value.ts';
import { countObject, limitReached } from '../run-state.ts';
import type { Node, NodeOf } from '../syntax/syntax-tree.ts';
import { compileAssign } from './assignment.ts';
import { compileBind, compileForeach, compileReduce } from './binding.ts';
import { compileCall, defineFunction } from './calls.ts';
import {
  type Code,
  codeOfConstant,
  codeOfEach,
  codeOfOne,
  codeOfTail,
  type Each,
  type EachPath,
  lazily,
  type One,
} from './code.ts';
import { compileArray, compileObject, compileString } from './construction.ts';
import { alternative, compileBreak, compileLabel, compileTry } from './control.ts';
import { compileDescend, compileIndex, compileIterate, compileSlice } from './navigation.ts';
import { compileArithmetic, compileComparison, compileLogic, compileNegate } from './operators.ts';
import type { Site } from './scope.ts';
import { unknownFormat } from './unknown-name.ts';
import { compileVariable } from './variables.ts';

const maxPieces = 500_000;

/**
 * Compiles one node. In tail position (`tail`), a call of a function that calls itself is left to the caller's loop.
 */
export function compileNode(node: Node, site: Site, tail = false): Code {
  if (++site.context.pieces > maxPieces)
    limitReached('host', 'the program is too large once its functions are expanded');
  switch (node.type) {
    case 'identity':
      return identity;
    case 'descend':
      return compileDescend();
    case 'literal':
      return codeOfConstant(node.value);
    case 'location':
      return codeOfOne(() => {
        countObject(2);
        return { file: '<top-level>', line: node.line };
      });
    case 'string':
      return compileString(node, site);
    case 'format':
      return codeOfOne(formatterAt(node.name, node.at, site));
    case 'index':
      return compileIndex(node, site);
    case 'slice':
      return compileSlice(node, site);
    case 'iterate':
      return compileIterate(node, site);
    case 'array':
      return compileArray(node, site);
    case 'object':
      return compileObject(node, site);
    case 'negate':
      return compileNegate(node, site);
    case 'arithmetic':
      return compileArithmetic(node, site);
    case 'comparison':
      return compileComparison(node, site);
    case 'and':
    case 'or':
      return compileLogic(node, site);
    case 'pipe':
      return compilePipe(node.left, node.right, site, tail);
    case 'comma':
      return compileComma(node.left, node.right, site, tail);
    case 'alternative':
      return compileAlternative(node.left, node.right, site);
    case 'assign':
      return compileAssign(node, site);
    case 'if':
      return compileIf(node, site, tail);
    case 'try':
      return compileTry(node, site);
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

export function formatterAt(name: string, at: number, site: Site): One {
  const format = formatter(name);
  if (format === undefined) throw unknownFormat({ name, at }, site);
  return format;
}

export const identity: Code = {
  one: (input) => input,
  each: (input, _env, emit) => emit(input),
  paths: () => (path, value, _env, emit) => emit(path, value),
};

function compilePipe(leftNode: Node, rightNode: Node, site: Site, tail: boolean): Code {
  const left = compileNode(leftNode, site);
  const right = compileNode(rightNode, site, tail && left.one !== undefined);
  return pipe(left, right, tail);
}

export function pipe(left: Code, right: Code, tail = false): Code {
  if (left === identity) return right;
  if (right === identity && !tail) return left;
  const paths = lazily((): EachPath => {
    const leftPaths = left.paths();
    const rightPaths = right.paths();
    return (path, value, env, emit) => {
      leftPaths(path, value, env, (innerPath, inner) => rightPaths(innerPath, inner, env, emit));
    };
  });
  const first = left.one;
  const second = right.one;
  if (first === undefined) {
    const leftEach = left.each;
    const each: Each =
      second === undefined
        ? (input, env, emit) => {
            leftEach(input, env, (value) => {
              right.each(value, env, emit);
            });
          }
        : (input, env, emit) => {
            leftEach(input, env, (value) => emit(second(value, env)));
          };
    return codeOfEach(each, paths);
  }
  if (second === undefined) return codeOfEach((input, env, emit) => right.each(first(input, env), env, emit), paths);
  const one: One = (input, env) => second(first(input, env), env);
  return tail ? codeOfTail(one, paths) : codeOfOne(one, paths);
}

function compileComma(leftNode: Node, rightNode: Node, site: Site, tail: boolean): Code {
  const left = compileNode(leftNode, site);
  const right = compileNode(rightNode, site, tail);
  // the left side of a comma is never in tail position, so only the right side's result matters
  return codeOfEach(
    (input, env, emit) => {
      left.each(input, env, emit);
      return right.each(input, env, emit);
    },
    lazily(() => {
      const leftPaths = left.paths();
      const rightPaths = right.paths();
      return (path, value, env, emit) => {
        leftPaths(path, value, env, emit);
        rightPaths(path, value, env, emit);
      };
    }),
  );
}

function compileIf(node: NodeOf<'if'>, site: Site, tail: boolean): Code {
  const condition = compileNode(node.condition, site);
  const inTail = tail && condition.one !== undefined;
  const then = compileNode(node.then, site, inTail);
  const otherwise = node.otherwise === undefined ? identity : compileNode(node.otherwise, site, inTail);
  return choose(condition, then, otherwise, inTail);
}

export function choose(condition: Code, then: Code, otherwise: Code, tail = false): Code {
  const paths = lazily((): EachPath => {
    const thenPaths = then.paths();
    const otherwisePaths = otherwise.paths();
    return (path, value, env, emit) => {
      condition.each(value, env, (decision) =>
        (isTruthy(decision) ? thenPaths : otherwisePaths)(path, value, env, emit),
      );
    };
  });
  const test = condition.one;
  if (test === undefined) {
    return codeOfEach((input, env, emit) => {
      condition.each(input, env, (decision) => {
        (isTruthy(decision) ? then : otherwise).each(input, env, emit);
      });
    }, paths);
  }
  const thenOne = then.one;
  const otherwiseOne = otherwise.one;
  if (thenOne === undefined || otherwiseOne === undefined) {
    return codeOfEach(
      (input, env, emit) => (isTruthy(test(input, env)) ? then : otherwise).each(input, env, emit),
      paths,
    );
  }
  const one: One = (input, env) => (isTruthy(test(input, env)) ? thenOne(input, env) : otherwiseOne(input, env));
  return tail ? codeOfTail(one, paths) : codeOfOne(one, paths);
}

function compileAlternative(leftNode: Node, rightNode: Node, site: Site): Code {
  return alternative(compileNode(leftNode, site), compileNode(rightNode, site));
}

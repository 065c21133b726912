import { isNumber, isTruthy, type JqValue } from '../jq-value.ts';
import { arithmetic, type ArithmeticOperator } from '../values/arithmetic.ts';
import { type ComparisonOperator, comparisons } from '../values/compare.ts';
import { negate } from '../values/numbers.ts';
import { refuse } from '../values/stringify.ts';
import { type Code, codeOfConstant, codeOfEach, codeOfSingle, type EachPath, lazily } from './code.ts';

type Binary = (left: JqValue, right: JqValue) => JqValue;

/** Both operands for every combination; the right one varies slowest, as in jq. */
function binaryCode(left: Code, right: Code, apply: Binary): Code {
  const first = left.single;
  const second = right.single;
  if (first === undefined || second === undefined) {
    return codeOfEach((input, env, emit) => {
      right.each(input, env, (b) => {
        left.each(input, env, (a) => emit(apply(a, b)));
      });
    });
  }
  if (right.constant !== undefined) {
    const b = right.constant;
    return codeOfSingle((input, env) => apply(first(input, env), b));
  }
  return codeOfSingle((input, env) => {
    const b = second(input, env);
    return apply(first(input, env), b);
  });
}

/** `left + right` and the like. */
export function arithmeticCode(operator: ArithmeticOperator, left: Code, right: Code): Code {
  return binaryCode(left, right, arithmetic[operator]);
}

/** `left == right` and the like. */
export function comparisonCode(operator: ComparisonOperator, left: Code, right: Code): Code {
  const wanted = right.constant;
  const first = left.single;
  // most selections compare with a constant string
  if (typeof wanted === 'string' && first !== undefined && operator === '==') {
    return codeOfSingle((input, env) => first(input, env) === wanted);
  }
  if (typeof wanted === 'string' && first !== undefined && operator === '!=') {
    return codeOfSingle((input, env) => first(input, env) !== wanted);
  }
  return binaryCode(left, right, comparisons[operator]);
}

/** `-body` */
export function negateCode(body: Code): Code {
  if (typeof body.constant === 'number' || typeof body.constant === 'bigint')
    return codeOfConstant(negate(body.constant));
  const apply = (value: JqValue): JqValue => (isNumber(value) ? negate(value) : refuse(value, 'cannot be negated'));
  const { single } = body;
  if (single !== undefined) return codeOfSingle((input, env) => apply(single(input, env)));
  return codeOfEach((input, env, emit) => {
    body.each(input, env, (value) => emit(apply(value)));
  });
}

/** `and`, `or`: the right side runs only if the left one does not decide. */
export function logicCode(operator: 'and' | 'or', left: Code, right: Code): Code {
  const decisive = operator === 'or';
  const first = left.single;
  const second = right.single;
  // as in jq, both sides are part of the path
  const paths = lazily((): EachPath => {
    const leftPaths = left.paths();
    const rightPaths = right.paths();
    return (path, value, env, emit) => {
      leftPaths(path, value, env, (leftPath, a) => {
        if (isTruthy(a) === decisive) emit(leftPath, decisive);
        else rightPaths(leftPath, value, env, (rightPath, b) => emit(rightPath, isTruthy(b)));
      });
    };
  });
  if (first !== undefined && second !== undefined) {
    return codeOfSingle(
      decisive
        ? (input, env) => isTruthy(first(input, env)) || isTruthy(second(input, env))
        : (input, env) => isTruthy(first(input, env)) && isTruthy(second(input, env)),
      paths,
    );
  }
  return codeOfEach((input, env, emit) => {
    left.each(input, env, (a) => {
      if (isTruthy(a) === decisive) emit(decisive);
      else right.each(input, env, (b) => emit(isTruthy(b)));
    });
  }, paths);
}

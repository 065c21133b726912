import { isNumber, isTruthy, type JqValue, writeKey } from '../jq-value.ts';
import {
  checkArrayLength,
  checkStringLength,
  countArray,
  countObject,
  countString,
  countValues,
  raise,
} from '../run-state.ts';
import { type ComparisonOperator, comparisons } from '../values/compare.ts';
import { describe, refuse } from '../values/json.ts';
import { negate } from '../values/scalars.ts';
import {
  type Code,
  codeOfConstant,
  codeOfEach,
  codeOfSingle,
  codeOfValues,
  type Each,
  type Emit,
  type Env,
  type Single,
} from './code.ts';

/** `[]`: a new array every time, because the caller owns its outputs. */
export const emptyArray: Code = codeOfSingle(() => {
  countValues(1);
  return [];
});

/** `[body]`: all outputs as one array. */
export function collect(body: Code): Code {
  const { single } = body;
  // as in jq, the items are part of the path, though the array is not
  const track: Each = (input, env, emit, path) =>
    emit(
      gather((take) => body.each(input, env, take, path)),
      path,
    );
  if (single === undefined) return codeOfSingle((input, env) => collectOutputs(body, input, env), track);
  return codeOfSingle((input, env) => {
    countValues(1);
    return [single(input, env)];
  }, track);
}

export function collectOutputs(body: Code, input: JqValue, env: Env): JqValue[] {
  return gather((take) => body.each(input, env, take));
}

function gather(run: (take: Emit) => unknown): JqValue[] {
  const items: JqValue[] = [];
  run((value) => {
    items.push(value);
    if ((items.length & 0xff) !== 0) return;
    checkArrayLength(items.length);
    countValues(0x40);
  });
  countArray(items.length & 0xff);
  // an array that grew has spare capacity
  return items.length < 16 ? items.slice() : items;
}

interface Entry {
  readonly key: Code;
  readonly value: Code;
}

/** `{key: value, …}`, for every combination of keys and values. */
export function objectCode(entries: readonly Entry[]): Code {
  const simple = entries.map(({ key, value }) => ({ key: key.single, value: value.single }));
  if (
    simple.every(
      (entry): entry is { key: Single; value: Single } => entry.key !== undefined && entry.value !== undefined,
    )
  ) {
    return codeOfSingle((input, env) => {
      countObject(simple.length);
      const object: { [key: string]: JqValue } = {};
      for (const { key, value } of simple) writeKey(object, asKey(key(input, env)), value(input, env));
      return object;
    });
  }
  return codeOfValues((input, env, emit) => addEntries(entries, 0, {}, input, env, emit));
}

function asKey(key: JqValue): string {
  return typeof key === 'string' ? key : raise(`Cannot use ${describe(key)} as object key`);
}

function addEntries(
  entries: readonly Entry[],
  at: number,
  soFar: { readonly [key: string]: JqValue },
  input: JqValue,
  env: Env,
  emit: Emit,
): void {
  const entry = entries[at];
  if (entry === undefined) {
    emit(soFar);
    return;
  }
  entry.key.each(input, env, (key) => {
    entry.value.each(input, env, (value) => {
      countObject(at + 1);
      const object = { ...soFar };
      writeKey(object, asKey(key), value);
      addEntries(entries, at + 1, object, input, env, emit);
    });
  });
}

/** `"a\(b)c"`, with every interpolated value passed through the string's format. */
export function stringCode(parts: readonly (string | Code)[], format: Single): Code {
  const simple = parts.map((part) => (typeof part === 'string' ? part : part.single));
  if (simple.every((part) => part !== undefined)) {
    return codeOfSingle((input, env) => {
      let text = '';
      for (const part of simple) {
        text += typeof part === 'string' ? part : (format(part(input, env), env) as string);
        checkStringLength(text.length);
      }
      countString(text.length);
      return text;
    });
  }
  const prepend = (at: number, tail: string, input: JqValue, env: Env, emit: Emit): void => {
    const part = parts[at];
    if (part === undefined) emit(tail);
    else if (typeof part === 'string') prepend(at - 1, part + tail, input, env, emit);
    else {
      part.each(input, env, (value) => {
        checkStringLength(tail.length);
        countString(tail.length);
        prepend(at - 1, (format(value, env) as string) + tail, input, env, emit);
      });
    }
  };
  // from the last part to the first: the first interpolation varies fastest
  return codeOfValues((input, env, emit) => prepend(parts.length - 1, '', input, env, emit));
}

type Binary = (left: JqValue, right: JqValue) => JqValue;

/** `left + right` and the like: both operands for every combination; the right one varies slowest, as in jq. */
export function binaryCode(left: Code, right: Code, apply: Binary): Code {
  const first = left.single;
  const second = right.single;
  if (first === undefined || second === undefined) {
    return codeOfValues((input, env, emit) => {
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
  return codeOfValues((input, env, emit) => {
    body.each(input, env, (value) => emit(apply(value)));
  });
}

/** `and`, `or`: the right side runs only if the left one does not decide. */
export function logicCode(operator: 'and' | 'or', left: Code, right: Code): Code {
  const decisive = operator === 'or';
  const first = left.single;
  const second = right.single;
  // as in jq, both sides are part of the path
  const each: Each = (input, env, emit, path) => {
    const decide: Emit = (a, leftPath) => {
      if (isTruthy(a) === decisive) emit(decisive, leftPath);
      else right.each(input, env, (b, rightPath) => emit(isTruthy(b), rightPath), leftPath);
    };
    left.each(input, env, decide, path);
  };
  if (first === undefined || second === undefined) return codeOfEach(each);
  return codeOfSingle(
    decisive
      ? (input, env) => isTruthy(first(input, env)) || isTruthy(second(input, env))
      : (input, env) => isTruthy(first(input, env)) && isTruthy(second(input, env)),
    each,
  );
}

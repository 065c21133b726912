import type { Code } from '../compile/code.ts';
import { spendLength } from '../run-state.ts';
import type { JqValue } from '../values/jq-value.ts';

export type ValueFunction = (input: JqValue, ...args: JqValue[]) => JqValue;

/** A builtin written in TypeScript. */
export type Native =
  /** Maps the input and one value of every argument to one value; all combinations are tried. */
  | { readonly kind: 'value'; readonly call: ValueFunction }
  /** Controls how its arguments run. */
  | { readonly kind: 'code'; readonly build: (...args: Code[]) => Code };

/** Builtins by name and arity, such as `map/1`. */
export type NativeTable = { readonly [key: string]: Native };

export function value(call: (input: JqValue, ...args: JqValue[]) => JqValue): Native {
  return { kind: 'value', call };
}

/** Like `value`, for a function that goes through its strings and arrays from end to end. */
export function linear(call: (input: JqValue, ...args: JqValue[]) => JqValue): Native {
  return value((input, ...args) => {
    spendLength(2 * sizeOf(input));
    for (const arg of args) spendLength(2 * sizeOf(arg));
    return call(input, ...args);
  });
}

function sizeOf(input: JqValue): number {
  return typeof input === 'string' || Array.isArray(input) ? input.length : 0;
}

export function code(build: (...args: Code[]) => Code): Native {
  return { kind: 'code', build };
}

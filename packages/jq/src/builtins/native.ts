import { type Code, codeOfValues, codeOfSingle, type Env, type Single } from '../code/code.ts';
import { isArray, type JqValue } from '../jq-value.ts';
import { checkArrayLength, checkStringLength, countArray, countString, spendLength } from '../run-state.ts';

type ValueFunction = (input: JqValue, ...args: JqValue[]) => JqValue;
type ValuesFunction = (emit: (value: JqValue) => void, input: JqValue, ...args: JqValue[]) => void;

/** A builtin written in TypeScript: the code of a call with compiled arguments. */
export type Native = (...args: Code[]) => Code;

/** Builtins by name and arity, such as `map/1`. */
export type NativeTable = { readonly [key: string]: Native };

/** Computes any number of values from the input and one value of each argument; called for all combinations. */
export function values(call: ValuesFunction): Native {
  return (...args) =>
    codeOfValues((input, env, emit) => combine(args, input, env, (outputs) => call(emit, input, ...outputs)));
}

/** The same for one value. */
export function value(call: ValueFunction): Native {
  return (...args) => {
    const singles = args.map((arg) => arg.single);
    if (!singles.every((single): single is Single => single !== undefined)) {
      return codeOfValues((input, env, emit) =>
        combine(args, input, env, (outputs) => emit(counted(call(input, ...outputs)))),
      );
    }
    const [first, second] = singles;
    if (first === undefined) return codeOfSingle((input) => counted(call(input)));
    if (second === undefined) return codeOfSingle((input, env) => counted(call(input, first(input, env))));
    return codeOfSingle((input, env) => counted(call(input, ...singles.map((single) => single(input, env)))));
  };
}

/** Like `value`, for a function that processes its strings and arrays from end to end. */
export function linear(call: ValueFunction): Native {
  return value((input, ...args) => {
    spendLength(2 * sizeOf(input));
    for (const arg of args) spendLength(2 * sizeOf(arg));
    return call(input, ...args);
  });
}

function sizeOf(input: JqValue): number {
  return typeof input === 'string' || Array.isArray(input) ? input.length : 0;
}

/** Not every builtin creates its result, but none returns much that it has not created. */
function counted(result: JqValue): JqValue {
  if (typeof result === 'string') {
    checkStringLength(result.length);
    countString(result.length);
  } else if (isArray(result)) {
    checkArrayLength(result.length);
    countArray(result.length);
  }
  return result;
}

/** Every combination of outputs of the arguments; the last argument varies slowest, as in jq. */
function combine(
  args: readonly Code[],
  input: JqValue,
  env: Env,
  visit: (outputs: readonly JqValue[]) => void,
  outputs: readonly JqValue[] = [],
): void {
  const arg = args[args.length - outputs.length - 1];
  if (arg === undefined) visit(outputs);
  else arg.each(input, env, (output) => combine(args, input, env, visit, [output, ...outputs]));
}

import { type Native, value } from '../builtins/native.ts';
import { isFailure, isHalt, isLimitReached, raise } from '../run-state.ts';
import type { JqValue } from '../values/jq-value.ts';
import { JqError } from '../jq-error.ts';
import type { CompileContext } from './compile-context.ts';

/** A function the caller gave, if it has this name and takes this many arguments. */
export function customFunction(context: CompileContext, name: string, arity: number): Native | undefined {
  const given = Object.hasOwn(context.functions, name) ? context.functions[name] : undefined;
  if (given === undefined) return undefined;
  const { min, max } = typeof given.arity === 'number' ? { min: given.arity, max: given.arity } : given.arity;
  if (arity < min || arity > max) return undefined;
  return value((input, ...args) => {
    try {
      return given.call(input, args) ?? null;
    } catch (thrown) {
      return raise(errorValue(thrown));
    }
  });
}

function errorValue(thrown: unknown): JqValue {
  if (isFailure(thrown) || isHalt(thrown) || isLimitReached(thrown) || thrown instanceof RangeError) throw thrown;
  if (thrown instanceof JqError) {
    if (thrown.kind === 'limit') throw thrown;
    return thrown.value === undefined ? thrown.message : thrown.value;
  }
  return thrown instanceof Error ? thrown.message : String(thrown);
}

import { type Code, codeOfEach, codeOfSingle } from '../code/code.ts';
import { isNumber, type JqValue } from '../jq-value.ts';
import { type Halt, raise, runState } from '../run-state.ts';
import { toDouble } from '../values/numbers.ts';
import { refuse } from '../values/stringify.ts';
import { code, type NativeTable, value } from './native.ts';

function halt(exitCode: number, message: JqValue | undefined): never {
  const signal: Halt = { halt: true, exitCode, value: message };
  // oxlint-disable-next-line typescript/only-throw-error -- a signal, turned into a JqError where the run ends
  throw signal;
}

function nextInput(): JqValue {
  const next = runState.capabilities.inputs?.next();
  if (next === undefined || next.done === true) return raise('break', 'No more inputs');
  return next.value;
}

function remainingInputs(emit: (input: JqValue) => void): void {
  for (
    let next = runState.capabilities.inputs?.next();
    next !== undefined && next.done !== true;
    next = runState.capabilities.inputs?.next()
  ) {
    emit(next.value);
  }
}

function debugWith(message: Code): Code {
  return codeOfSingle((input, env) => {
    message.each(input, env, (output) => runState.capabilities.onDebug?.(output));
    return input;
  });
}

export const inputOutputNatives: NativeTable = {
  'env/0': value(() => runState.capabilities.env),
  'input/0': value(nextInput),
  'inputs/0': code(() => codeOfEach((_input, _env, emit) => remainingInputs(emit))),
  'debug/0': value((input) => {
    runState.capabilities.onDebug?.(input);
    return input;
  }),
  'debug/1': code((message) => debugWith(message)),
  'stderr/0': value((input) => {
    runState.capabilities.onStderr?.(input);
    return input;
  }),
  'input_filename/0': value(() => null),
  'input_line_number/0': value(() => raise('Unknown input line number')),
  'get_search_list/0': value(() => []),
  'halt/0': value(() => halt(0, undefined)),
  'halt_error/0': value((input) => halt(5, input)),
  'halt_error/1': value((input, exitCode) =>
    isNumber(exitCode)
      ? halt(Math.trunc(toDouble(exitCode)), input)
      : refuse(exitCode, 'halt_error/1: number required'),
  ),
};

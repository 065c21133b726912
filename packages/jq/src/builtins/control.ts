import {
  type Code,
  codeOfConstant,
  codeOfEach,
  codeOfSingle,
  codeOfValues,
  type Emit,
  firstOutput,
  identity,
  nothing,
  type Path,
  untilStopped,
} from '../code/code.ts';
import { collect } from '../code/expressions.ts';
import { choose, pipe } from '../code/flow.ts';
import { descend, iterate, recurse } from '../code/navigation.ts';
import { modifyCode } from '../code/updates.ts';
import { isNumber, isTruthy, type JqValue } from '../jq-value.ts';
import { countString, type Halt, raise, runState, step } from '../run-state.ts';
import { addTo, arithmetic } from '../values/arithmetic.ts';
import { compareValues } from '../values/compare.ts';
import { refuse } from '../values/json.ts';
import { toDouble } from '../values/scalars.ts';
import { type NativeTable, value, values } from './native.ts';

const zero: Code = codeOfConstant(0);

/** `any`/`all`: stops at the first output that decides the result. */
function decide(generator: Code, condition: Code, decisive: boolean): Code {
  const test = condition.single;
  return codeOfSingle((input, env) => {
    let decided = false;
    untilStopped((stop) => {
      generator.each(input, env, (item) => {
        const check = (outcome: JqValue): void => {
          if (isTruthy(outcome) !== decisive) return;
          decided = true;
          stop();
        };
        if (test === undefined) condition.each(item, env, check);
        else check(test(item, env));
      });
    });
    return decided ? decisive : !decisive;
  });
}

function rangeBound(value: JqValue): number {
  return isNumber(value) ? toDouble(value) : raise('Range bounds must be numeric');
}

function range(from: Code, upto: Code): Code {
  return codeOfValues((input, env, emit) => {
    from.each(input, env, (first) => {
      upto.each(input, env, (last) => {
        const end = rangeBound(last);
        for (let at = rangeBound(first); at < end; at++) countTurn(at, emit);
      });
    });
  });
}

/** As in jq, every value that can be compared and added is a bound. */
function rangeBy(from: Code, upto: Code, by: Code): Code {
  return codeOfValues((input, env, emit) => {
    from.each(input, env, (first) => {
      upto.each(input, env, (last) => {
        by.each(input, env, (stride) => {
          const direction = Math.sign(compareValues(stride, 0));
          if (direction === 0) return;
          let at = first;
          while (Math.sign(compareValues(last, at)) === direction) {
            countTurn(at, emit);
            at = arithmetic['+'](at, stride);
          }
        });
      });
    });
  });
}

function countTurn(at: JqValue, emit: (value: JqValue) => void): void {
  step();
  emit(at);
}

/** Passes on some of the outputs of a generator. */
type Pick = (run: (visit: Emit) => unknown, emit: Emit, count: number) => void;

/** A generator that passes on some outputs of its last argument, chosen by a number from its first argument. */
function choosing(count: Code, body: Code, complaint: string, pick: Pick): Code {
  return codeOfEach((input, env, emit, path) =>
    count.each(input, env, (output) => {
      if (compareValues(output, 0) < 0) raise(complaint);
      // jq counts down, which fails for anything but numbers
      const wanted = isNumber(output) ? toDouble(output) : (arithmetic['-'](output, 1) as never);
      pick((visit) => body.each(input, env, visit, path), emit, wanted);
    }),
  );
}

/** Takes the last output out of the run before passing it on, so that nothing runs on top of the generator. */
function pickUpTo(count: number, run: Parameters<Pick>[0], emitEarlier: Emit, emitLast: Emit): void {
  let seen = 0;
  let last: { readonly value: JqValue; readonly path: Path | undefined } | undefined;
  untilStopped((stop) => {
    run((value, path) => {
      if (++seen < count) return emitEarlier(value, path);
      last = { value, path };
      return stop();
    });
  });
  if (last !== undefined) emitLast(last.value, last.path);
}

const pickNth: Pick = (run, emit, index) => pickUpTo(Math.floor(index) + 1, run, () => undefined, emit);

const pickLimit: Pick = (run, emit, count) => {
  if (count > 0 || Number.isNaN(count)) pickUpTo(count, run, emit, emit);
};

const pickAfter: Pick = (run, emit, count) => {
  let seen = 0;
  run((value, path) => {
    if (++seen > count) emit(value, path);
  });
};

function sum(body: Code): Code {
  return codeOfSingle((input, env) => {
    let total: JqValue = null;
    body.each(input, env, (item) => {
      total = addTo(total, item);
    });
    if (typeof total === 'string') countString((total as string).length);
    return total;
  });
}

function first(body: Code): Code {
  if (body.single !== undefined) return body;
  const { each: trackFirst } = choosing(zero, body, '', pickNth);
  return codeOfEach((input, env, emit, path) => {
    if (path !== undefined) return trackFirst(input, env, emit, path);
    const output = firstOutput(body, input, env);
    return output === undefined ? undefined : emit(output);
  });
}

/** As in jq, the last output has the path of the input: a path can continue from it only if it is the input. */
function last(body: Code): Code {
  if (body.single !== undefined) return body;
  return codeOfEach((input, env, emit, path) => {
    let picked: JqValue | undefined;
    body.each(input, env, (value) => void (picked = value), path);
    if (picked !== undefined) emit(picked, path);
  });
}

export const controlNatives: NativeTable = {
  'empty/0': () => nothing,
  'error/0': value((input) => raise(input)),
  'error/1': value((_input, message) => raise(message)),
  'not/0': value((input) => !isTruthy(input)),
  'select/1': (condition) => choose(condition, identity, nothing),
  'map/1': (body) => collect(pipe(iterate, body)),
  'map_values/1': (update) => modifyCode(iterate, update),
  'recurse/0': () => descend,
  'recurse/1': recurse,
  'recurse/2': (body, condition) => recurse(pipe(body, choose(condition, identity, nothing))),
  'isempty/1': (body) => codeOfSingle((input, env) => firstOutput(body, input, env) === undefined),
  'any/0': () => decide(iterate, identity, true),
  'any/1': (condition) => decide(iterate, condition, true),
  'any/2': (generator, condition) => decide(generator, condition, true),
  'all/0': () => decide(iterate, identity, false),
  'all/1': (condition) => decide(iterate, condition, false),
  'all/2': (generator, condition) => decide(generator, condition, false),
  'range/1': (upto) => range(zero, upto),
  'range/2': range,
  'range/3': rangeBy,
  'first/1': first,
  'last/1': last,
  'nth/2': (index, body) => choosing(index, body, "nth doesn't support negative indices", pickNth),
  'limit/2': (count, body) => choosing(count, body, "limit doesn't support negative count", pickLimit),
  'skip/2': (count, body) => choosing(count, body, "skip doesn't support negative count", pickAfter),
  'add/1': sum,
};

function halt(exitCode: number, message: JqValue | undefined): never {
  const signal: Halt = { halt: true, exitCode, value: message };
  // oxlint-disable-next-line typescript/only-throw-error -- a signal, turned into a JqError where the run ends
  throw signal;
}

function nextInput(): JqValue {
  const next = runState.inputs?.next();
  if (next === undefined || next.done === true) return raise('break', 'No more inputs');
  return next.value;
}

function remainingInputs(emit: (input: JqValue) => void): void {
  const { inputs } = runState;
  if (inputs === undefined) return;
  for (let next = inputs.next(); next.done !== true; next = inputs.next()) emit(next.value);
}

function debugWith(message: Code): Code {
  return codeOfSingle((input, env) => {
    message.each(input, env, (output) => runState.options.onDebug?.(output));
    return input;
  });
}

export const inputOutputNatives: NativeTable = {
  'env/0': value(() => runState.options.env ?? {}),
  'input/0': value(nextInput),
  'inputs/0': values(remainingInputs),
  'debug/0': value((input) => {
    runState.options.onDebug?.(input);
    return input;
  }),
  'debug/1': debugWith,
  'stderr/0': value((input) => {
    runState.options.onStderr?.(input);
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

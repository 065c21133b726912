import type { Code, Env } from './code/code.ts';
import { compileNode } from './compile/compile-node.ts';
import { bind, type CompileContext, type Scope } from './compile/scope.ts';
import { JqError } from './jq-error.ts';
import type { JqFunction, JqValue } from './jq-value.ts';
import {
  defaultLimits,
  isFailure,
  isHalt,
  isLimitReached,
  limitReached,
  type RunOptions,
  runState,
} from './run-state.ts';
import { parseProgram } from './syntax/parse-program.ts';
import { stringify } from './values/json.ts';

export interface JqProgram {
  /**
   * Runs the program on one input. The outputs are computed before the first one is returned; an error comes after the outputs
   * that precede it.
   */
  run(input: JqValue, options?: RunOptions): IterableIterator<JqValue>;
  /** The first output; stops there. */
  first(input: JqValue, options?: RunOptions): JqValue | undefined;
  all(input: JqValue, options?: RunOptions): JqValue[];
  /** Up to `count` outputs; stops there. */
  take(count: number, input: JqValue, options?: RunOptions): JqValue[];
}

export interface CompileOptions {
  /** Names of variables that each run sets, with or without the leading `$`. */
  readonly variables?: readonly string[] | undefined;
  /** Functions that a program may call in addition to the builtins; they override builtins of the same name and arity. */
  readonly functions?: { readonly [name: string]: JqFunction } | undefined;
}

const variableName = /^[A-Za-z_]\w*$/;

/** Compiles a program once, to run it any number of times. */
export function compile(source: string, options: CompileOptions = {}): JqProgram {
  const variables = (options.variables ?? []).map(bareName);
  const context: CompileContext = {
    source,
    compile: compileNode,
    functions: options.functions ?? {},
    definedBuiltins: new Map(),
    pieces: 0,
    assumptions: 0,
  };
  try {
    const scope = variables.reduce<Scope | undefined>(
      (outer, name, index) => bind(outer, { kind: 'variable', name, level: index + 1, index: undefined }),
      undefined,
    );
    const code = compileNode(parseProgram(source), { context, scope, level: variables.length });
    return createProgram(code, variables);
  } catch (thrown) {
    throw asJqError(thrown) ?? thrown;
  }
}

function bareName(name: string): string {
  const bare = name.startsWith('$') ? name.slice(1) : name;
  if (!variableName.test(bare)) throw new JqError('compile', `${JSON.stringify(name)} is not a valid variable name`);
  return bare;
}

/** Thrown by `first` and `take` when they have enough. */
const enough: { readonly stop: true } = { stop: true };

function createProgram(code: Code, variables: readonly string[]): JqProgram {
  const collect = (input: JqValue, options: RunOptions = {}, count = Infinity): Outcome => {
    const outputs: JqValue[] = [];
    const error = withRun(options, () => {
      const env = bindVariables(variables, options.variables);
      if (code.single !== undefined) {
        outputs.push(code.single(input, env));
        return;
      }
      const { maxOutputs } = runState.limits;
      code.each(input, env, (value) => {
        if (outputs.length >= maxOutputs) limitReached('maxOutputs', `the program has more than ${maxOutputs} outputs`);
        outputs.push(value);
        if (outputs.length >= count) throw enough;
      });
    });
    return { outputs, error };
  };
  const settled = ({ outputs, error }: Outcome): JqValue[] => {
    if (error !== undefined) throw error;
    return outputs;
  };
  return {
    run: (input, options) => replay(collect(input, options)),
    first: (input, options) => settled(collect(input, options, 1))[0],
    all: (input, options) => settled(collect(input, options)),
    take: (count, input, options) => (count > 0 ? settled(collect(input, options, Math.ceil(count))) : []),
  };
}

interface Outcome {
  readonly outputs: JqValue[];
  readonly error: JqError | undefined;
}

function* replay({ outputs, error }: Outcome): IterableIterator<JqValue> {
  yield* outputs;
  if (error !== undefined) throw error;
}

const root: Env = { parent: undefined, value: undefined };

function bindVariables(names: readonly string[], values: RunOptions['variables']): Env {
  let env = root;
  for (const name of names) env = { parent: env, value: variableValue(name, values) };
  return env;
}

function variableValue(name: string, values: RunOptions['variables']): JqValue {
  if (values !== undefined && Object.hasOwn(values, name)) return values[name]!;
  if (values !== undefined && Object.hasOwn(values, `$${name}`)) return values[`$${name}`]!;
  throw new JqError('runtime', `the variable $${name} has no value`);
}

/** Runs with a fresh state and restores the previous one, because a custom function may run another program. */
function withRun(options: RunOptions, body: () => void): JqError | undefined {
  const previous = { ...runState };
  const { budget, inputs } = options;
  const limits = options.limits === undefined ? defaultLimits : { ...defaultLimits, ...options.limits };
  runState.steps = 0;
  runState.values = 0;
  runState.depth = 0;
  runState.limits = limits;
  // a run inside another one uses what is left of its budget
  const shared = budget !== undefined && budget === previous.budget;
  runState.lastStep = Math.min(limits.maxSteps, (budget?.steps ?? Infinity) - (shared ? previous.steps : 0));
  runState.lastValue = Math.min(limits.maxValues, (budget?.values ?? Infinity) - (shared ? previous.values : 0));
  runState.budget = budget;
  runState.options = options;
  runState.inputs = inputs?.[Symbol.iterator]();
  try {
    body();
    return undefined;
  } catch (thrown) {
    return thrown === enough ? undefined : asJqError(thrown);
  } finally {
    if (budget !== undefined && !shared) {
      budget.steps = Math.max(0, budget.steps - runState.steps);
      budget.values = Math.max(0, budget.values - runState.values);
    }
    const { steps, values } = runState;
    Object.assign(runState, previous);
    // the work of a custom function counts for the program that calls it
    runState.steps += steps;
    runState.values += values;
  }
}

/** The error that callers see, for anything that ends a run. */
function asJqError(thrown: unknown): JqError | undefined {
  if (thrown instanceof JqError) return thrown;
  if (isFailure(thrown)) {
    const { value, message } = thrown;
    return new JqError('runtime', shorten(message ?? messageOf(value)), { value });
  }
  if (isLimitReached(thrown)) return new JqError('limit', thrown.message, { limit: thrown.limit });
  if (isHalt(thrown)) {
    if (thrown.exitCode === 0 && thrown.value === undefined) return undefined;
    const { value, exitCode } = thrown;
    return new JqError('runtime', shorten(messageOf(value ?? null)), { value, exitCode });
  }
  if (thrown instanceof RangeError) return new JqError('limit', hostLimit(thrown), { limit: 'host' });
  throw thrown;
}

function hostLimit(error: RangeError): string {
  return error.message.includes('call stack')
    ? 'the program or its data are nested too deeply for the stack'
    : 'the program needs a string or array that is too long';
}

function messageOf(value: JqValue): string {
  return typeof value === 'string' ? value : `(not a string): ${stringify(value, 1000)}`;
}

const longestMessage = 2000;

function shorten(message: string): string {
  return message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message;
}

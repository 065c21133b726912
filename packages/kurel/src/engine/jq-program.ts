import { JqError as JqFailure, compile } from '@kurel/jq';
import { holdsSecret } from '../kube/index.ts';
import { putEntry } from '../model/index.ts';
import type { Json, KubeObject, Memory, RenderContext } from '../model/index.ts';
import { copyJson, deepFreeze } from './copy-json.ts';
import { EngineError, messageOf } from './errors.ts';

// The types of the jq package that callers see are written out here: the package itself is bundled and not installed.

export interface JqOptions {
  /** By name, with or without the leading `$`. */
  readonly variables?: Readonly<Record<string, Json>>;
  readonly functions?: Readonly<Record<string, JqFunction>>;
  /** What the program may use for one object before it is stopped. */
  readonly limits?: JqLimits;
  /** What programs may use together, for all objects: give the same object to each of them. */
  readonly budget?: JqBudget;
  /** Keeps the compiled program for later builds, unless it has functions of its own. */
  readonly memory?: Memory | undefined;
}

/** What is left; each use of a program takes from it. */
export interface JqBudget {
  steps: number;
  values: number;
}

/** A function for programs, beside the built-in ones. What it throws is an error that a program can catch. */
export interface JqFunction {
  readonly arity: number | { readonly min: number; readonly max: number };
  call(input: Json, args: readonly Json[]): Json;
}

export interface JqLimits {
  /** Calls, loop turns and elements visited. */
  readonly maxSteps?: number;
  /** Nested calls of functions that call themselves. */
  readonly maxDepth?: number;
  readonly maxStringLength?: number;
  readonly maxArrayLength?: number;
  /** Arrays, objects and strings that a run makes, each with one more for every 2 keys, 4 elements and 64 characters. */
  readonly maxValues?: number;
  /** Characters of a regular expression. */
  readonly maxPatternLength?: number;
  /** Characters of a string that a regular expression is matched with. */
  readonly maxSubjectLength?: number;
}

/** A place in a program; `offset` counts UTF-16 units from 0, the others from 1. */
export interface JqPosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export type JqErrorKind = 'compile' | 'none' | 'multiple' | 'runtime' | 'type';

interface JqErrorDetails {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** A jq program that cannot be compiled, failed, or did not give exactly one result of the right type. */
export class JqError extends EngineError {
  readonly kind: JqErrorKind;
  /** The program. */
  readonly expression: string;
  /** Where in the program, for those that cannot be compiled. */
  readonly position?: JqPosition;
  /** What is wrong, without the program and the position that `message` names. */
  readonly reason: string;
  /** What to do about it, where that can be guessed. */
  readonly hint?: string;

  constructor(kind: JqErrorKind, expression: string, details: JqErrorDetails) {
    const { message, hint, ...rest } = details;
    super(`jq program ${JSON.stringify(expression)}: ${message}`, { ...rest, code: `jq-${kind}` });
    this.kind = kind;
    this.expression = expression;
    const failure = rest.cause instanceof JqFailure ? rest.cause : undefined;
    this.reason = failure?.reason ?? message;
    if (failure?.position !== undefined) this.position = failure.position;
    const isSpent = failure?.limit === 'maxSteps' || failure?.limit === 'maxValues';
    const advice = hint ?? (isSpent ? moreSteps : failure?.hint);
    if (advice !== undefined) this.hint = advice;
  }

  /** What a program raises is made of the object; a limit is not. */
  override withoutValues(): JqError {
    const quotes = this.kind === 'runtime' && !(this.cause instanceof JqFailure && this.cause.kind === 'limit');
    return quotes ? new JqError('runtime', this.expression, { message: hiddenMessage }) : this;
  }
}

/** What to do when steps or values run out. */
export const moreSteps = 'pass a higher --max-jq-steps if the program is meant to do so much work';
const hiddenMessage = 'the program failed; its message is hidden because the object is a Secret';

/** Throws at once when the program or the name of a variable is wrong; the function gives the one result for an object. */
export function compileJq(
  expression: string,
  options: JqOptions = {},
): (object: KubeObject, context: RenderContext) => Json {
  const variables = prepareVariables(expression, options.variables ?? {});
  const program = compileProgram(expression, Object.keys(variables), options);
  const { limits, budget } = options;
  return (object, context) => {
    const settings = { variables, signal: context.signal, limits, budget };
    let results: readonly Json[];
    try {
      results = program.take(2, object, settings);
    } catch (error) {
      // A failure after a first result counts as a second result, and only running once more tells the two apart.
      if (isRuntime(error) && succeeds(() => program.first(object, settings))) throw failMultiple(expression);
      const failed = new JqError('runtime', expression, { message: messageOf(error), cause: error });
      throw holdsSecret(object) ? failed.withoutValues() : failed;
    }
    if (results.length > 1) throw failMultiple(expression);
    const [result] = results;
    if (result === undefined) throw new JqError('none', expression, { message: 'no results' });
    return result;
  };
}

// Functions are expanded where they are called, so that a short program may take much memory.
const weigh = () => 100_000;

function compileProgram(expression: string, variables: readonly string[], { functions, memory }: JqOptions) {
  try {
    const create = () => compile(expression, { variables, ...(functions === undefined ? {} : { functions }) });
    if (memory === undefined || functions !== undefined) return create();
    return memory.keep({ kind: 'jq', content: JSON.stringify([variables, expression]), create, weigh });
  } catch (error) {
    if (!(error instanceof JqFailure)) throw error;
    throw new JqError('compile', expression, { message: error.message, cause: error });
  }
}

/** Copied and frozen: what the caller does to its values later must not change what the program says. */
function prepareVariables(expression: string, given: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const variables: Record<string, Json> = {};
  for (const [written, value] of Object.entries(given)) {
    const name = written.startsWith('$') ? written.slice(1) : written;
    if (name === '') throw new JqError('compile', expression, { message: 'the name of a variable must not be empty' });
    if (Object.hasOwn(variables, name)) {
      throw new JqError('compile', expression, { message: `the variable $${name} is given twice, with and without $` });
    }
    putEntry(variables, name, deepFreeze(copyJson(value)));
  }
  return variables;
}

function failMultiple(expression: string): JqError {
  return new JqError('multiple', expression, { message: 'multiple results' });
}

/** A program that ran into a limit is not run once more. */
function isRuntime(error: unknown): boolean {
  return error instanceof JqFailure && error.kind === 'runtime';
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

import { sentence, setting, spell, spellPlainly } from '../diagnostics/index.ts';
import { JqError as JqFailure, compile } from '@kurel/jq';
import { holdsSecret } from '../kube/index.ts';
import { putEntry } from '../model/index.ts';
import type { Json, KubeObject, Memory, Message, RenderContext } from '../model/index.ts';
import { requireStrings } from './check-arguments.ts';
import { copyJson, deepFreeze } from './copy-json.ts';
import { EngineError, messageOf } from './errors.ts';

// Public types of the jq package are repeated here because that package is bundled, not installed.

export interface JqOptions {
  /** By name, with or without the leading `$`. */
  readonly variables?: Readonly<Record<string, Json>>;
  readonly functions?: Readonly<Record<string, JqFunction>>;
  /** Limits for one object. */
  readonly limits?: JqLimits;
  /** Limits for all objects and programs that get the same budget object. */
  readonly budget?: JqBudget;
  /** Caches the compiled program for later builds, unless it has custom functions. */
  readonly memory?: Memory | undefined;
}

/** Remaining budget; each run of a program reduces it. */
export interface JqBudget {
  steps: number;
  values: number;
}

/** A custom function for programs. A program can catch the errors that it throws. */
export interface JqFunction {
  readonly arity: number | { readonly min: number; readonly max: number };
  call(input: Json, args: readonly Json[]): Json;
}

export interface JqLimits {
  /** Calls, loop turns and elements visited. */
  readonly maxSteps?: number;
  /** Nested calls of recursive functions. */
  readonly maxDepth?: number;
  readonly maxStringLength?: number;
  readonly maxArrayLength?: number;
  /** Arrays, objects and strings that a run creates, plus one for every 2 keys, 4 elements and 64 characters. */
  readonly maxValues?: number;
  /** Length of a regular expression in characters. */
  readonly maxPatternLength?: number;
  /** Length in characters of a string that is matched against a regular expression. */
  readonly maxSubjectLength?: number;
}

/** A position in a program; `offset` counts UTF-16 units from 0, the others from 1. */
export interface JqPosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export type JqErrorKind = 'compile' | 'none' | 'multiple' | 'runtime' | 'type';

interface JqErrorDetails {
  readonly message: string;
  readonly hint?: Message | undefined;
  readonly cause?: unknown;
}

/** A jq program that does not compile, fails, or does not return exactly one result of the right type. */
export class JqError extends EngineError {
  readonly kind: JqErrorKind;
  /** The program. */
  readonly expression: string;
  /** Position in the program, for compile errors. */
  readonly position?: JqPosition;
  /** The problem without the program and the position, which `message` includes. */
  readonly reason: string;
  /** A suggestion, if there is one. */
  readonly hint?: string;
  /** The suggestion in parts if it names settings, which callers spell. */
  readonly hintParts?: Message;

  constructor(kind: JqErrorKind, expression: string, details: JqErrorDetails) {
    const { message, hint, ...rest } = details;
    super(`jq program ${JSON.stringify(expression)}: ${message}`, { ...rest, code: `jq-${kind}` });
    // Bundling renames the class, because it refers to itself and the jq package has one of the same name.
    this.name = 'JqError';
    this.kind = kind;
    this.expression = expression;
    const failure = rest.cause instanceof JqFailure ? rest.cause : undefined;
    this.reason = failure?.reason ?? message;
    if (failure?.position !== undefined) this.position = failure.position;
    const isSpent = failure?.limit === 'maxSteps' || failure?.limit === 'maxValues';
    const advice = hint ?? (isSpent ? moreSteps : failure?.hint);
    if (advice !== undefined) this.hint = spell(advice, spellPlainly);
    if (advice !== undefined && typeof advice !== 'string') this.hintParts = advice;
  }

  /** The error message of a program may contain data of the object; that of a limit does not. */
  override withoutValues(): JqError {
    const quotes = this.kind === 'runtime' && !(this.cause instanceof JqFailure && this.cause.kind === 'limit');
    return quotes ? new JqError('runtime', this.expression, { message: hiddenMessage }) : this;
  }
}

/** Hint if steps or values run out. */
export const moreSteps = sentence`raise ${setting('maxJqSteps')} if the program needs more steps`;
const hiddenMessage = 'the program failed; its message is hidden because the object is a Secret';

/** Compiles a program; throws at once if the program or a variable name is invalid. The function returns the one result. */
export function compileJq(
  expression: string,
  options: JqOptions = {},
): (object: KubeObject, context: RenderContext) => Json {
  requireStrings('a jq program', [expression]);
  const variables = prepareVariables(expression, options.variables ?? {});
  const program = compileProgram(expression, Object.keys(variables), options);
  const { limits, budget } = options;
  return (object, context) => {
    const settings = { variables, signal: context.signal, limits, budget };
    let results: readonly Json[];
    try {
      results = program.take(2, object, settings);
    } catch (error) {
      // A failure after a first result counts as a second result; only another run can distinguish the two. A program that reached a
      // limit is not run again.
      const isRuntime = error instanceof JqFailure && error.kind === 'runtime';
      if (isRuntime && succeeds(() => program.first(object, settings))) throw failMultiple(expression);
      const failed = new JqError('runtime', expression, { message: messageOf(error), cause: error });
      throw holdsSecret(object) ? failed.withoutValues() : failed;
    }
    if (results.length > 1) throw failMultiple(expression);
    const [result] = results;
    if (result === undefined) throw new JqError('none', expression, { message: 'no results' });
    return result;
  };
}

// Functions are expanded at each call, so a short program may use much memory.
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

/** Copied and frozen, so that later changes to the caller's values do not affect the program. */
function prepareVariables(expression: string, values: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const variables: Record<string, Json> = {};
  for (const [written, value] of Object.entries(values)) {
    const name = written.startsWith('$') ? written.slice(1) : written;
    if (name === '') throw new JqError('compile', expression, { message: 'a variable name must not be empty' });
    if (Object.hasOwn(variables, name)) {
      throw new JqError('compile', expression, { message: `duplicate variable $${name}, with and without $` });
    }
    putEntry(variables, name, deepFreeze(copyJson(value)));
  }
  return variables;
}

function failMultiple(expression: string): JqError {
  return new JqError('multiple', expression, { message: 'multiple results' });
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

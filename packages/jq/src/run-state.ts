import type { JqValue } from './jq-value.ts';

/** The limits of one run; exceeding one ends it with a `limit` error. */
export interface Limits {
  /** Calls, loop turns and elements visited. */
  readonly maxSteps: number;
  readonly maxOutputs: number;
  /** Nested calls of recursive functions (tail calls do not nest). */
  readonly maxDepth: number;
  readonly maxStringLength: number;
  readonly maxArrayLength: number;
  /**
   * Arrays, objects, strings and arguments of recursive functions that a run creates, each with one more for every 2 keys (every
   * key of large objects), every 4 elements and every 64 characters.
   */
  readonly maxValues: number;
  /** Characters of a regular expression. */
  readonly maxPatternLength: number;
  /** Characters of a string that a regular expression is matched with. */
  readonly maxSubjectLength: number;
}

export const defaultLimits: Limits = {
  maxSteps: 50_000_000,
  maxOutputs: 1_000_000,
  maxDepth: 10_000,
  maxStringLength: 4 * 1024 * 1024,
  maxArrayLength: 1024 * 1024,
  maxValues: 5_000_000,
  maxPatternLength: 10_000,
  maxSubjectLength: 1024 * 1024,
};

/** Raised inside a run; `try` catches it. Not an `Error`, because capturing a stack for every `?` is slow. */
export interface Failure {
  readonly failure: true;
  readonly value: JqValue;
  /** The message for an uncaught error, if the value itself is not clear enough. */
  readonly message?: string | undefined;
}

/** Ends a run from inside; `try` does not catch it. */
export interface Halt {
  readonly halt: true;
  readonly exitCode: number;
  readonly value: JqValue | undefined;
}

/** The limit that ended a run: one of `Limits`, the JavaScript engine's own (`host`), or the caller's (`signal`). */
export type LimitName = keyof Limits | 'host' | 'signal';

interface LimitReached {
  readonly limitReached: true;
  readonly limit: LimitName;
  readonly message: string;
}

/** Steps and values that several runs share; each run subtracts its own. */
export interface Budget {
  steps: number;
  values: number;
}

export interface RunOptions {
  /** Values of the variables that were named when compiling, with or without the leading `$`. */
  readonly variables?: { readonly [name: string]: JqValue } | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Steps and values left for this run and others together; the run subtracts its own. */
  readonly budget?: Budget | undefined;
  /** The output of `env` and `$ENV`; empty by default. */
  readonly env?: { readonly [name: string]: string } | undefined;
  /** The values that `input` and `inputs` read; none by default. */
  readonly inputs?: Iterable<JqValue> | undefined;
  /** Seconds since 1970. Without it, `now`, `localtime` and `strflocaltime` fail. */
  readonly clock?: (() => number) | undefined;
  /** Seconds that local time is ahead of UTC at a moment; 0 by default. */
  readonly utcOffset?: ((epochSeconds: number) => number) | undefined;
  readonly onDebug?: ((value: JqValue) => void) | undefined;
  readonly onStderr?: ((value: JqValue) => void) | undefined;
  /** Checked from time to time; an aborted run ends with a `limit` error. */
  readonly signal?: { readonly aborted: boolean } | undefined;
}

interface RunState {
  steps: number;
  values: number;
  depth: number;
  limits: Limits;
  /** The lower of this run's limit and the rest of its budget. */
  lastStep: number;
  lastValue: number;
  budget: Budget | undefined;
  options: RunOptions;
  /** Those of the options that were not read yet. */
  inputs: Iterator<JqValue> | undefined;
}

/**
 * The current run. Programs run synchronously, so one record is enough; a run that starts another one (through a
 * custom function) saves and restores it.
 */
export const runState: RunState = {
  steps: 0,
  values: 0,
  depth: 0,
  limits: defaultLimits,
  lastStep: Infinity,
  lastValue: Infinity,
  budget: undefined,
  options: {},
  inputs: undefined,
};

export function step(): void {
  if (++runState.steps > runState.lastStep) stopSteps();
  if ((runState.steps & 0xfff) === 0) checkSignal();
}

function checkSignal(): void {
  if (runState.options.signal?.aborted === true) limitReached('signal', 'the run was aborted');
}

/** Counts work that does not go through `step`. */
export function spendSteps(count: number): void {
  runState.steps += count;
  if (runState.steps > runState.lastStep) stopSteps();
  if (count > 0xfff) checkSignal();
}

/** Counts reading a string or array from end to end. */
export function spendLength(length: number): void {
  spendSteps(length >> 4);
}

function stopSteps(): never {
  const { maxSteps } = runState.limits;
  if (runState.steps > maxSteps) limitReached('maxSteps', `the program took more than ${maxSteps} steps`);
  limitReached('maxSteps', 'all programs of this run together took too many steps');
}

function stopValues(): never {
  const { maxValues } = runState.limits;
  if (runState.values > maxValues) limitReached('maxValues', `the program created more than ${maxValues} values`);
  limitReached('maxValues', 'all programs of this run together created too many values');
}

export function limitReached(limit: LimitName, message: string): never {
  const reached: LimitReached = { limitReached: true, limit, message };
  // oxlint-disable-next-line typescript/only-throw-error -- a signal, turned into a JqError where the run ends
  throw reached;
}

export function enterCall(): void {
  step();
  if (++runState.depth > runState.limits.maxDepth) {
    limitReached('maxDepth', `the program has more than ${runState.limits.maxDepth} levels of nested calls`);
  }
}

export function checkStringLength(length: number): void {
  if (length > runState.limits.maxStringLength) {
    limitReached('maxStringLength', `a string would be longer than ${runState.limits.maxStringLength} characters`);
  }
}

export function checkArrayLength(length: number): void {
  if (length > runState.limits.maxArrayLength) {
    limitReached('maxArrayLength', `an array would be longer than ${runState.limits.maxArrayLength} elements`);
  }
}

/** Counts new values, because a program may keep them all and nothing else limits their memory. */
export function countValues(count: number): void {
  if ((runState.values += count) > runState.lastValue) stopValues();
}

export function countArray(length: number): void {
  countValues(1 + (length >> 2));
}

/** JavaScript engines store larger objects in another way, which is slower and needs more memory. */
const manyKeys = 64;

export function countObject(keys: number): void {
  countValues(1 + (keys > manyKeys ? keys : keys >> 1));
}

/** Counts iterating over the keys of an object. */
export function spendKeys(keys: number): void {
  spendSteps(keys > manyKeys ? 3 * keys : keys);
}

export function countString(length: number): void {
  countValues(1 + (length >> 6));
}

export function checkPatternLength(length: number): void {
  const { maxPatternLength: most } = runState.limits;
  if (length > most) limitReached('maxPatternLength', `a regular expression is longer than ${most} characters`);
}

export function checkSubjectLength(length: number): void {
  const { maxSubjectLength: most } = runState.limits;
  if (length > most)
    limitReached('maxSubjectLength', `a regular expression is applied to more than ${most} characters`);
}

const throwSteps = 20;

/** Counts leaving from deep inside: an error, or a generator whose further outputs are not needed. */
export function spendThrow(): void {
  spendSteps(throwSteps);
}

/** Raises a jq error with any value. */
export function raise(value: JqValue, message?: string): never {
  spendThrow();
  const failure: Failure = { failure: true, value, message };
  // oxlint-disable-next-line typescript/only-throw-error -- a signal, turned into a JqError where the run ends
  throw failure;
}

export function isFailure(thrown: unknown): thrown is Failure {
  return typeof thrown === 'object' && thrown !== null && 'failure' in thrown;
}

export function isHalt(thrown: unknown): thrown is Halt {
  return typeof thrown === 'object' && thrown !== null && 'halt' in thrown;
}

export function isLimitReached(thrown: unknown): thrown is LimitReached {
  return typeof thrown === 'object' && thrown !== null && 'limitReached' in thrown;
}

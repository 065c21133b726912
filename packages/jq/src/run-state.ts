import type { JqValue } from './values/jq-value.ts';

/** What one run may use before it is stopped with a `limit` error. */
export interface Limits {
  /** Calls, loop turns and elements visited. */
  readonly maxSteps: number;
  readonly maxOutputs: number;
  /** Nested calls of functions that call themselves (calls in tail position do not nest). */
  readonly maxDepth: number;
  readonly maxStringLength: number;
  readonly maxArrayLength: number;
  /** Arrays, objects and strings that a run makes, each with one more for every 8 elements and every 64 characters. */
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
  maxStringLength: 16 * 1024 * 1024,
  maxArrayLength: 1024 * 1024,
  maxValues: 5_000_000,
  maxPatternLength: 10_000,
  maxSubjectLength: 1024 * 1024,
};

/** What a program may ask of the world outside, as the caller grants it. */
export interface Surroundings {
  readonly env: { readonly [name: string]: JqValue };
  readonly inputs: Iterator<JqValue> | undefined;
  readonly clock: (() => number) | undefined;
  readonly utcOffset: ((epochSeconds: number) => number) | undefined;
  readonly onDebug: ((value: JqValue) => void) | undefined;
  readonly onStderr: ((value: JqValue) => void) | undefined;
  readonly signal: { readonly aborted: boolean } | undefined;
}

export const noSurroundings: Surroundings = {
  env: {},
  inputs: undefined,
  clock: undefined,
  utcOffset: undefined,
  onDebug: undefined,
  onStderr: undefined,
  signal: undefined,
};

/** Raised inside a run; `try` catches it. Not an `Error`, because capturing a stack for every `?` is slow. */
export interface Failure {
  readonly failure: true;
  readonly value: JqValue;
  /** What people are told when nobody catches it, if the value itself says too little. */
  readonly message?: string | undefined;
}

/** Ends a run from inside; `try` lets it pass. */
export interface Halt {
  readonly halt: true;
  readonly exitCode: number;
  readonly value: JqValue | undefined;
}

export interface LimitReached {
  readonly limitReached: true;
  readonly message: string;
}

interface RunState {
  steps: number;
  values: number;
  depth: number;
  limits: Limits;
  around: Surroundings;
}

const unlimited: Limits = { ...defaultLimits, maxSteps: Infinity, maxValues: Infinity };

/**
 * The run in progress. Programs run synchronously, so one record is enough; a run that starts another (through a
 * custom function) saves and restores it.
 */
export const runState: RunState = { steps: 0, values: 0, depth: 0, limits: unlimited, around: noSurroundings };

export function step(): void {
  if (++runState.steps > runState.limits.maxSteps) stopSteps();
  if ((runState.steps & 0xfff) === 0 && runState.around.signal?.aborted === true) limitReached('the run was aborted');
}

/** Counts work that is done without passing through `step`. */
export function spendSteps(count: number): void {
  runState.steps += count;
  step();
}

function stopSteps(): never {
  limitReached(`the program took more than ${runState.limits.maxSteps} steps`);
}

export function limitReached(message: string): never {
  const reached: LimitReached = { limitReached: true, message };
  // oxlint-disable-next-line typescript/only-throw-error -- a signal, turned into a JqError where the run ends
  throw reached;
}

export function enterCall(): void {
  step();
  if (++runState.depth > runState.limits.maxDepth) {
    limitReached(`the program's calls nest deeper than ${runState.limits.maxDepth} levels`);
  }
}

export function checkStringLength(length: number): void {
  if (length > runState.limits.maxStringLength) {
    limitReached(`a string would be longer than ${runState.limits.maxStringLength} characters`);
  }
}

export function checkArrayLength(length: number): void {
  if (length > runState.limits.maxArrayLength) {
    limitReached(`an array would be longer than ${runState.limits.maxArrayLength} elements`);
  }
}

/** What is made stays in memory as long as the program likes, and nothing else bounds how much that is. */
export function countValues(count: number): void {
  if ((runState.values += count) > runState.limits.maxValues) {
    limitReached(`the program made more than ${runState.limits.maxValues} values`);
  }
}

export function countArray(length: number): void {
  countValues(1 + (length >> 3));
}

export function countString(length: number): void {
  countValues(1 + (length >> 6));
}

export function checkPatternLength(length: number): void {
  if (length > runState.limits.maxPatternLength) {
    limitReached(`a regular expression is longer than ${runState.limits.maxPatternLength} characters`);
  }
}

export function checkSubjectLength(length: number): void {
  if (length > runState.limits.maxSubjectLength) {
    limitReached(`a regular expression meets more than ${runState.limits.maxSubjectLength} characters`);
  }
}

/** Raises a jq error with any value. */
export function raise(value: JqValue, message?: string): never {
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

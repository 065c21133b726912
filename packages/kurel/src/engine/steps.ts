import type { Awaitable, Filter, PostRenderer, Renderer, Transformer } from '../model/index.ts';

/**
 * Code that works both synchronously and asynchronously: it yields only the promises that it has to wait for. Without any, it
 * runs to completion without creating a promise, which keeps 10,000 objects through synchronous functions cheap.
 */
export type Steps<T> = Generator<PromiseLike<unknown>, T, unknown>;

export function isThenable<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** For code that runs once per source or stage; loops over objects call `isThenable` themselves to avoid the generator. */
export function* waitFor<T>(value: Awaitable<T>): Steps<T> {
  return isThenable(value) ? ((yield value) as T) : value;
}

export function runSteps<T>(steps: Steps<T>): Awaitable<T> {
  const first = steps.next();
  return first.done === true ? first.value : finishSteps(steps, first.value);
}

async function finishSteps<T>(steps: Steps<T>, pending: PromiseLike<unknown>): Promise<T> {
  let waiting = pending;
  for (;;) {
    let result;
    try {
      const value = await waiting;
      result = steps.next(value);
    } catch (error) {
      // An error in `next` has ended the generator, and throwing into it throws the same error again.
      result = steps.throw(error);
    }
    if (result.done === true) return result.value;
    waiting = result.value;
  }
}

/** Throws the signal's reason without wrapping it, so that callers recognise it. */
export function throwIfAborted(context: { readonly signal: AbortSignal }): void {
  if (context.signal.aborted) throw context.signal.reason;
}

/** The result, or a rejection if the signal aborts first. The abandoned work continues and its result is ignored. */
export function untilAborted<T>(result: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    const stopListening = (): void => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort);
    result.then(resolve, reject).then(stopListening, stopListening);
  });
}

// Marks are stored outside the functions, so that marking does not change them.
const pureFunctions = new WeakSet<object>();
const freshRenderers = new WeakSet<Renderer>();

/**
 * Marks a function as pure: it never changes its input, and its result shares data only with its input. The engine passes
 * objects to it directly; unmarked functions get private copies. All built-ins are marked.
 */
export function pure<Operation extends Filter | Transformer | PostRenderer>(operation: Operation): Operation {
  pureFunctions.add(operation);
  return operation;
}

export function isPure(operation: Filter | Transformer | PostRenderer): boolean {
  return pureFunctions.has(operation);
}

export function pureIf<Operation extends Filter | Transformer>(isPromised: boolean, operation: Operation): Operation {
  return isPromised ? pure(operation) : operation;
}

/** A combination is pure if all of its parts are. */
export function pureIfAll<Operation extends Filter | Transformer>(
  parts: readonly Operation[],
  operation: Operation,
): Operation {
  return pureIf(parts.every(isPure), operation);
}

/**
 * Marks a renderer as fresh: the objects it returns are never changed by other code, and no two calls return the same ones.
 * The engine copies the objects of all other renderers. Renderers from `defineRenderer` are marked.
 */
export function fresh<Type extends Renderer>(renderer: Type): Type {
  freshRenderers.add(renderer);
  return renderer;
}

export function isFresh(renderer: Renderer): boolean {
  return freshRenderers.has(renderer);
}

/** Starts the work on all items in order, with at most `most` at the same time. The results are in the order of the items. */
export async function settleAtOnce<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly PromiseSettledResult<Result>[]> {
  const settled: PromiseSettledResult<Result>[] = [];
  // All workers share one iterator, so that each item is worked on once and in order.
  const queue = items.entries();
  async function workOnQueue(): Promise<void> {
    for (const [index, item] of queue) [settled[index]] = await Promise.allSettled([work(item)]);
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, workOnQueue));
  return settled;
}

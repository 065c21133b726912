import type { Awaitable } from '../model/index.ts';

/**
 * Work written once for both worlds: it yields only what it has to wait for. As long as nothing does, the work runs to its
 * end in the caller's turn and no promise is made, which is what keeps 10,000 objects through synchronous functions cheap.
 */
export type Steps<T> = Generator<PromiseLike<unknown>, T, unknown>;

export function isThenable<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** For places that run once per source or stage; loops over objects ask `isThenable` themselves and spare the generator. */
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
      // An error of `next` itself has ended the generator, and throwing into an ended generator throws the same error again.
      result = steps.throw(error);
    }
    if (result.done === true) return result.value;
    waiting = result.value;
  }
}

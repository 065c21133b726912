import type { Awaitable, Filter, PostRenderer, Renderer, Transformer } from '../model/index.ts';

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

/** The signal's reason is thrown as it is, never wrapped, so that callers recognise their own reason. */
export function throwIfAborted(context: { readonly signal: AbortSignal }): void {
  if (context.signal.aborted) throw context.signal.reason;
}

/** The result, or the end of the wait when the signal comes first. What is no longer waited for goes on and is forgotten. */
export function untilAborted<T>(result: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    const stopListening = (): void => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort);
    result.then(resolve, reject).then(stopListening, stopListening);
  });
}

// The marks live beside the functions, so that marking changes nothing that a user could see or forget to copy.
const pureFunctions = new WeakSet<object>();
const freshRenderers = new WeakSet<Renderer>();

/**
 * Marks a function as a promise: it never changes what it is given, and what it returns shares nothing with anything but its
 * input. The engine then hands it the objects themselves; unmarked functions get private copies. All built-ins are marked.
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

/** A combination keeps the promise exactly when all of its parts do. */
export function pureIfAll<Operation extends Filter | Transformer>(
  parts: readonly Operation[],
  operation: Operation,
): Operation {
  return pureIf(parts.every(isPure), operation);
}

/**
 * Marks a renderer as a promise: nobody else will ever change the objects it returns, and no two calls return the same ones.
 * The engine copies the objects of all other renderers. What `defineRenderer` makes is marked.
 */
export function fresh<Type extends Renderer>(renderer: Type): Type {
  freshRenderers.add(renderer);
  return renderer;
}

export function isFresh(renderer: Renderer): boolean {
  return freshRenderers.has(renderer);
}

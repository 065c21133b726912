import type { Filter, PostRenderer, Renderer, Transformer } from '../model/index.ts';

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

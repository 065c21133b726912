import type { KubeObject, RenderContext, Transformer } from '../model/index.ts';
import { isJsonObject, isKubeObject } from '../model/index.ts';
import { throwIfAborted } from './abort.ts';
import { TransformerError, hasCause } from './errors.ts';
import { carryOrigin, copyObject } from './origin-table.ts';
import { isPure } from './purity.ts';
import { createRenderContext } from './render-context.ts';
import type { ContextOptions } from './render-context.ts';
import { isThenable, runSteps } from './steps.ts';
import type { Steps } from './steps.ts';

/** Replaces each object by what the chain of transformers makes of it. */
export async function applyTransformers(
  objects: Iterable<KubeObject>,
  transformers: readonly Transformer[],
  context?: ContextOptions,
): Promise<KubeObject[]> {
  return await runSteps(transformSteps([...objects], transformers, createRenderContext(context)));
}

/**
 * Transformers that did not promise anything work on a private copy, made before the first of them, and what the last of them
 * leaves is copied again: it may hold on to what it returned, or return the same thing twice.
 */
export function* transformSteps(
  objects: readonly KubeObject[],
  transformers: readonly Transformer[],
  context: RenderContext,
): Steps<KubeObject[]> {
  const trusted = transformers.map(isPure);
  const firstUntrusted = trusted.indexOf(false);
  const lastUntrusted = trusted.lastIndexOf(false);
  const results: KubeObject[] = [];
  for (const object of objects) {
    throwIfAborted(context);
    let current = object;
    try {
      for (let index = 0; index < transformers.length; index++) {
        throwIfAborted(context);
        if (index === firstUntrusted) current = copyObject(context.origins, current);
        const answer = transformers[index]!(current, context);
        const next = checkObject(isThenable(answer) ? yield answer : answer);
        carryOrigin(context.origins, current, next);
        current = index === lastUntrusted ? copyObject(context.origins, next) : next;
      }
    } catch (error) {
      throwIfAborted(context);
      throw hasCause(error, TransformerError) ? error : new TransformerError(object, error);
    }
    results.push(current);
  }
  return results;
}

/** Whatever comes later goes by apiVersion and kind, and no cluster takes an object without them. */
export function checkObject(answer: unknown): KubeObject {
  if (isKubeObject(answer)) return answer;
  if (isJsonObject(answer)) throw new TypeError('a transformer must return an object with apiVersion and kind');
  const found = answer === null ? 'null' : Array.isArray(answer) ? 'a list' : typeof answer;
  throw new TypeError(`a transformer must return an object, not ${found}`);
}

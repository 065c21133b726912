import type { Filter, KubeObject, RenderContext } from '../model/index.ts';
import { throwIfAborted } from './abort.ts';
import { deepFreeze } from './copy-json.ts';
import { FilterError, hasCause } from './errors.ts';
import { copyObject } from './origin-table.ts';
import { isPure } from './purity.ts';
import { createRenderContext } from './render-context.ts';
import type { ContextOptions } from './render-context.ts';
import { isThenable, runSteps } from './steps.ts';
import type { Steps } from './steps.ts';

/** Keeps the objects that pass all filters, in their order. The filters of an object end with the first that drops it. */
export async function applyFilters(
  objects: Iterable<KubeObject>,
  filters: readonly Filter[],
  context?: ContextOptions,
): Promise<KubeObject[]> {
  return await runSteps(filterSteps([...objects], filters, createRenderContext(context)));
}

export function* filterSteps(
  objects: readonly KubeObject[],
  filters: readonly Filter[],
  context: RenderContext,
): Steps<KubeObject[]> {
  const trusted = filters.map(isPure);
  const kept: KubeObject[] = [];
  for (const object of objects) {
    throwIfAborted(context);
    let frozen: KubeObject | undefined;
    let keep = true;
    try {
      for (let index = 0; keep && index < filters.length; index++) {
        throwIfAborted(context);
        const view = trusted[index] ? object : (frozen ??= freezeCopy(object, context));
        const answer = filters[index]!(view, context);
        keep = checkDecision(isThenable(answer) ? yield answer : answer);
      }
    } catch (error) {
      throwIfAborted(context);
      throw hasCause(error, FilterError) ? error : new FilterError(object, error);
    }
    if (keep) kept.push(object);
  }
  return kept;
}

/** What filters that did not promise anything get to see: they cannot change what anybody else sees. */
export function freezeCopy(object: KubeObject, context: RenderContext): KubeObject {
  return deepFreeze(copyObject(context.origins, object));
}

/** Truthiness is not applied: a filter that forgot to answer must not drop objects silently. */
export function checkDecision(answer: unknown): boolean {
  if (typeof answer === 'boolean') return answer;
  throw new TypeError(`a filter must return a boolean, not ${answer === null ? 'null' : typeof answer}`);
}

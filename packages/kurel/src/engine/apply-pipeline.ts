import { carryOrigin, sortByApplyOrder } from '../kube/index.ts';
import type { ApplyOrderOptions } from '../kube/index.ts';
import { isJsonObject, isKubeObject } from '../model/index.ts';
import type { Filter, KubeObject, PostRenderer, RenderContext, Transformer } from '../model/index.ts';
import { deepFreeze } from './copy-json.ts';
import { checkPipeline } from './engine-options.ts';
import { FilterError, hasCause, PostRendererError, TransformerError } from './errors.ts';
import type { Stage } from './errors.ts';
import { isPure, isThenable, pure, runSteps, throwIfAborted, waitFor } from './steps.ts';
import { copyObject, createRenderContext } from './render-context.ts';
import type { ContextOptions } from './render-context.ts';
import type { Steps } from './steps.ts';
import type { Pipeline } from './engine-options.ts';

/** Post-renderers that are not marked as pure get copies, and their results are copied because they may keep them. */
export function* postRenderSteps(
  objects: readonly KubeObject[],
  postRenderers: readonly PostRenderer[],
  context: RenderContext,
  stage: Stage,
): Steps<readonly KubeObject[]> {
  let current = objects;
  for (const postRenderer of postRenderers) {
    throwIfAborted(context);
    try {
      const trusted = isPure(postRenderer);
      const input = trusted ? current : copyAll(current, context);
      const answer = checkObjects(yield* waitFor(postRenderer(input, context)));
      current = trusted ? answer : copyAll(answer, context);
    } catch (error) {
      throwIfAborted(context);
      throw hasCause(error, PostRendererError) ? error : new PostRendererError(stage, error);
    }
  }
  return current;
}

function copyAll(objects: readonly KubeObject[], context: RenderContext): KubeObject[] {
  return objects.map((object) => copyObject(context.origins, object));
}

function checkObjects(answer: unknown): readonly KubeObject[] {
  if (Array.isArray(answer) && answer.every(isKubeObject)) return answer;
  throw new TypeError('a post-renderer must return a list of objects with apiVersion and kind');
}

function applyOrder(options?: ApplyOrderOptions): PostRenderer {
  // Rejects an invalid order now rather than during a render.
  sortByApplyOrder([], options);
  return pure((objects) => sortByApplyOrder(objects, options));
}

/** Functions that change the whole list of objects. */
export const postRenderers = {
  /** Sorts objects in apply order: Namespaces and CustomResourceDefinitions first, webhooks last. */
  applyOrder,
} as const;

/** Runs all filters, then all transformers, then the post-renderers of one level. */
export async function applyPipeline(
  objects: Iterable<KubeObject>,
  pipeline: Pipeline,
  context?: ContextOptions,
): Promise<KubeObject[]> {
  checkPipeline(pipeline);
  return [...(await runSteps(pipelineSteps([...objects], pipeline, createRenderContext(context), 'engine')))];
}

export function* pipelineSteps(
  objects: readonly KubeObject[],
  pipeline: Pipeline,
  context: RenderContext,
  stage: Stage,
): Steps<readonly KubeObject[]> {
  const { filters = [], transformers = [], postRenderers = [] } = pipeline;
  const kept = filters.length === 0 ? objects : yield* filterSteps(objects, filters, context);
  const transformed = transformers.length === 0 ? kept : yield* transformSteps(kept, transformers, context);
  return yield* postRenderSteps(transformed, postRenderers, context, stage);
}

/** Keeps the objects that pass all filters, in order. Stops at the first filter that drops an object. */
export async function applyFilters(
  objects: Iterable<KubeObject>,
  filters: readonly Filter[],
  context?: ContextOptions,
): Promise<KubeObject[]> {
  return await runSteps(filterSteps([...objects], filters, createRenderContext(context)));
}

function* filterSteps(
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

/** Filters that are not marked as pure get a frozen copy, so that they cannot affect other code. */
export function freezeCopy(object: KubeObject, context: RenderContext): KubeObject {
  return deepFreeze(copyObject(context.origins, object));
}

/** Only booleans are accepted: a filter without a return value must not drop objects silently. */
export function checkDecision(answer: unknown): boolean {
  if (typeof answer === 'boolean') return answer;
  throw new TypeError(`a filter must return a boolean, not ${answer === null ? 'null' : typeof answer}`);
}

/** Applies the chain of transformers to each object. */
export async function applyTransformers(
  objects: Iterable<KubeObject>,
  transformers: readonly Transformer[],
  context?: ContextOptions,
): Promise<KubeObject[]> {
  return await runSteps(transformSteps([...objects], transformers, createRenderContext(context)));
}

/**
 * Transformers that are not marked as pure work on a private copy, made before the first of them. The result of the last one is
 * copied again, because it may keep its result or return the same object twice.
 */
function* transformSteps(
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

/** Later steps need apiVersion and kind, and a cluster rejects an object without them. */
export function checkObject(answer: unknown): KubeObject {
  if (isKubeObject(answer)) return answer;
  if (isJsonObject(answer)) throw new TypeError('a transformer must return an object with apiVersion and kind');
  const type = answer === null ? 'null' : Array.isArray(answer) ? 'a list' : typeof answer;
  throw new TypeError(`a transformer must return an object, not ${type}`);
}

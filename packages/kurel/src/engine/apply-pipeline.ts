import { carryOrigin, sortByApplyOrder } from '../kube/index.ts';
import type { ApplyOrderOptions } from '../kube/index.ts';
import { isJsonObject, isKubeObject } from '../model/index.ts';
import type {
  Filter,
  KubeObject,
  Message,
  NamedTransformer,
  PostRendered,
  PostRenderer,
  RenderContext,
  TransformerStep,
} from '../model/index.ts';
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
  rendered: PostRendered,
  postRenderers: readonly PostRenderer[],
  context: RenderContext,
  stage: Stage,
): Steps<PostRendered> {
  let current = rendered;
  for (const postRenderer of postRenderers) {
    throwIfAborted(context);
    try {
      const trusted = isPure(postRenderer);
      const { objects, dropped } = trusted ? current : copyRendered(current, context);
      const answer = checkAnswer(yield* waitFor(postRenderer(objects, { ...context, dropped })), current);
      current = trusted ? answer : copyRendered(answer, context);
    } catch (error) {
      throwIfAborted(context);
      throw hasCause(error, PostRendererError) ? error : new PostRendererError(stage, error);
    }
  }
  return current;
}

function copyRendered({ objects, dropped }: PostRendered, { origins }: RenderContext): PostRendered {
  const copyAll = (list: readonly KubeObject[]) => list.map((object) => copyObject(origins, object));
  return { objects: copyAll(objects), dropped: copyAll(dropped) };
}

function checkAnswer(answer: unknown, before: PostRendered): PostRendered {
  if (isObjectList(answer)) return { objects: answer, dropped: before.dropped };
  const { objects, dropped } = (answer ?? {}) as Readonly<Record<keyof PostRendered, unknown>>;
  if (isObjectList(objects) && isObjectList(dropped)) return { objects, dropped };
  throw new TypeError('a post-renderer must return a list of objects with apiVersion and kind');
}

function isObjectList(list: unknown): list is readonly KubeObject[] {
  return Array.isArray(list) && list.every(isKubeObject);
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
  const steps = pipelineSteps([...objects], pipeline, createRenderContext(context), 'engine');
  return [...(await runSteps(steps)).objects];
}

/** One level of the pipeline. */
export function* pipelineSteps(
  objects: readonly KubeObject[],
  pipeline: Pipeline,
  context: RenderContext,
  stage: Stage,
): Steps<PostRendered> {
  const { filters = [], transformers = [], postRenderers = [] } = pipeline;
  const { operations, follow } = prepareTransformers(transformers, objects);
  const kept = filters.length === 0 ? objects : yield* filterSteps(objects, filters, context);
  const dropped = kept.length === objects.length ? [] : listDropped(objects, kept).map(follow);
  const transformed = operations.length === 0 ? kept : yield* transformSteps(kept, operations, context);
  return yield* postRenderSteps({ objects: transformed, dropped }, postRenderers, context, stage);
}

function listDropped(objects: readonly KubeObject[], kept: readonly KubeObject[]): readonly KubeObject[] {
  const isKept = new Set(kept);
  return objects.filter((object) => !isKept.has(object));
}

type Operation = Pick<NamedTransformer, 'transform' | 'sets'> & { readonly words?: Message };

/** `follow` gives a dropped object the changes of the prepared transformers. */
function prepareTransformers(steps: readonly TransformerStep[], objects: readonly KubeObject[]) {
  const changes: ((object: KubeObject) => KubeObject)[] = [];
  let all = objects;
  const operations = steps.map((step): Operation => {
    if (typeof step === 'function') return { transform: step };
    if (!('prepare' in step)) return step;
    const change = step.prepare(all);
    all = all.map(change);
    changes.push(change);
    return { ...step, transform: pure((object) => change(object)) };
  });
  const follow = (object: KubeObject): KubeObject => changes.reduce((value, change) => change(value), object);
  return { operations, follow };
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
  transformers: readonly TransformerStep[],
  context?: ContextOptions,
): Promise<KubeObject[]> {
  const all = [...objects];
  const { operations } = prepareTransformers(transformers, all);
  return await runSteps(transformSteps(all, operations, createRenderContext(context)));
}

/**
 * Transformers that are not marked as pure work on a private copy, made before the first of them. The result of the last one is
 * copied again, because it may keep its result or return the same object twice.
 */
function* transformSteps(
  objects: readonly KubeObject[],
  operations: readonly Operation[],
  context: RenderContext,
): Steps<KubeObject[]> {
  const { origins, onChange } = context;
  const trusted = operations.map(({ transform }) => isPure(transform));
  const firstUntrusted = trusted.indexOf(false);
  const lastUntrusted = trusted.lastIndexOf(false);
  const results: KubeObject[] = [];
  for (const object of objects) {
    throwIfAborted(context);
    let current = object;
    try {
      for (let index = 0; index < operations.length; index++) {
        throwIfAborted(context);
        if (index === firstUntrusted) current = copyObject(origins, current);
        const before = current;
        const { words, sets, transform } = operations[index]!;
        const answer = transform(before, context);
        const next = checkObject(isThenable(answer) ? yield answer : answer);
        carryOrigin(origins, before, next);
        current = index === lastUntrusted ? copyObject(origins, next) : next;
        if (words !== undefined) onChange?.({ words, sets, before, after: current });
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

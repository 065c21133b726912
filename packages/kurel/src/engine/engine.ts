import { isKubeObject } from '../model/index.ts';
import type { KubeObject, RenderContext, Renderer, Values } from '../model/index.ts';
import { pipelineSteps } from './apply-pipeline.ts';
import { copyJson } from './copy-json.ts';
import { collectEngineOptions, collectRenderOptions, joinPipelines } from './engine-options.ts';
import type { EngineOptions, RenderOptions } from './engine-options.ts';
import { hasCause, RendererError } from './errors.ts';
import { settleAtOnce, isFresh, runSteps, throwIfAborted, waitFor, untilAborted, isThenable } from './steps.ts';
import { copyObject, createRenderContext } from './render-context.ts';
import type { Steps } from './steps.ts';

/** Renderers with the filters, transformers and post-renderers for their objects. Immutable; renders may run concurrently. */
export class Engine {
  readonly #options: Required<EngineOptions>;

  /** Throws `InvalidRendererError` for a renderer that is missing or has no name. */
  constructor(...options: readonly EngineOptions[]) {
    this.#options = collectEngineOptions(options);
  }

  /**
   * Runs renderers, then all filters (of the engine, then of the call), all transformers and all post-renderers. The caller owns
   * the objects. The first failure ends the render, which settles after everything that it started has settled.
   */
  async render(...options: readonly RenderOptions[]): Promise<KubeObject[]> {
    const call = collectRenderOptions(options);
    const objects = runSteps(renderSteps(this.#options, call));
    // A renderer may ignore the signal; the caller must not wait for it.
    return await (isThenable(objects) && call.signal !== undefined ? untilAborted(objects, call.signal) : objects);
  }
}

function* renderSteps(engine: Required<EngineOptions>, call: RenderOptions): Steps<KubeObject[]> {
  const context = createRenderContext(call);
  const { metrics } = context;
  const startedAt = metrics?.now() ?? 0;
  const rendered = yield* renderAll(engine, call.values ?? {}, context);
  const objects = [...(yield* pipelineSteps(rendered, joinPipelines([engine, call]), context, 'engine'))];
  throwIfAborted(context);
  metrics?.onRender?.({ durationMs: metrics.now() - startedAt, objects: objects.length });
  return objects;
}

/** Objects of all renderers in registration order, regardless of which finishes first. */
function* renderAll(
  { renderers, parallel }: Required<EngineOptions>,
  values: Values,
  context: RenderContext,
): Steps<readonly KubeObject[]> {
  if (parallel !== false) {
    const concurrency = parallel === true ? renderers.length : parallel.concurrency;
    return (yield* waitFor(renderParallel(renderers, { values, concurrency }, context))).flat();
  }
  const results: (readonly KubeObject[])[] = [];
  for (const renderer of renderers) results.push(yield* rendererSteps(renderer, values, context));
  return results.flat();
}

/** Abort reason for renderers if another one fails; not a failure of their own. */
class SiblingFailed extends Error {}

async function renderParallel(
  renderers: readonly Renderer[],
  { values, concurrency }: { readonly values: Values; readonly concurrency: number },
  context: RenderContext,
): Promise<readonly (readonly KubeObject[])[]> {
  const siblings = new AbortController();
  const linked = { ...context, signal: AbortSignal.any([context.signal, siblings.signal]) };
  const settled = await settleAtOnce(renderers, concurrency, async (renderer) => {
    try {
      return await runSteps(rendererSteps(renderer, values, linked));
    } catch (error) {
      siblings.abort(new SiblingFailed('another renderer failed'));
      throw error;
    }
  });
  const failed = settled.find((result) => result.status === 'rejected' && !hasCause(result.reason, SiblingFailed));
  if (failed?.status === 'rejected') throw failed.reason;
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

function* rendererSteps(renderer: Renderer, values: Values, outer: RenderContext): Steps<readonly KubeObject[]> {
  throwIfAborted(outer);
  const { name } = renderer;
  const { metrics } = outer;
  const context = { ...outer, renderer: name };
  const startedAt = metrics?.now() ?? 0;
  let objects: readonly KubeObject[];
  try {
    objects = takeObjects(renderer, yield* waitFor(renderer.process(copyJson(values), context)), context);
  } catch (error) {
    const failure = wrapFailure(name, error, context.signal);
    metrics?.onRenderer?.({ renderer: name, durationMs: metrics.now() - startedAt, objects: 0, error: failure });
    throw failure;
  }
  metrics?.onRenderer?.({ renderer: name, durationMs: metrics.now() - startedAt, objects: objects.length });
  return objects;
}

function takeObjects(renderer: Renderer, answer: unknown, context: RenderContext): readonly KubeObject[] {
  if (answer === null || answer === undefined) return [];
  if (!Array.isArray(answer)) throw new TypeError('a renderer must return a list of objects');
  const objects = answer.map((item: unknown, index) => {
    if (isKubeObject(item)) return item;
    throw new TypeError(`item ${index} of the renderer's list is not an object with apiVersion and kind`);
  });
  return isFresh(renderer) ? objects : objects.map((object) => copyObject(context.origins, object));
}

function wrapFailure(renderer: string, error: unknown, signal: AbortSignal): unknown {
  // A renderer's own failure counts even if another one has failed; only the abort reason of the caller replaces it.
  if (signal.aborted && !(signal.reason instanceof SiblingFailed)) return signal.reason;
  return error instanceof RendererError && error.renderer === renderer ? error : new RendererError(renderer, error);
}

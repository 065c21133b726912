import type { KubeObject } from '../model/index.ts';
import { throwIfAborted } from './abort.ts';
import { pipelineSteps } from './apply-pipeline.ts';
import { collectEngineOptions } from './engine-options.ts';
import type { EngineOptions } from './engine-options.ts';
import { createRenderContext } from './render-context.ts';
import { collectRenderOptions } from './render-options.ts';
import type { RenderOptions } from './render-options.ts';
import { renderAll } from './run-renderers.ts';
import { runSteps } from './steps.ts';
import type { Steps } from './steps.ts';

/** Renderers and what is done to their objects. Never changes; renders of one engine may run at the same time. */
export class Engine {
  readonly #options: Required<EngineOptions>;

  /** Throws `InvalidRendererError` for a renderer that is missing or has no name. */
  constructor(...options: readonly EngineOptions[]) {
    this.#options = collectEngineOptions(options);
  }

  /**
   * Renderers, then all filters (the engine's, then the call's), then all transformers, then all post-renderers. The objects
   * belong to the caller. The first failure ends the render, which settles once everything it started has settled.
   */
  async render(...options: readonly RenderOptions[]): Promise<KubeObject[]> {
    return await runSteps(renderSteps(this.#options, collectRenderOptions(options)));
  }
}

function* renderSteps(engine: Required<EngineOptions>, call: RenderOptions): Steps<KubeObject[]> {
  const context = createRenderContext(call);
  const { metrics } = context;
  const startedAt = metrics?.now() ?? 0;
  const rendered = yield* renderAll(engine, call.values ?? {}, context);
  const pipeline = {
    filters: [...engine.filters, ...(call.filters ?? [])],
    transformers: [...engine.transformers, ...(call.transformers ?? [])],
    postRenderers: [...engine.postRenderers, ...(call.postRenderers ?? [])],
  };
  const objects = [...(yield* pipelineSteps(rendered, pipeline, context, 'engine'))];
  throwIfAborted(context);
  metrics?.onRender?.({ durationMs: metrics.now() - startedAt, objects: objects.length });
  return objects;
}

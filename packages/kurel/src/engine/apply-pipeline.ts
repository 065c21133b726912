import type { Filter, KubeObject, PostRenderer, RenderContext, Transformer } from '../model/index.ts';
import { filterSteps } from './apply-filters.ts';
import { postRenderSteps } from './apply-post-renderers.ts';
import { transformSteps } from './apply-transformers.ts';
import type { Stage } from './errors.ts';
import { createRenderContext } from './render-context.ts';
import type { ContextOptions } from './render-context.ts';
import { runSteps } from './steps.ts';
import type { Steps } from './steps.ts';

export interface Pipeline {
  readonly filters?: readonly Filter[];
  readonly transformers?: readonly Transformer[];
  readonly postRenderers?: readonly PostRenderer[];
}

/** All filters, then all transformers, then the post-renderers, as one level of the engine does it. */
export async function applyPipeline(
  objects: Iterable<KubeObject>,
  pipeline: Pipeline,
  context?: ContextOptions,
): Promise<KubeObject[]> {
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

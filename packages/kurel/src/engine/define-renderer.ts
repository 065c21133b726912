import type { KubeObject, RenderContext, Renderer, Values } from '../model/index.ts';
import { throwIfAborted } from './abort.ts';
import { pipelineSteps } from './apply-pipeline.ts';
import { SourceError, messageOf } from './errors.ts';
import { fresh } from './purity.ts';
import { createRenderCache } from './render-cache.ts';
import { renderSource } from './render-source.ts';
import type { RendererDefinition, SourceOptions } from './renderer-definition.ts';
import { checkAnnotationPrefixes } from './source-annotations.ts';
import { runSteps } from './steps.ts';
import type { Steps } from './steps.ts';

/** The frame that all renderers of kurel share: sources in order, values, cache, annotations, the renderer's own pipeline. */
export function defineRenderer<Source extends SourceOptions<Source>>(definition: RendererDefinition<Source>): Renderer {
  const sources = listSources(definition.sources);
  checkSources(definition, sources);
  const { name, options = {} } = definition;
  checkAnnotationPrefixes(options);
  // Copies: what the caller does to its lists later is not for this renderer.
  const pipeline = {
    filters: [...(options.filters ?? [])],
    transformers: [...(options.transformers ?? [])],
    postRenderers: [...(options.postRenderers ?? [])],
  };
  const cache = options.cache === undefined ? undefined : createRenderCache(options.cache);

  function* processSteps(values: Values, outer: RenderContext): Steps<readonly KubeObject[]> {
    const context = outer.renderer === name ? outer : { ...outer, renderer: name };
    const objects: KubeObject[] = [];
    for (const [index, source] of sources.entries()) {
      throwIfAborted(context);
      try {
        for (const object of yield* renderSource({ definition, source, index, values, cache }, context))
          objects.push(object);
      } catch (error) {
        throwIfAborted(context);
        throw failSource(index, definition.describe(source), error);
      }
    }
    return yield* pipelineSteps(objects, pipeline, context, 'renderer');
  }

  return fresh({ name, process: (values, context) => runSteps(processSteps(values, context)) });
}

function listSources<Source>(sources: Source | readonly Source[]): readonly Source[] {
  return Array.isArray(sources) ? [...(sources as readonly Source[])] : [sources as Source];
}

function checkSources<Source extends SourceOptions<Source>>(
  definition: RendererDefinition<Source>,
  sources: readonly Source[],
): void {
  const problems = sources.flatMap((source, index) =>
    Array.from(definition.validate?.(source) ?? [], ({ field, message }) => ({ index, field, message })),
  );
  const first = problems[0];
  if (first === undefined) return;
  const lines = problems.map(({ index, field, message }) => `source ${index}: ${field} ${message}`);
  throw new SourceError(lines.join('\n'), { code: 'invalid-source', index: first.index, field: first.field });
}

function failSource(index: number, description: string, cause: unknown): SourceError {
  return new SourceError(`source ${index} (${description}): ${messageOf(cause)}`, {
    code: 'source-failed',
    index,
    cause,
  });
}

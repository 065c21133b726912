// takes:   renderers, filters, transformers, post-renderers, values
// gives:   one flat, ordered list of objects that belongs to the caller
// refuses: partial results: the first failure ends the render
export { Engine } from './engine.ts';
export { withFilter, withParallel, withPostRenderer, withRenderer, withTransformer } from './engine-options.ts';
export type { EngineOptions, Parallel } from './engine-options.ts';
export {
  withMetrics,
  withOrigins,
  withRenderFilter,
  withRenderPostRenderer,
  withRenderTransformer,
  withReport,
  withSignal,
  withValues,
} from './render-options.ts';
export type { RenderOptions } from './render-options.ts';
export { applyFilters } from './apply-filters.ts';
export { applyTransformers } from './apply-transformers.ts';
export { applyPipeline } from './apply-pipeline.ts';
export type { Pipeline } from './apply-pipeline.ts';
export { createRenderContext } from './render-context.ts';
export type { ContextOptions } from './render-context.ts';
export { createOriginTable } from './origin-table.ts';
export { filters } from './filters/index.ts';
export { transformers } from './transformers/index.ts';
export type { Case } from './transformers/compose.ts';
export type { NamespaceOptions } from './transformers/namespace.ts';
export { postRenderers } from './post-renderers.ts';
export { fresh, pure } from './purity.ts';
export { defineRenderer } from './define-renderer.ts';
export type {
  AnnotationSettings,
  RendererDefinition,
  RendererOptions,
  SourceOptions,
  SourceProblem,
} from './renderer-definition.ts';
export type { ValuesSource } from './values-source.ts';
export { createRenderCache } from './render-cache.ts';
export type { CacheOptions, CacheRequest, RenderCache, RenderedSource } from './render-cache.ts';
export { MemoryMetrics } from './memory-metrics.ts';
export type { RenderSummary, RendererSummary } from './memory-metrics.ts';
export { deepMerge } from './deep-merge.ts';
export { canonicalJson } from './canonical-json.ts';
export { contentHash } from './content-hash.ts';
export { copyJson } from './copy-json.ts';
export { sha256 } from './sha256.ts';
export { throwIfAborted } from './abort.ts';
export {
  EngineError,
  FilterError,
  InvalidRendererError,
  PostRendererError,
  RendererError,
  SourceError,
  TransformerError,
  messageOf,
} from './errors.ts';
export type { Stage } from './errors.ts';
export { JqError } from './jq-program.ts';
export type { JqBudget, JqErrorKind, JqFunction, JqLimits, JqOptions, JqPosition } from './jq-program.ts';

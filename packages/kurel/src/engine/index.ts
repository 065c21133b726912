// takes:   renderers, filters, transformers, post-renderers, values
// gives:   one flat, ordered list of objects that the caller owns
// refuses: partial results: the first failure ends the render
export { Engine } from './engine.ts';
export {
  withFilter,
  withMetrics,
  withOrigins,
  withParallel,
  withPostRenderer,
  withRenderer,
  withRenderFilter,
  withRenderPostRenderer,
  withRenderTransformer,
  withReport,
  withSignal,
  withTransformer,
  withValues,
} from './engine-options.ts';
export type { EngineOptions, Parallel, Pipeline, RenderOptions } from './engine-options.ts';
export { applyFilters, applyPipeline, applyTransformers, postRenderers } from './apply-pipeline.ts';
export { createOriginTable, createRenderContext } from './render-context.ts';
export type { ContextOptions } from './render-context.ts';
export { filters } from './filters/index.ts';
export { transformers } from './transformers/index.ts';
export type { Case } from './transformers/compose.ts';
export type { NamespaceOptions } from './transformers/namespace.ts';
export { fresh, pure, pureIfAll, throwIfAborted, settleAtOnce } from './steps.ts';
export { defineRenderer } from './define-renderer.ts';
export type {
  AnnotationSettings,
  RendererDefinition,
  RendererOptions,
  SourceOptions,
  SourceProblem,
  ValuesSource,
} from './define-renderer.ts';
export { createRenderCache } from './render-cache.ts';
export type { CacheOptions, CacheRequest, RenderCache, RenderedSource } from './render-cache.ts';
export { MemoryMetrics } from './memory-metrics.ts';
export type { RenderSummary, RendererSummary } from './memory-metrics.ts';
export { copyJson, deepMerge } from './copy-json.ts';
export { dataHash, contentHash, sha256 } from './sha256.ts';
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

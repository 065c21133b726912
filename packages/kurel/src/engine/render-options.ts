import type { Filter, MetricsSink, OriginTable, PostRenderer, Report, Transformer, Values } from '../model/index.ts';
import type { ContextOptions } from './render-context.ts';

/**
 * What holds for one call of `render`. Any number of these may be given, as plain objects or through `withValues` and the
 * like: lists are appended to those of the engine, and of everything else the last one given counts, whole.
 */
export interface RenderOptions extends Omit<ContextOptions, 'renderer'> {
  /** Given to every renderer, which merges them over the values of its sources. */
  readonly values?: Values | undefined;
  readonly filters?: readonly Filter[];
  readonly transformers?: readonly Transformer[];
  readonly postRenderers?: readonly PostRenderer[];
}

export function withValues(values: Values): RenderOptions {
  return { values };
}

export function withRenderFilter(filter: Filter): RenderOptions {
  return { filters: [filter] };
}

export function withRenderTransformer(transformer: Transformer): RenderOptions {
  return { transformers: [transformer] };
}

export function withRenderPostRenderer(postRenderer: PostRenderer): RenderOptions {
  return { postRenderers: [postRenderer] };
}

export function withSignal(signal: AbortSignal): RenderOptions {
  return { signal };
}

export function withMetrics(metrics: MetricsSink): RenderOptions {
  return { metrics };
}

export function withOrigins(origins: OriginTable): RenderOptions {
  return { origins };
}

export function withReport(report: Report): RenderOptions {
  return { report };
}

export function collectRenderOptions(options: readonly RenderOptions[]): RenderOptions {
  return {
    filters: options.flatMap((option) => option.filters ?? []),
    transformers: options.flatMap((option) => option.transformers ?? []),
    postRenderers: options.flatMap((option) => option.postRenderers ?? []),
    values: lastGiven(options, 'values'),
    signal: lastGiven(options, 'signal'),
    metrics: lastGiven(options, 'metrics'),
    origins: lastGiven(options, 'origins'),
    report: lastGiven(options, 'report'),
    budget: lastGiven(options, 'budget'),
  };
}

function lastGiven<Key extends 'values' | 'signal' | 'metrics' | 'origins' | 'report' | 'budget'>(
  options: readonly RenderOptions[],
  key: Key,
): RenderOptions[Key] | undefined {
  return options.findLast((option) => option[key] !== undefined)?.[key];
}

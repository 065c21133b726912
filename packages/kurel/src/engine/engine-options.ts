import type { Filter, PostRenderer, Renderer, Transformer } from '../model/index.ts';
import { EngineError, InvalidRendererError } from './errors.ts';

/** Renderers at the same time: all of them, or so many. */
export type Parallel = boolean | { readonly concurrency: number };

/**
 * What holds for every render of an engine. Any number of these may be given, as plain objects or through `withRenderer` and
 * the like: lists are appended to each other, and the last `parallel` counts.
 */
export interface EngineOptions {
  readonly renderers?: readonly Renderer[];
  readonly filters?: readonly Filter[];
  readonly transformers?: readonly Transformer[];
  readonly postRenderers?: readonly PostRenderer[];
  /** Off unless asked for. Results keep the order of the renderers. */
  readonly parallel?: Parallel;
}

export function withRenderer(renderer: Renderer): EngineOptions {
  return { renderers: [renderer] };
}

export function withFilter(filter: Filter): EngineOptions {
  return { filters: [filter] };
}

export function withTransformer(transformer: Transformer): EngineOptions {
  return { transformers: [transformer] };
}

export function withPostRenderer(postRenderer: PostRenderer): EngineOptions {
  return { postRenderers: [postRenderer] };
}

export function withParallel(parallel: Parallel = true): EngineOptions {
  return { parallel };
}

export function collectEngineOptions(options: readonly EngineOptions[]): Required<EngineOptions> {
  const collected = {
    renderers: options.flatMap((option) => option.renderers ?? []),
    filters: options.flatMap((option) => option.filters ?? []),
    transformers: options.flatMap((option) => option.transformers ?? []),
    postRenderers: options.flatMap((option) => option.postRenderers ?? []),
    parallel: options.findLast((option) => option.parallel !== undefined)?.parallel ?? false,
  };
  collected.renderers.forEach(checkRenderer);
  checkParallel(collected.parallel);
  return collected;
}

/** JavaScript callers have no compiler to tell them, so the check does not believe the type. */
function checkRenderer(renderer: Partial<Renderer> | null | undefined): void {
  if (renderer === null || renderer === undefined) throw new InvalidRendererError('renderer cannot be nil');
  if (typeof renderer.name !== 'string' || renderer.name.trim() === '') {
    throw new InvalidRendererError('renderer must return a non-empty name');
  }
  if (typeof renderer.process !== 'function') {
    throw new InvalidRendererError(`renderer ${renderer.name} must have a process function`);
  }
}

function checkParallel(parallel: Parallel): void {
  if (typeof parallel === 'boolean' || (Number.isInteger(parallel.concurrency) && parallel.concurrency > 0)) return;
  const message = `concurrency must be a whole number above 0, not ${parallel.concurrency}`;
  throw new EngineError(message, { code: 'invalid-option' });
}

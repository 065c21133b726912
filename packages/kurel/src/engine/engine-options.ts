import type {
  Filter,
  MetricsSink,
  OriginTable,
  PostRenderer,
  Renderer,
  RendererAnswer,
  Report,
  TransformerStep,
  Values,
} from '../model/index.ts';
import { didYouMean, nearest, quote } from '../diagnostics/index.ts';
import { EngineError, InvalidRendererError } from './errors.ts';
import type { ContextOptions } from './render-context.ts';

export interface Pipeline {
  readonly filters?: readonly Filter[];
  readonly transformers?: readonly TransformerStep[];
  readonly postRenderers?: readonly PostRenderer[];
}

/** Run renderers in parallel: all of them, or at most `concurrency`. */
export type Parallel = boolean | { readonly concurrency: number };

/**
 * Options for every render of an engine, as plain objects or through functions such as `withRenderer`. Several can be
 * combined: lists are appended, and the last `parallel` wins.
 */
export interface EngineOptions<Answer extends RendererAnswer = RendererAnswer> extends Pipeline {
  readonly renderers?: readonly Renderer<Answer>[];
  /** Defaults to false. Results keep the order of the renderers. */
  readonly parallel?: Parallel;
}

export function withRenderer<Answer extends RendererAnswer>(renderer: Renderer<Answer>): EngineOptions<Answer> {
  return { renderers: [renderer] };
}

export function withFilter(filter: Filter): EngineOptions<never> {
  return { filters: [filter] };
}

export function withTransformer(transformer: TransformerStep): EngineOptions<never> {
  return { transformers: [transformer] };
}

export function withPostRenderer(postRenderer: PostRenderer): EngineOptions<never> {
  return { postRenderers: [postRenderer] };
}

export function withParallel(parallel: Parallel = true): EngineOptions<never> {
  return { parallel };
}

const lists = ['filters', 'transformers', 'postRenderers'] as const;
const ofEngine = ['renderers', ...lists, 'parallel'];
const lastOnes = ['values', 'signal', 'metrics', 'origins', 'report', 'onChange', 'budget'] as const;
const ofRender = [...lists, ...lastOnes];

export function collectEngineOptions<Answer extends RendererAnswer>(
  options: readonly EngineOptions<Answer>[],
): Required<EngineOptions<Answer>> {
  checkOptions(options, ofEngine);
  const collected = {
    ...joinPipelines(options),
    renderers: options.flatMap((option) => option.renderers ?? []),
    parallel: options.findLast((option) => option.parallel !== undefined)?.parallel ?? false,
  };
  collected.renderers.forEach(checkRenderer);
  checkFunctions(collected);
  checkParallel(collected.parallel);
  return collected;
}

export function joinPipelines(pipelines: readonly Pipeline[]): Required<Pipeline> {
  return {
    filters: pipelines.flatMap(({ filters = [] }) => filters),
    transformers: pipelines.flatMap(({ transformers = [] }) => transformers),
    postRenderers: pipelines.flatMap(({ postRenderers = [] }) => postRenderers),
  };
}

/** Checked at runtime as well, because JavaScript callers have no type checks. */
function checkOptions(options: readonly unknown[], keys: readonly string[]): void {
  for (const option of options) {
    if (typeof option !== 'object' || option === null) {
      const got = typeof option === 'function' ? 'a function' : String(option);
      throw refuseOption(`options must be an object, such as the result of withFilter(…), got ${got}`);
    }
    for (const key of Object.keys(option)) {
      if (keys.includes(key)) continue;
      const near = nearest(key, keys);
      const advice = didYouMean(near) ?? `use one of ${keys.join(', ')}`;
      throw refuseOption(`unknown option ${quote(key)}; ${advice}`);
    }
  }
}

function checkFunctions(options: Partial<Record<(typeof lists)[number], readonly unknown[]>>): void {
  for (const list of lists) {
    for (const [index, operation] of (options[list] ?? []).entries()) {
      if (typeof operation === 'function' || (list === 'transformers' && isNamedStep(operation))) continue;
      throw refuseOption(`${list}[${index}] must be a function`);
    }
  }
}

function isNamedStep(step: unknown): boolean {
  if (typeof step !== 'object' || step === null) return false;
  const { words, transform, prepare }: { words?: unknown; transform?: unknown; prepare?: unknown } = step;
  return (typeof words === 'string' || Array.isArray(words)) && [typeof transform, typeof prepare].includes('function');
}

/** Refuses a pipeline with unknown keys or with anything but functions in its lists. */
export function checkPipeline(pipeline: Partial<Record<(typeof lists)[number], readonly unknown[]>>): void {
  checkOptions([pipeline], lists);
  checkFunctions(pipeline);
}

function refuseOption(message: string): EngineError {
  return new EngineError(message, { code: 'invalid-option' });
}

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
  throw refuseOption(`concurrency must be an integer greater than 0, got ${parallel.concurrency}`);
}

/**
 * Options for one call of `render`, as plain objects or through functions such as `withValues`. Several can be combined: lists
 * are appended to those of the engine, and the last of any other option wins entirely.
 */
export interface RenderOptions extends Omit<ContextOptions, 'renderer'>, Pipeline {
  /** Passed to every renderer, which merges them over the values of its sources. */
  readonly values?: Values | undefined;
}

export function withValues(values: Values): RenderOptions {
  return { values };
}

export function withRenderFilter(filter: Filter): RenderOptions {
  return { filters: [filter] };
}

export function withRenderTransformer(transformer: TransformerStep): RenderOptions {
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
  checkOptions(options, ofRender);
  const last = lastOnes.map((key) => [key, options.findLast((option) => option[key] !== undefined)?.[key]]);
  const collected: RenderOptions = { ...joinPipelines(options), ...Object.fromEntries(last) };
  checkFunctions(collected);
  return collected;
}

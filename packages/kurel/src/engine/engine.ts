import { isKubeObject } from '../model/index.ts';
import type { KubeObject, RenderContext, Renderer, RendererAnswer, Values } from '../model/index.ts';
import { pipelineSteps } from './apply-pipeline.ts';
import { copyJson } from './copy-json.ts';
import { collectEngineOptions, collectRenderOptions, joinPipelines } from './engine-options.ts';
import type { EngineOptions, RenderOptions } from './engine-options.ts';
import { hasCause, RendererError } from './errors.ts';
import { settleAtOnce, isFresh, runSteps, throwIfAborted, waitFor, untilAborted, isThenable } from './steps.ts';
import { copyObject, createRenderContext } from './render-context.ts';
import type { Steps } from './steps.ts';

/** Renderers with the filters, transformers and post-renderers for their objects. Immutable; renders may run concurrently. */
export class Engine<Answer extends RendererAnswer = RendererAnswer> {
  readonly #options: Required<EngineOptions<Answer>>;

  /** Throws `InvalidRendererError` for a renderer that is missing or has no name. */
  constructor(...options: readonly EngineOptions<Answer>[]) {
    this.#options = collectEngineOptions(options);
  }

  /**
   * Runs renderers, then all filters (of the engine, then of the call), all transformers and all post-renderers, then the checks that
   * renderers have for final objects. The caller owns the objects. The first failure ends the render, which settles after everything
   * that it started has settled.
   */
  async render(...options: readonly RenderOptions[]): Promise<KubeObject[]> {
    const call = collectRenderOptions(options);
    return [...(await settle(renderSteps(this.#options, call), call)).objects];
  }

  /** As `render`, without the checks of final objects: a caller that adds more stages makes them at the end. */
  async run(...options: readonly RenderOptions[]): Promise<EngineRun<Answer>> {
    const call = collectRenderOptions(options);
    return await settle(engineSteps(this.#options, call, createRenderContext(call)), call);
  }
}

export interface EngineRun<Answer extends RendererAnswer = RendererAnswer> {
  readonly objects: readonly KubeObject[];
  /** Objects that filters dropped, with the names that the others use to refer to them. */
  readonly dropped: readonly KubeObject[];
  /** The renderers' answers, in the order of the renderers. */
  readonly answers: readonly Answer[];
}

async function settle<Result>(steps: Steps<Result>, { signal }: RenderOptions): Promise<Result> {
  const result = runSteps(steps);
  // A renderer may ignore the signal; the caller must not wait for it.
  return await (isThenable(result) && signal !== undefined ? untilAborted(result, signal) : result);
}

function* renderSteps<Answer extends RendererAnswer>(
  engine: Required<EngineOptions<Answer>>,
  call: RenderOptions,
): Steps<EngineRun<Answer>> {
  const context = createRenderContext(call);
  const { metrics } = context;
  const startedAt = metrics?.now() ?? 0;
  const run = yield* engineSteps(engine, call, context);
  for (const answer of run.answers) {
    if ('check' in answer && answer.check !== undefined) yield* waitFor(answer.check(run.objects, context));
  }
  throwIfAborted(context);
  metrics?.onRender?.({ durationMs: metrics.now() - startedAt, objects: run.objects.length });
  return run;
}

function* engineSteps<Answer extends RendererAnswer>(
  engine: Required<EngineOptions<Answer>>,
  call: RenderOptions,
  context: RenderContext,
): Steps<EngineRun<Answer>> {
  const rendered = yield* renderAll(engine, call.values ?? {}, context);
  const objects = rendered.flatMap(({ objects: list }) => list);
  const result = yield* pipelineSteps(objects, joinPipelines([engine, call]), context, 'engine');
  throwIfAborted(context);
  return { ...result, answers: rendered.map(({ answer }) => answer) };
}

/** An answer, and its objects as the engine may pass them on. */
interface TakenAnswer<Answer> {
  readonly answer: Answer;
  readonly objects: readonly KubeObject[];
}

/** Answers of all renderers in registration order, regardless of which finishes first. */
function* renderAll<Answer extends RendererAnswer>(
  { renderers, parallel }: Required<EngineOptions<Answer>>,
  values: Values,
  context: RenderContext,
): Steps<readonly TakenAnswer<Answer>[]> {
  if (parallel !== false) {
    const concurrency = parallel === true ? renderers.length : parallel.concurrency;
    return yield* waitFor(renderParallel(renderers, { values, concurrency }, context));
  }
  const results: TakenAnswer<Answer>[] = [];
  for (const renderer of renderers) results.push(yield* rendererSteps(renderer, values, context));
  return results;
}

/** Abort reason for renderers if another one fails; not a failure of their own. */
class SiblingFailed extends Error {}

async function renderParallel<Answer extends RendererAnswer>(
  renderers: readonly Renderer<Answer>[],
  { values, concurrency }: { readonly values: Values; readonly concurrency: number },
  context: RenderContext,
): Promise<readonly TakenAnswer<Answer>[]> {
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

function* rendererSteps<Answer extends RendererAnswer>(
  renderer: Renderer<Answer>,
  values: Values,
  outer: RenderContext,
): Steps<TakenAnswer<Answer>> {
  throwIfAborted(outer);
  const { name } = renderer;
  const { metrics } = outer;
  const context = { ...outer, renderer: name };
  const startedAt = metrics?.now() ?? 0;
  let taken: TakenAnswer<Answer>;
  try {
    const answer = yield* waitFor(renderer.process(copyJson(values), context));
    taken = { answer: answer ?? [], objects: takeObjects(renderer, objectsOf(answer), context) };
  } catch (error) {
    const failure = wrapFailure(name, error, context.signal);
    metrics?.onRenderer?.({ renderer: name, durationMs: metrics.now() - startedAt, objects: 0, error: failure });
    throw failure;
  }
  metrics?.onRenderer?.({ renderer: name, durationMs: metrics.now() - startedAt, objects: taken.objects.length });
  return taken;
}

function objectsOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'objects' in answer ? answer.objects : answer;
}

function takeObjects(renderer: Renderer, list: unknown, context: RenderContext): readonly KubeObject[] {
  if (list === null || list === undefined) return [];
  if (!Array.isArray(list)) throw new TypeError('a renderer must return a list of objects');
  const objects = list.map((item: unknown, index) => {
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

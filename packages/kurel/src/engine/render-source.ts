import type { Diagnostic, KubeObject, RenderContext, Values } from '../model/index.ts';
import { throwIfAborted } from './abort.ts';
import { postRenderSteps } from './apply-post-renderers.ts';
import { deepMerge } from './deep-merge.ts';
import type { RendererDefinition, SourceOptions } from './renderer-definition.ts';
import type { RenderCache, RenderedSource } from './render-cache.ts';
import { sourceAnnotator } from './source-annotations.ts';
import { runSteps, waitFor } from './steps.ts';
import type { Steps } from './steps.ts';
import { resolveValues } from './values-source.ts';

/** One source in one render. */
interface SourceRun<Source extends SourceOptions<Source>> {
  readonly definition: RendererDefinition<Source>;
  readonly source: Source;
  readonly index: number;
  /** The values of the render; inside, those of the source merged under them. */
  readonly values: Values;
  readonly cache: RenderCache | undefined;
}

/** Select, values, render or cache, annotations, the source's own post-renderers. */
export function* renderSource<Source extends SourceOptions<Source>>(
  run: SourceRun<Source>,
  context: RenderContext,
): Steps<readonly KubeObject[]> {
  const { definition, source, cache } = run;
  if (source.select !== undefined) {
    const isSelected: unknown = yield* waitFor(source.select(source, context));
    // A function that forgot to answer must not drop a source silently.
    if (typeof isSelected !== 'boolean') throw new TypeError('select must return a boolean');
    if (!isSelected) return [];
  }
  throwIfAborted(context);
  const values =
    definition.ignoresValues === true
      ? {}
      : deepMerge(yield* waitFor(resolveValues(source.values, context)), run.values);
  throwIfAborted(context);
  const merged = { ...run, values };
  const objects = yield* cache === undefined ? renderLive(merged, context) : renderCached(merged, cache, context);
  return yield* postRenderSteps(objects, source.postRenderers ?? [], context, 'source');
}

function* renderLive<Source extends SourceOptions<Source>>(
  { definition, source, values }: SourceRun<Source>,
  context: RenderContext,
): Steps<readonly KubeObject[]> {
  const objects = yield* waitFor(definition.render(source, values, context));
  const origin = { renderer: definition.name, source: definition.describe(source) };
  for (const object of objects) {
    if (context.origins.get(object) === undefined) context.origins.set(object, origin);
  }
  const description = { type: definition.type ?? definition.name, path: definition.pathOf?.(source) };
  const annotate = sourceAnnotator(definition.options ?? {}, description, context);
  return annotate === undefined ? objects : objects.map(annotate);
}

function* renderCached<Source extends SourceOptions<Source>>(
  run: SourceRun<Source>,
  cache: RenderCache,
  context: RenderContext,
): Steps<readonly KubeObject[]> {
  const { definition, source, index, values } = run;
  const { objects, origins, diagnostics } = yield* waitFor(
    cache.resolve({
      identity: { source: index, identity: definition.identify?.(source) ?? definition.describe(source), values },
      signal: context.signal,
      produce: () => runSteps(recordLive(run, context)),
    }),
  );
  for (const [position, object] of objects.entries()) {
    const origin = origins[position];
    if (origin !== undefined) context.origins.set(object, origin);
  }
  for (const diagnostic of diagnostics) context.report(diagnostic);
  return objects;
}

/** Findings are held back and kept with the result, so that each render that uses it reports them once. */
function* recordLive<Source extends SourceOptions<Source>>(
  run: SourceRun<Source>,
  context: RenderContext,
): Steps<RenderedSource> {
  const diagnostics: Diagnostic[] = [];
  const recording = { ...context, report: (diagnostic: Diagnostic) => void diagnostics.push(diagnostic) };
  try {
    const objects = yield* renderLive(run, recording);
    return { objects, origins: objects.map((object) => context.origins.get(object)), diagnostics };
  } catch (error) {
    for (const diagnostic of diagnostics) context.report(diagnostic);
    throw error;
  }
}

import { checkDnsSubdomain, withAnnotations } from '../kube/index.ts';
import type { Diagnostic, KubeObject, RenderContext, Renderer, Values } from '../model/index.ts';
import { fresh, runSteps, throwIfAborted, waitFor } from './steps.ts';
import { pipelineSteps, postRenderSteps } from './apply-pipeline.ts';
import { contentHash, DEFAULT_ANNOTATION_PREFIX, hashAnnotation } from './sha256.ts';
import { deepMerge } from './copy-json.ts';
import { EngineError, messageOf, SourceError } from './errors.ts';
import { carryOrigin } from './render-context.ts';
import { createRenderCache } from './render-cache.ts';
import type { RenderCache, RenderedSource } from './render-cache.ts';
import type { AnnotationSettings, RendererDefinition, RendererOptions, SourceOptions } from './renderer-definition.ts';
import type { Steps } from './steps.ts';
import { resolveValues } from './renderer-definition.ts';

/** Creates a renderer: sources in order, values, cache, annotations, and its own pipeline. */
export function defineRenderer<Source extends SourceOptions<Source>>(definition: RendererDefinition<Source>): Renderer {
  const sources = listSources(definition.sources);
  checkSources(definition, sources);
  const { name, options = {} } = definition;
  checkAnnotationPrefixes(options);
  // Copies, so that later changes to the caller's lists have no effect.
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

/** One source in one render. */
interface SourceRun<Source extends SourceOptions<Source>> {
  readonly definition: RendererDefinition<Source>;
  readonly source: Source;
  readonly index: number;
  /** Values of the render; later merged over those of the source. */
  readonly values: Values;
  readonly cache: RenderCache | undefined;
}

/** Select, values, render or cache, annotations, then the post-renderers of the source. */
function* renderSource<Source extends SourceOptions<Source>>(
  run: SourceRun<Source>,
  context: RenderContext,
): Steps<readonly KubeObject[]> {
  const { definition, source, cache } = run;
  if (source.select !== undefined) {
    const isSelected: unknown = yield* waitFor(source.select(source, context));
    // A function without a return value must not drop a source silently.
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
  const description = {
    type: definition.type ?? definition.name,
    path: definition.pathOf?.(source),
    fileOf: (file: string) => definition.fileOf?.(source, file) ?? file,
  };
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

/** Findings are collected with the result, so that each render that uses it reports them once. */
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

/** Annotations of every object of one source. */
interface SourceDescription {
  readonly type: string;
  readonly path: string | undefined;
  readonly fileOf: (file: string) => string;
}

/** Throws at construction for a prefix that is not valid in an annotation. */
function checkAnnotationPrefixes({ sourceAnnotations, contentHash: hash }: RendererOptions): void {
  for (const prefix of [prefixOf(sourceAnnotations), prefixOf(hash)]) {
    const reason = prefix === undefined ? undefined : checkDnsSubdomain(prefix);
    if (reason === undefined) continue;
    throw new EngineError(`annotation prefix ${JSON.stringify(prefix)} ${reason}`, { code: 'invalid-option' });
  }
}

/** Annotates the objects of one source; `undefined` if no annotation is enabled. */
function sourceAnnotator(
  options: RendererOptions,
  source: SourceDescription,
  context: RenderContext,
): ((object: KubeObject) => KubeObject) | undefined {
  const sourcePrefix = prefixOf(options.sourceAnnotations);
  const hashPrefix = prefixOf(options.contentHash);
  if (sourcePrefix === undefined && hashPrefix === undefined) return undefined;
  return (object) => {
    let annotated = object;
    if (sourcePrefix !== undefined) {
      const file = context.origins.get(object)?.file;
      annotated = withAnnotations(annotated, {
        [`${sourcePrefix}/source.type`]: source.type,
        ...(source.path === undefined ? {} : { [`${sourcePrefix}/source.path`]: portablePath(source.path) }),
        ...(file === undefined ? {} : { [`${sourcePrefix}/source.file`]: portablePath(source.fileOf(file)) }),
      });
    }
    // After the source annotations, which are part of the rendered object.
    if (hashPrefix !== undefined) {
      annotated = withAnnotations(annotated, { [hashAnnotation(hashPrefix)]: contentHash(annotated, hashPrefix) });
    }
    carryOrigin(context.origins, object, annotated);
    return annotated;
  };
}

/** Manifests must not depend on where a machine keeps their sources: of an absolute path there is only the last part. */
function portablePath(path: string): string {
  return /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path) ? (/[^/\\]+(?=[/\\]*$)/.exec(path)?.[0] ?? '') : path;
}

function prefixOf(setting: boolean | AnnotationSettings | undefined): string | undefined {
  if (setting === undefined || setting === false) return undefined;
  return setting === true ? DEFAULT_ANNOTATION_PREFIX : setting.prefix;
}

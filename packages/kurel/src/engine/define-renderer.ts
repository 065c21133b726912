import { carryOrigin, checkDnsSubdomain, withAnnotations } from '../kube/index.ts';
import type {
  Awaitable,
  Diagnostic,
  FinalCheck,
  Json,
  KubeObject,
  PostRenderer,
  RenderContext,
  Rendered,
  Renderer,
  RendererAnswer,
  Values,
} from '../model/index.ts';
import { pipelineSteps, postRenderSteps } from './apply-pipeline.ts';
import { deepMerge } from './copy-json.ts';
import { EngineError, messageOf, SourceError } from './errors.ts';
import { createRenderCache } from './render-cache.ts';
import type { CacheOptions, RenderCache, RenderedSource } from './render-cache.ts';
import { contentHash, DEFAULT_ANNOTATION_PREFIX, hashAnnotation } from './sha256.ts';
import { fresh, runSteps, throwIfAborted, waitFor } from './steps.ts';
import type { Steps } from './steps.ts';
import { joinPipelines } from './engine-options.ts';
import type { Pipeline } from './engine-options.ts';

/** Creates a renderer: sources in order, values, cache, annotations, and its own pipeline. */
export function defineRenderer<Source extends SourceOptions<Source>>(
  definition: RendererDefinition<Source>,
): Renderer<Rendered> {
  const { name, options = {}, sources: all } = definition;
  // Copies, here and below, so that later changes to the caller's lists have no effect.
  const sources = Array.isArray(all) ? [...(all as readonly Source[])] : [all as Source];
  checkSources(definition, sources);
  checkAnnotationPrefixes(options);
  const pipeline = joinPipelines([options]);
  const cache = options.cache === undefined ? undefined : createRenderCache(options.cache);

  function* processSteps(values: Values, outer: RenderContext): Steps<Rendered> {
    const context = outer.renderer === name ? outer : { ...outer, renderer: name };
    const objects: KubeObject[] = [];
    const checks: FinalCheck[] = [];
    for (const [index, source] of sources.entries()) {
      throwIfAborted(context);
      try {
        const rendered = yield* renderSource({ source, index, values }, context);
        for (const object of rendered.objects) objects.push(object);
        if (rendered.check !== undefined) checks.push(rendered.check);
      } catch (error) {
        throwIfAborted(context);
        const message = `source ${index} (${definition.describe(source)}): ${messageOf(error)}`;
        throw new SourceError(message, { code: 'source-failed', index, cause: error });
      }
    }
    const result = yield* pipelineSteps(objects, pipeline, context, 'renderer');
    return { objects: result.objects, check: joinChecks(checks) };
  }

  /** One source in one render: select, values, render or cache, annotations, then the post-renderers of the source. */
  function* renderSource(run: SourceRun<Source>, context: RenderContext): Steps<Rendered> {
    const { source } = run;
    if (source.select !== undefined) {
      const isSelected: unknown = yield* waitFor(source.select(source, context));
      // A function without a return value must not drop a source silently.
      if (typeof isSelected !== 'boolean') throw new TypeError('select must return a boolean');
      if (!isSelected) return nothingRendered;
    }
    throwIfAborted(context);
    let values: Values = {};
    if (definition.ignoresValues !== true) {
      const own = typeof source.values === 'function' ? source.values(context) : source.values;
      values = deepMerge(yield* waitFor(own), run.values);
    }
    throwIfAborted(context);
    const merged = { ...run, values };
    const rendered = yield* cache === undefined ? renderLive(merged, context) : renderCached(cache, merged, context);
    const { objects } = rendered;
    const result = yield* postRenderSteps({ objects, dropped: [] }, source.postRenderers ?? [], context, 'source');
    return { objects: result.objects, check: rendered.check };
  }

  function* renderLive({ source, values }: SourceRun<Source>, context: RenderContext): Steps<Rendered> {
    const answer = yield* waitFor(definition.render(source, values, context));
    const { objects, check }: Rendered = 'objects' in answer ? answer : { objects: answer };
    const origin = { renderer: name, source: definition.describe(source) };
    for (const object of objects) {
      if (context.origins.get(object) === undefined) context.origins.set(object, origin);
    }
    const annotate = createAnnotator(definition, source, context);
    return { objects: annotate === undefined ? objects : objects.map(annotate), check };
  }

  function* renderCached(results: RenderCache, run: SourceRun<Source>, context: RenderContext): Steps<Rendered> {
    const { source, index, values } = run;
    const { objects, origins, diagnostics, check } = yield* waitFor(
      results.resolve({
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
    return { objects, check };
  }

  /** Findings are collected with the result, so that each render that uses it reports them once. */
  function* recordLive(run: SourceRun<Source>, context: RenderContext): Steps<RenderedSource> {
    const diagnostics: Diagnostic[] = [];
    const recording = { ...context, report: (diagnostic: Diagnostic) => void diagnostics.push(diagnostic) };
    try {
      const { objects, check } = yield* renderLive(run, recording);
      return { objects, origins: objects.map((object) => context.origins.get(object)), diagnostics, check };
    } catch (error) {
      for (const diagnostic of diagnostics) context.report(diagnostic);
      throw error;
    }
  }

  return fresh({ name, process: (values, context) => runSteps(processSteps(values, context)) });
}

const nothingRendered: Rendered = { objects: [] };

function joinChecks(checks: readonly FinalCheck[]): FinalCheck | undefined {
  if (checks.length < 2) return checks[0];
  return async (objects, context) => {
    for (const check of checks) await check(objects, context);
  };
}

interface SourceRun<Source> {
  readonly source: Source;
  readonly index: number;
  /** Values of the render; later merged over those of the source. */
  readonly values: Values;
}

function checkSources<Source extends SourceOptions<Source>>(
  definition: RendererDefinition<Source>,
  sources: readonly Source[],
): void {
  // Code without types passes anything.
  const missing = sources.findIndex((source: unknown) => typeof source !== 'object' || source === null);
  if (missing !== -1) {
    throw new SourceError(`source ${missing} must be an object`, { code: 'invalid-source', index: missing });
  }
  const problems = sources.flatMap((source, index) =>
    Array.from(definition.validate?.(source) ?? [], ({ field, message }) => ({ index, field, message })),
  );
  const first = problems[0];
  if (first === undefined) return;
  const lines = problems.map(({ index, field, message }) => `source ${index}: ${field} ${message}`);
  throw new SourceError(lines.join('\n'), { code: 'invalid-source', index: first.index, field: first.field });
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
function createAnnotator<Source extends SourceOptions<Source>>(
  { name, type = name, options = {}, pathOf, fileOf }: RendererDefinition<Source>,
  source: Source,
  context: RenderContext,
): ((object: KubeObject) => KubeObject) | undefined {
  const [sourcePrefix, hashPrefix] = [prefixOf(options.sourceAnnotations), prefixOf(options.contentHash)];
  if (sourcePrefix === undefined && hashPrefix === undefined) return undefined;
  const path = pathOf?.(source);
  return (object) => {
    let annotated = object;
    if (sourcePrefix !== undefined) {
      const file = context.origins.get(object)?.file;
      annotated = withAnnotations(annotated, {
        [`${sourcePrefix}/source.type`]: type,
        ...(path === undefined ? {} : { [`${sourcePrefix}/source.path`]: portablePath(path) }),
        ...(file === undefined
          ? {}
          : { [`${sourcePrefix}/source.file`]: portablePath(fileOf?.(source, file) ?? file) }),
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

/** Options of every kurel renderer. Its pipeline is applied once, to the objects of all sources. */
export interface RendererOptions extends Pipeline {
  /**
   * Annotates each object with the source it came from: `<prefix>/source.type`, `.path` as given, and `.file` inside the source. Never with
   * an absolute path. Defaults to `false`.
   */
  readonly sourceAnnotations?: boolean | AnnotationSettings;
  /** Annotates each object with a hash of its rendered content (`<prefix>/content.hash`). Defaults to false. */
  readonly contentHash?: boolean | AnnotationSettings;
  readonly cache?: CacheOptions;
}

export interface AnnotationSettings {
  /** Without the slash. Defaults to `kurel.dev`. */
  readonly prefix: string;
}

/** Options of every source; the sources of a renderer extend them. */
export interface SourceOptions<Source> {
  /** Whether this source takes part; called on every render. */
  readonly select?: (source: Source, context: RenderContext) => Awaitable<boolean>;
  /** Applied to the objects of this source only, before the renderer's own filters and transformers. */
  readonly postRenderers?: readonly PostRenderer[];
  /** Merged under the values of the render, which win. A function is called on every render. */
  readonly values?: ValuesSource;
}

/** One kind of renderer over one list of sources. */
export interface RendererDefinition<Source extends SourceOptions<Source>> {
  /** Name of the renderer in errors, metrics and origins. */
  readonly name: string;
  /** Value of `source.type`. Defaults to the name. */
  readonly type?: string;
  readonly sources: Source | readonly Source[];
  /** Problems of a source. All problems of all sources are thrown together at construction. */
  readonly validate?: (source: Source) => Iterable<SourceProblem>;
  /** Describes the source in errors and origins: a path, a pattern, a chart reference. */
  readonly describe: (source: Source) => string;
  /** Value of `source.path`, if any. Only the last part of an absolute path is annotated. */
  readonly pathOf?: (source: Source) => string | undefined;
  /**
   * Value of `source.file` for the `file` of an object's origin: its path inside the source. Defaults to that `file`. Only the last
   * part of an absolute path is annotated.
   */
  readonly fileOf?: (source: Source, file: string) => string;
  /** Distinguishes sources in the cache, together with index and values. Defaults to `describe`. */
  readonly identify?: (source: Source) => Json;
  /** The source does not use values: they are neither evaluated nor part of the cache key. */
  readonly ignoresValues?: boolean;
  /**
   * Creates the objects of one source, new ones on every call, and sets their origins through `context.origins`. The object may
   * be the same tree as `parsed` of its origin, because neither is changed in place. Objects without an origin get one from
   * `describe`. Failures are wrapped with the index and description of the source, so messages need not repeat them.
   */
  readonly render: (source: Source, values: Values, context: RenderContext) => Awaitable<RendererAnswer>;
  readonly options?: RendererOptions;
}

export interface SourceProblem {
  readonly field: string;
  /** Continues the name of the field: `must not be blank`. */
  readonly message: string;
}

/** Values, or a function that returns them on every render; `undefined` means no values. */
export type ValuesSource = Values | ((context: RenderContext) => Awaitable<Values | null | undefined>);

import type {
  Awaitable,
  Filter,
  Json,
  KubeObject,
  PostRenderer,
  RenderContext,
  Transformer,
  Values,
} from '../model/index.ts';
import type { CacheOptions } from './render-cache.ts';

/** What every renderer of kurel can be told, whatever it renders. */
export interface RendererOptions {
  /** Applied once, over the objects of all sources of the renderer. */
  readonly filters?: readonly Filter[];
  readonly transformers?: readonly Transformer[];
  readonly postRenderers?: readonly PostRenderer[];
  /** Annotates each object with the source it came from (`<prefix>/source.type`, `.path`, `.file`). Off unless asked for. */
  readonly sourceAnnotations?: boolean | AnnotationSettings;
  /** Annotates each object with the hash of itself as rendered (`<prefix>/content.hash`). Off unless asked for. */
  readonly contentHash?: boolean | AnnotationSettings;
  readonly cache?: CacheOptions;
}

export interface AnnotationSettings {
  /** Without the slash; `kurel.dev` unless given. */
  readonly prefix: string;
}

/** What every source can be told, whatever it is; the sources of a renderer extend this with their own type. */
export interface SourceOptions<Source> {
  /** Asked on every render: whether this source takes part in it. */
  readonly select?: (source: Source, context: RenderContext) => Awaitable<boolean>;
  /** See only the objects of this source, before the renderer's own filters and transformers. */
  readonly postRenderers?: readonly PostRenderer[];
  /** Merged under the values of the render, which win. A function is asked on every render. */
  readonly values?: ValuesSource;
}

/** One kind of renderer over one list of sources. */
export interface RendererDefinition<Source extends SourceOptions<Source>> {
  /** The name of the renderer, in errors, metrics and origins. */
  readonly name: string;
  /** What `source.type` says; the name unless given. */
  readonly type?: string;
  readonly sources: Source | readonly Source[];
  /** What is wrong with a source as it was given. All problems of all sources are thrown together at construction. */
  readonly validate?: (source: Source) => Iterable<SourceProblem>;
  /** The source in the user's own words, in errors and in origins: a path, a pattern, a chart reference. */
  readonly describe: (source: Source) => string;
  /** What `source.path` says; left out when there is nothing to say. `source.file` is the `file` of each object's origin. */
  readonly pathOf?: (source: Source) => string | undefined;
  /** What tells two sources apart in the cache, beside their index and values; `describe` unless given. */
  readonly identify?: (source: Source) => Json;
  /** The source does not depend on values: they are neither asked for nor part of the key in the cache. */
  readonly ignoresValues?: boolean;
  /**
   * Makes the objects of one source, new ones on every call, and sets their origins through `context.origins`. The object may
   * be the same tree as `said` of its origin: nothing changes either in place. Objects without an origin get one from
   * `describe`. Failures are wrapped with the source's index and description, so the message need not repeat them.
   */
  readonly render: (source: Source, values: Values, context: RenderContext) => Awaitable<readonly KubeObject[]>;
  readonly options?: RendererOptions;
}

export interface SourceProblem {
  readonly field: string;
  /** Reads on after the field's name: `must not be blank`. */
  readonly message: string;
}

/** Values as a tree, or a function that gives them on every render; nothing counts as no values. */
export type ValuesSource = Values | ((context: RenderContext) => Awaitable<Values | null | undefined>);

export function resolveValues(
  source: ValuesSource | undefined,
  context: RenderContext,
): Awaitable<Values | null | undefined> {
  return typeof source === 'function' ? source(context) : source;
}

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

/** Options of every kurel renderer. */
export interface RendererOptions {
  /** Applied once, to the objects of all sources of the renderer. */
  readonly filters?: readonly Filter[];
  readonly transformers?: readonly Transformer[];
  readonly postRenderers?: readonly PostRenderer[];
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
   * be the same tree as `said` of its origin, because neither is changed in place. Objects without an origin get one from
   * `describe`. Failures are wrapped with the index and description of the source, so messages need not repeat them.
   */
  readonly render: (source: Source, values: Values, context: RenderContext) => Awaitable<readonly KubeObject[]>;
  readonly options?: RendererOptions;
}

export interface SourceProblem {
  readonly field: string;
  /** Continues the name of the field: `must not be blank`. */
  readonly message: string;
}

/** Values, or a function that returns them on every render; `undefined` means no values. */
export type ValuesSource = Values | ((context: RenderContext) => Awaitable<Values | null | undefined>);

export function resolveValues(
  source: ValuesSource | undefined,
  context: RenderContext,
): Awaitable<Values | null | undefined> {
  return typeof source === 'function' ? source(context) : source;
}

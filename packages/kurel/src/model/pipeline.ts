import type { Budget } from './budget.ts';
import type { Report } from './diagnostic.ts';
import type { KubeObject, Path, Values } from './json.ts';
import type { Message } from './message.ts';
import type { Origin } from './source.ts';

/** A value now or later. Synchronous code returns the value itself, to save a promise. */
export type Awaitable<T> = T | PromiseLike<T>;

/** Creates objects. Every call returns new objects that the caller owns. */
export interface Renderer<Answer extends RendererAnswer = RendererAnswer> {
  /** Non-empty; used in metrics and errors. */
  readonly name: string;
  process(values: Values, context: RenderContext): Awaitable<Answer>;
}

/** A list of objects, or the objects with what the renderer knows about them. */
export type RendererAnswer = readonly KubeObject[] | Rendered;

/** An engine carries everything but the objects to its caller, and reads nothing of it. */
export interface Rendered {
  readonly objects: readonly KubeObject[];
  /** Checks the final objects, after all filters, transformers and post-renderers. An error rejects the render. */
  readonly check?: FinalCheck | undefined;
}

export type FinalCheck = (objects: readonly KubeObject[], context: RenderContext) => Awaitable<void>;

/** Keeps (`true`) or drops (`false`) an object. */
export type Filter = (object: KubeObject, context: RenderContext) => Awaitable<boolean>;

/** Returns the object that replaces `object`. */
export type Transformer = (object: KubeObject, context: RenderContext) => Awaitable<KubeObject>;

/** A transformer with what others need to know about it. */
export interface NamedTransformer {
  /** Name in traces of the fields that it changes: `--label team=shop`. */
  readonly words: Message;
  /** The field that it sets, even if the value is unchanged. */
  readonly sets?: Path | undefined;
  readonly transform: Transformer;
}

/** A transformer that depends on all objects, such as one that renames them and what refers to them. */
export interface PreparedTransformer extends Omit<NamedTransformer, 'transform'> {
  /**
   * Called once, with the objects before the filters as earlier prepared transformers leave them. The function is pure, and is applied to
   * the dropped objects as well, because others may refer to them.
   */
  readonly prepare: (objects: readonly KubeObject[]) => (object: KubeObject) => KubeObject;
}

export type TransformerStep = Transformer | NamedTransformer | PreparedTransformer;

/** Sees all objects at once; may reorder, add and remove. */
export type PostRenderer = (
  objects: readonly KubeObject[],
  context: PostRenderContext,
) => Awaitable<readonly KubeObject[] | PostRendered>;

/** The result of a post-renderer that changes dropped objects as well, such as their names. */
export interface PostRendered {
  readonly objects: readonly KubeObject[];
  readonly dropped: readonly KubeObject[];
}

export interface PostRenderContext extends RenderContext {
  /** Objects that the filters before it dropped. Others may refer to them. */
  readonly dropped: readonly KubeObject[];
}

/** A change by a named step. */
export interface NamedChange extends Pick<NamedTransformer, 'words' | 'sets'> {
  readonly before: KubeObject;
  readonly after: KubeObject;
}

/** What one render call passes to all its participants. */
export interface RenderContext {
  readonly signal: AbortSignal;
  readonly origins: OriginTable;
  readonly report: Report;
  /** Receives the changes of named transformers, for traces. */
  readonly onChange?: ((change: NamedChange) => void) | undefined;
  readonly metrics?: MetricsSink;
  /** The budget of the whole run; without one, the default limits apply to what a renderer reads. */
  readonly budget?: Budget;
  /** Name of the active renderer; absent at engine level. */
  readonly renderer?: string;
}

/** Where each object came from, by identity. A stage that replaces an object carries its origin along. */
export interface OriginTable {
  get(object: KubeObject): Origin | undefined;
  set(object: KubeObject, origin: Origin): void;
}

export interface MetricsSink {
  /** Called once per successful render. */
  onRender?(event: { readonly durationMs: number; readonly objects: number }): void;
  /** Called once per run of a renderer, even if it fails; `objects` is 0 then. */
  onRenderer?(event: {
    readonly renderer: string;
    readonly durationMs: number;
    readonly objects: number;
    readonly error?: unknown;
  }): void;
  /** Milliseconds since any fixed moment. Pure code has no clock, so the sink brings one. */
  now(): number;
}

import type { Budget } from './budget.ts';
import type { Report } from './diagnostic.ts';
import type { Values, KubeObject } from './json.ts';
import type { Origin } from './source.ts';

/** A value now or later. Synchronous code returns the value itself, to save a promise. */
export type Awaitable<T> = T | PromiseLike<T>;

/** Creates objects. Every call returns new objects that the caller owns. */
export interface Renderer {
  /** Non-empty; used in metrics and errors. */
  readonly name: string;
  process(values: Values, context: RenderContext): Awaitable<readonly KubeObject[]>;
}

/** Keeps (`true`) or drops (`false`) an object. */
export type Filter = (object: KubeObject, context: RenderContext) => Awaitable<boolean>;

/** Returns the object that replaces `object`. */
export type Transformer = (object: KubeObject, context: RenderContext) => Awaitable<KubeObject>;

/** Sees all objects at once; may reorder, add and remove. */
export type PostRenderer = (objects: readonly KubeObject[], context: RenderContext) => Awaitable<readonly KubeObject[]>;

/** What one render call passes to all its participants. */
export interface RenderContext {
  readonly signal: AbortSignal;
  readonly origins: OriginTable;
  readonly report: Report;
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

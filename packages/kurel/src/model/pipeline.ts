import type { Budget } from './budget.ts';
import type { Report } from './diagnostic.ts';
import type { Values } from './json.ts';
import type { KubeObject } from './kube-object.ts';
import type { Origin } from './source.ts';

/** A value now or later. Synchronous work returns the value itself, so that it pays for no promise. */
export type Awaitable<T> = T | PromiseLike<T>;

/** Makes objects. Every call returns objects that nobody else holds. */
export interface Renderer {
  /** Non-empty; metrics and errors use it. */
  readonly name: string;
  process(values: Values, context: RenderContext): Awaitable<readonly KubeObject[]>;
}

/** Keeps (`true`) or drops (`false`) an object. */
export type Filter = (object: KubeObject, context: RenderContext) => Awaitable<boolean>;

/** Gives the object that takes the place of `object`. */
export type Transformer = (object: KubeObject, context: RenderContext) => Awaitable<KubeObject>;

/** Sees all objects at once; may reorder, add and remove. */
export type PostRenderer = (objects: readonly KubeObject[], context: RenderContext) => Awaitable<readonly KubeObject[]>;

/** What one render call hands to everything that takes part in it. */
export interface RenderContext {
  readonly signal: AbortSignal;
  readonly origins: OriginTable;
  readonly report: Report;
  readonly metrics?: MetricsSink;
  /** Of the whole run; what a renderer reads is within the usual limits without one. */
  readonly budget?: Budget;
  /** Name of the renderer at work; absent at engine level. */
  readonly renderer?: string;
}

/** Where each object came from, by identity. A stage that replaces an object carries its origin over. */
export interface OriginTable {
  get(object: KubeObject): Origin | undefined;
  set(object: KubeObject, origin: Origin): void;
}

export interface MetricsSink {
  /** Once for each successful render. */
  onRender?(event: { readonly durationMs: number; readonly objects: number }): void;
  /** Once for each run of a renderer, whether it succeeded or not; `objects` is 0 when it failed. */
  onRenderer?(event: {
    readonly renderer: string;
    readonly durationMs: number;
    readonly objects: number;
    readonly error?: unknown;
  }): void;
  /** Milliseconds from any fixed moment. Pure code has no clock, so the sink brings one. */
  now(): number;
}

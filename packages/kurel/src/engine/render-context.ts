import type {
  Budget,
  KubeObject,
  MetricsSink,
  NamedChange,
  Origin,
  OriginTable,
  RenderContext,
  Report,
} from '../model/index.ts';
import { carryOrigin } from '../kube/index.ts';
import { copyJson } from './copy-json.ts';

/** Parts of a render context that a caller can provide. */
export interface ContextOptions {
  /** Checked before every step; the render then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly metrics?: MetricsSink | undefined;
  /** Filled by the render with the origin of each object. Objects must then not be changed in place. */
  readonly origins?: OriginTable | undefined;
  /** Receives findings that do not end the render. */
  readonly report?: Report | undefined;
  /** Receives the changes of named transformers, for traces. */
  readonly onChange?: ((change: NamedChange) => void) | undefined;
  /** Shared by everything that counts as one run. */
  readonly budget?: Budget | undefined;
  readonly renderer?: string | undefined;
}

export function createRenderContext(options: ContextOptions = {}): RenderContext {
  return {
    signal: options.signal ?? new AbortController().signal,
    origins: options.origins ?? createOriginTable(),
    report: options.report ?? (() => undefined),
    onChange: options.onChange,
    ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
    ...(options.budget === undefined ? {} : { budget: options.budget }),
    ...(options.renderer === undefined ? {} : { renderer: options.renderer }),
  };
}

export function createOriginTable(): OriginTable {
  const origins = new WeakMap<KubeObject, Origin>();
  return {
    get: (object) => origins.get(object),
    set: (object, origin) => void origins.set(object, origin),
  };
}

/** A copy of the object that is not shared, with the same origin. */
export function copyObject(origins: OriginTable, object: KubeObject): KubeObject {
  const copy = copyJson(object);
  carryOrigin(origins, object, copy);
  return copy;
}

import type { Awaitable, Diagnostic, FinalCheck, Json, KubeObject, Origin } from '../model/index.ts';
import { isThenable, runSteps, throwIfAborted, untilAborted, waitFor } from './steps.ts';
import { copyJson } from './copy-json.ts';
import type { Steps } from './steps.ts';
import { canonicalJson } from '../model/index.ts';

export interface CacheOptions {
  /** Lifetime of an entry. Defaults to five minutes. */
  readonly ttlMs?: number;
  /** The least recently used entry is replaced when the cache is full. Defaults to 256. */
  readonly maxEntries?: number;
  /** Replaces the canonical JSON of the source's index, identity and values as the key. */
  readonly key?: (identity: Json) => string;
  /** Milliseconds since any fixed time, such as `Date.now`. */
  readonly now: () => number;
}

/** Result of a source, before any filter, transformer or post-renderer. */
export interface RenderedSource {
  readonly objects: readonly KubeObject[];
  /** One per object. */
  readonly origins: readonly (Origin | undefined)[];
  /** Findings are part of the result, so that a build with a cache hit reports the same warnings. */
  readonly diagnostics: readonly Diagnostic[];
  readonly check?: FinalCheck | undefined;
}

export interface RenderCache {
  /** Returns the entry, or the result of `produce`; concurrent calls for a key share one call. Failures are not cached. */
  resolve(request: CacheRequest): Awaitable<RenderedSource>;
}

export interface CacheRequest {
  readonly identity: Json;
  readonly signal: AbortSignal;
  readonly produce: () => Awaitable<RenderedSource>;
}

interface Entry {
  readonly rendered: RenderedSource;
  readonly expiresAt: number;
}

/** A call of `produce` in progress, with the signal of the render that started it. */
interface Flight {
  readonly result: PromiseLike<RenderedSource>;
  readonly signal: AbortSignal;
}

const DEFAULT_TTL_MS = 5 * 60 * 1000;
const DEFAULT_MAX_ENTRIES = 256;

export function createRenderCache(options: CacheOptions): RenderCache {
  const ttlMs = positiveOr(options.ttlMs, DEFAULT_TTL_MS);
  const maxEntries = positiveOr(options.maxEntries, DEFAULT_MAX_ENTRIES);
  const keyOf = options.key ?? canonicalJson;
  // A Map keeps insertion order, and a hit is reinserted, so the first key is the least recently used.
  const entries = new Map<string, Entry>();
  const flights = new Map<string, Flight>();

  function find(key: string): RenderedSource | undefined {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    entries.delete(key);
    if (options.now() >= entry.expiresAt) return undefined;
    entries.set(key, entry);
    return copyRendered(entry.rendered);
  }

  function store(key: string, rendered: RenderedSource): void {
    const now = options.now();
    for (const [other, entry] of entries) if (now >= entry.expiresAt) entries.delete(other);
    entries.delete(key);
    entries.set(key, { rendered: copyRendered(rendered), expiresAt: now + ttlMs });
    for (const other of entries.keys()) {
      if (entries.size <= maxEntries) break;
      entries.delete(other);
    }
  }

  function* resolveSteps(request: CacheRequest): Steps<RenderedSource> {
    const key = keyOf(request.identity);
    for (;;) {
      throwIfAborted(request);
      const kept = find(key);
      if (kept !== undefined) return kept;
      const flight = flights.get(key);
      if (flight === undefined) return yield* produceSteps(key, request);
      try {
        const rendered = yield* waitFor(untilAborted(flight.result, request.signal));
        throwIfAborted(request);
        return copyRendered(rendered);
      } catch (error) {
        throwIfAborted(request);
        // The other render was aborted, which does not affect this one: try again.
        if (!flight.signal.aborted) throw error;
      }
    }
  }

  function* produceSteps(key: string, request: CacheRequest): Steps<RenderedSource> {
    const production = request.produce();
    if (isThenable(production)) flights.set(key, { result: production, signal: request.signal });
    try {
      const rendered = yield* waitFor(production);
      store(key, rendered);
      // A copy even here: the objects may be the same trees as `parsed` of their origins, which stay in the cache.
      return copyRendered(rendered);
    } finally {
      flights.delete(key);
    }
  }

  return { resolve: (request) => runSteps(resolveSteps(request)) };
}

function positiveOr(value: number | undefined, fallback: number): number {
  return value !== undefined && value > 0 ? value : fallback;
}

function copyRendered(rendered: RenderedSource): RenderedSource {
  return { ...rendered, objects: rendered.objects.map(copyJson) };
}

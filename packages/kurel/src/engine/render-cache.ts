import type { Awaitable, Diagnostic, Json, KubeObject, Origin } from '../model/index.ts';
import { isThenable, runSteps, throwIfAborted, untilAborted, waitFor } from './steps.ts';
import { canonicalJson, copyJson } from './copy-json.ts';
import type { Steps } from './steps.ts';

export interface CacheOptions {
  /** How long an entry is good; five minutes unless a positive number is given. */
  readonly ttlMs?: number;
  /** The entry used longest ago makes place for a new one; 256 unless a positive number is given. */
  readonly maxEntries?: number;
  /** Takes the place of the canonical JSON of the source's index, identity and values. */
  readonly key?: (identity: Json) => string;
  /** Milliseconds from any fixed moment, such as `Date.now`. */
  readonly now: () => number;
}

/** What a source gave, before any filter, transformer or post-renderer. */
export interface RenderedSource {
  readonly objects: readonly KubeObject[];
  /** One for each object. */
  readonly origins: readonly (Origin | undefined)[];
  /** Findings are part of the result: a build that hits the cache warns as the first one did. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface RenderCache {
  /** The entry, or what `produce` gives; concurrent calls for one key share one production. Failures are not kept. */
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

/** A production under way, and the signal of the render that pays for it. */
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
  // A Map keeps the order of insertion, and a hit is inserted anew: the first key is the one used longest ago.
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
      const found = find(key);
      if (found !== undefined) return found;
      const flight = flights.get(key);
      if (flight === undefined) return yield* produceSteps(key, request);
      try {
        const rendered = yield* waitFor(untilAborted(flight.result, request.signal));
        throwIfAborted(request);
        return copyRendered(rendered);
      } catch (error) {
        throwIfAborted(request);
        // The other render was given up, which says nothing about this one: try again.
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
      // A copy even now: the objects may be the trees that their origins call `said`, and those stay in the cache.
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

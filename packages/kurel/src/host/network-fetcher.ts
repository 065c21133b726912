import type { Fetched, Fetcher, FetchRequest } from '../model/index.ts';
import { exchange } from './exchange.ts';
import { followRedirect, startHop } from './fetch-hop.ts';
import { createTimeLimits } from './time-limits.ts';

export interface NetworkFetcherOptions {
  /** Also allow loopback and private addresses of hosts that the user names. Link-local and other special addresses are never allowed. */
  readonly allowPrivate?: boolean;
  /** For a request with all its redirects and the whole response. Responses that arrive at the same time share it. */
  readonly timeoutMs?: number;
  readonly maxRedirects?: number;
}

/**
 * Fetches files over HTTP and HTTPS. Ignores proxies, because addresses cannot be checked behind one. Node verifies certificates,
 * including those in NODE_EXTRA_CA_CERTS.
 */
export function networkFetcher(options: NetworkFetcherOptions = {}): Fetcher {
  const { allowPrivate = false, timeoutMs = 30_000, maxRedirects = 10 } = options;
  const startTimer = createTimeLimits(timeoutMs);
  return { fetch: (request) => fetchWithin(request, { allowPrivate, timeoutMs, maxRedirects, startTimer }) };
}

interface FetchLimits extends Required<NetworkFetcherOptions> {
  readonly startTimer: ReturnType<typeof createTimeLimits>;
}

async function fetchWithin(request: FetchRequest, limits: FetchLimits): Promise<Fetched> {
  const { allowPrivate, timeoutMs, maxRedirects, startTimer } = limits;
  const { signal, maxBytes, onBytes } = request;
  signal?.throwIfAborted();
  let hop = startHop(request);
  const ending = new AbortController();
  const timer = startTimer(() => {
    ending.abort(hop.refuse('timeout', `no complete response within ${timeoutMs / 1000} s`));
  });
  const onAbort = (): void => ending.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for (let count = 0; ; count++) {
      const answer = await exchange(hop, {
        allowPrivate,
        maxBytes,
        signal: ending.signal,
        onBytes(received) {
          timer.receive();
          onBytes?.(received);
        },
      });
      if ('bytes' in answer) return { url: hop.url.href, ...answer };
      if (count === maxRedirects) throw hop.refuse('redirects', `more than ${maxRedirects} redirects`);
      hop = followRedirect(hop, answer.location, request);
    }
  } finally {
    timer.end();
    signal?.removeEventListener('abort', onAbort);
  }
}

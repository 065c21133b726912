import type { Fetched, Fetcher, FetchRequest } from '../model/index.ts';
import { exchange } from './exchange.ts';
import { followRedirect, startHop } from './fetch-hop.ts';

export interface NetworkFetcherOptions {
  /** Also allow loopback and private addresses of hosts that the user names. Link-local and other special addresses are never allowed. */
  readonly allowPrivate?: boolean;
  /** For a request with all its redirects and the whole response. */
  readonly timeoutMs?: number;
  readonly maxRedirects?: number;
}

/**
 * Fetches files over HTTP and HTTPS. Ignores proxies, because addresses cannot be checked behind one. Node verifies certificates,
 * including those in NODE_EXTRA_CA_CERTS.
 */
export function networkFetcher(options: NetworkFetcherOptions = {}): Fetcher {
  return { fetch: (request) => fetchWithin(request, options) };
}

async function fetchWithin(request: FetchRequest, options: NetworkFetcherOptions): Promise<Fetched> {
  const { allowPrivate = false, timeoutMs = 30_000, maxRedirects = 10 } = options;
  const { signal, maxBytes } = request;
  signal?.throwIfAborted();
  let hop = startHop(request);
  const ending = new AbortController();
  const timer = setTimeout(() => {
    ending.abort(hop.refuse('timeout', `no complete response within ${timeoutMs / 1000} s`));
  }, timeoutMs);
  const onAbort = (): void => ending.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for (let count = 0; ; count++) {
      const answer = await exchange(hop, { allowPrivate, maxBytes, signal: ending.signal });
      if ('bytes' in answer) return { url: hop.url.href, ...answer };
      if (count === maxRedirects) throw hop.refuse('redirects', `more than ${maxRedirects} redirects`);
      hop = followRedirect(hop, answer.location, request);
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

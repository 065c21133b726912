import type { Fetched, Fetcher, FetchRequest } from '../model/index.ts';
import { exchange } from './exchange.ts';
import { followRedirect, startHop } from './fetch-hop.ts';

export interface NetworkFetcherOptions {
  /** Ask loopback and private addresses too, of hosts that the user names. Link-local addresses and the like are never asked. */
  readonly allowPrivate?: boolean;
  /** For a request with all its redirects, to the last byte. */
  readonly timeoutMs?: number;
  readonly maxRedirects?: number;
}

/**
 * Gets bytes over HTTP and HTTPS. Proxies are not used, whatever the environment says: behind one, nobody could tell which
 * address is asked. Certificates are checked by Node, with those of NODE_EXTRA_CA_CERTS.
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
    ending.abort(hop.refuse('timeout', `it did not come within ${timeoutMs / 1000} s`));
  }, timeoutMs);
  const onAbort = (): void => ending.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for (let count = 0; ; count++) {
      const answer = await exchange(hop, { allowPrivate, maxBytes, signal: ending.signal });
      if ('bytes' in answer) return { url: hop.url.href, ...answer };
      if (count === maxRedirects)
        throw hop.refuse('redirects', `it redirects once more after ${maxRedirects} redirects`);
      hop = followRedirect(hop, answer.location, request);
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

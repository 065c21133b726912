import { FetchError } from '../model/index.ts';
import type { Fetched, Fetcher, FetchRequest } from '../model/index.ts';
import { exchange } from './exchange.ts';
import { followRedirect, startHop } from './fetch-hop.ts';
import type { Environment } from './find-program.ts';
import type { RouteRules } from './find-route.ts';
import { createTimeLimits } from './time-limits.ts';
import { createTrust } from './trusted-certificates.ts';

export interface NetworkFetcherOptions {
  /**
   * Variables that name proxies (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`) and certificates to trust (`SSL_CERT_FILE`), usually `process.env`.
   * Without them, there are no proxies.
   */
  readonly environment?: Environment;
  /** Also allow loopback and private addresses of hosts that the user names. Link-local and other special addresses are never allowed. */
  readonly allowPrivate?: boolean;
  /** For a request with all its redirects and the whole response, and again for each mebibyte that is sent. Responses that arrive at the same time share it. */
  readonly timeoutMs?: number;
  readonly maxRedirects?: number;
}

/** Fetches files over HTTP and HTTPS. Through a proxy, hosts are checked by their names, because it looks up their addresses. */
export function networkFetcher(options: NetworkFetcherOptions = {}, wait: Wait = pause): Fetcher {
  const { allowPrivate = false, timeoutMs = 30_000, maxRedirects = 10, environment = {} } = options;
  const startTimer = createTimeLimits(timeoutMs);
  const trust = createTrust(environment);
  const limits = { allowPrivate, timeoutMs, maxRedirects, environment, trust, startTimer };
  return { fetch: async (request) => await fetchPatiently(request, limits, wait) };
}

type Wait = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

const pause: Wait = async (milliseconds, signal) => {
  await process.getBuiltinModule('node:timers/promises').setTimeout(milliseconds, undefined, { signal });
};

const mostRetries = 3;
const longestWait = 20_000;
const busy: ReadonlySet<number | undefined> = new Set([429, 503]);

/** Asks again if a busy server says when, and that is soon. */
async function fetchPatiently(request: FetchRequest, limits: FetchLimits, wait: Wait): Promise<Fetched> {
  for (let retries = 0; ; retries++) {
    try {
      return await fetchWithin(request, limits);
    } catch (error) {
      if (!(error instanceof FetchError) || !busy.has(error.status) || retries === mostRetries) throw error;
      const seconds = /^\d{1,9}$/.exec(error.headers['retry-after']?.trim() ?? '')?.[0];
      if (seconds === undefined || Number(seconds) * 1000 > longestWait) throw error;
      await wait(Number(seconds) * 1000, request.signal);
    }
  }
}

interface FetchLimits extends Required<NetworkFetcherOptions>, Pick<RouteRules, 'trust'> {
  readonly startTimer: ReturnType<typeof createTimeLimits>;
}

async function fetchWithin(request: FetchRequest, limits: FetchLimits): Promise<Fetched> {
  const { allowPrivate, environment, trust, timeoutMs, maxRedirects, startTimer } = limits;
  const { signal, maxBytes, onBytes } = request;
  signal?.throwIfAborted();
  let hop = startHop(request);
  const ending = new AbortController();
  // A slow connection may take as long for each mebibyte that it sends.
  const extraMs = timeoutMs * Math.floor((request.body?.length ?? 0) / 1_048_576);
  const timer = startTimer(() => {
    ending.abort(hop.refuse('timeout', `no complete response within ${(timeoutMs + extraMs) / 1000} s`));
  }, extraMs);
  const onAbort = (): void => ending.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for (let count = 0; ; count++) {
      const answer = await exchange(hop, {
        allowPrivate,
        environment,
        trust,
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

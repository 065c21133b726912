import type { ClientRequest, IncomingMessage } from 'node:http';
import { FetchError } from '../model/index.ts';
import type { Fetched, Fetcher, FetchRequest } from '../model/index.ts';
import { followRedirect, startHop } from './fetch-hop.ts';
import type { Hop } from './fetch-hop.ts';
import type { Environment } from './find-program.ts';
import { findRoute, nameStatus, createTrust } from './find-route.ts';
import type { Route, RouteRules } from './find-route.ts';

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

  async function fetchOnce(request: FetchRequest): Promise<Fetched> {
    const { signal, maxBytes } = request;
    signal?.throwIfAborted();
    let hop = startHop(request);
    const ending = new AbortController();
    // A slow connection may take as long for each mebibyte that it sends.
    const extraMs = timeoutMs * Math.floor((request.body?.length ?? 0) / 1_048_576);
    const timer = startTimer(() => {
      ending.abort(hop.refuse('timeout', `no complete response within ${(timeoutMs + extraMs) / 1000} s`));
    }, extraMs);
    const onBytes = (received: number): void => {
      timer.receive();
      request.onBytes?.(received);
    };
    const limits = { allowPrivate, environment, trust, maxBytes, signal: ending.signal, onBytes };
    const onAbort = (): void => ending.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      for (let count = 0; ; count++) {
        const answer = await exchange(hop, limits);
        if ('bytes' in answer) return { url: hop.url.href, ...answer };
        if (count === maxRedirects) throw hop.refuse('redirects', `more than ${maxRedirects} redirects`);
        hop = followRedirect(hop, answer.location, request);
      }
    } finally {
      timer.end();
      signal?.removeEventListener('abort', onAbort);
    }
  }

  return {
    /** Asks again if a busy server says when, and that is soon. */
    async fetch(request) {
      for (let retries = 0; ; retries++) {
        try {
          return await fetchOnce(request);
        } catch (error) {
          if (!(error instanceof FetchError) || !busy.has(error.status) || retries === mostRetries) throw error;
          const seconds = /^\d{1,9}$/.exec(error.headers['retry-after']?.trim() ?? '')?.[0];
          if (seconds === undefined || Number(seconds) * 1000 > longestWait) throw error;
          await wait(Number(seconds) * 1000, request.signal);
        }
      }
    },
  };
}

type Wait = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

const pause: Wait = async (milliseconds, signal) => {
  await process.getBuiltinModule('node:timers/promises').setTimeout(milliseconds, undefined, { signal });
};

const mostRetries = 3;
const longestWait = 20_000;
const busy: ReadonlySet<number | undefined> = new Set([429, 503]);

interface ExchangeLimits extends RouteRules {
  readonly maxBytes: number;
  /** Called with the number of bytes received so far. */
  readonly onBytes: (received: number) => void;
}

type Answer =
  | { readonly location: string }
  | { readonly status: number; readonly bytes: Uint8Array; readonly headers: Readonly<Record<string, string>> };

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Sends one request and reads the whole response, without cookies, kept connections and compression. */
async function exchange(hop: Hop, limits: ExchangeLimits): Promise<Answer> {
  const { signal } = limits;
  signal.throwIfAborted();
  const route = await findRoute(hop, limits);
  return await new Promise((resolve, reject) => {
    let request: ClientRequest;
    try {
      request = startRequest(hop, route);
    } catch (cause) {
      // Such as a header with a line break.
      route.close?.();
      throw route.explain(cause);
    }
    let isSettled = false;

    function settle(act: () => void): void {
      if (isSettled) return;
      isSettled = true;
      signal.removeEventListener('abort', onAbort);
      act();
      request.destroy();
    }
    function onAbort(): void {
      settle(() => reject(signal.reason));
    }
    function fail(cause: unknown): void {
      settle(() => reject(cause instanceof FetchError ? cause : route.explain(cause)));
    }
    // Errors may follow the end, and an error without a listener would crash the program.
    request.on('error', fail);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    request.on('response', (response) => {
      response.on('error', fail);
      try {
        const answer = readHead(response, hop, limits);
        if ('location' in answer) settle(() => resolve(answer));
        else
          readBody(response, {
            ...limits,
            hop,
            fail,
            finish: (bytes) => settle(() => resolve({ ...answer, bytes })),
          });
      } catch (error) {
        fail(error);
      }
    });
    request.on('upgrade', () =>
      fail(hop.refuse('status', 'the server answered 101 Switching Protocols', { status: 101 })),
    );
    request.end(hop.body);
  });
}

function startRequest(hop: Hop, { module, options, headers }: Route): ClientRequest {
  return process.getBuiltinModule(module).request({
    method: hop.method,
    path: `${hop.url.pathname}${hop.url.search}`,
    ...options,
    headers: {
      'user-agent': 'kurel',
      accept: '*/*',
      ...hop.headers,
      ...(hop.body === undefined ? {} : { 'content-length': hop.body.length }),
      host: hop.url.host,
      'accept-encoding': 'identity',
      ...headers,
    },
  });
}

type Head =
  | Extract<Answer, { readonly location: string }>
  | Omit<Extract<Answer, { readonly bytes: Uint8Array }>, 'bytes'>;

function readHead(response: IncomingMessage, hop: Hop, { maxBytes }: ExchangeLimits): Head {
  const { statusCode: status = 0 } = response;
  const headers = readHeaders(response);
  const { location } = headers;
  if (redirects.has(status)) {
    if (location !== undefined) return { location };
    throw hop.refuse('redirects', `the server answered ${nameStatus(status)} without a location`, {
      status,
      headers,
    });
  }
  // 206 is a partial response, which was not requested.
  if (status < 200 || status > 299 || status === 206) {
    throw hop.refuse('status', `the server answered ${nameStatus(status)}`, { status, headers });
  }
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') {
    const reason = `the response has content-encoding ${JSON.stringify(encoding)}, which was not requested`;
    throw hop.refuse('encoding', reason, { status, headers });
  }
  // That of HEAD is the length of what GET would give.
  if (hop.method !== 'HEAD' && Number(headers['content-length'] ?? 0) > maxBytes) {
    const reason = `it has ${formatSize(Number(headers['content-length']))}, more than the limit of ${formatSize(maxBytes)}`;
    throw hop.refuse('size', reason, { status, headers });
  }
  return { status, headers };
}

interface BodyReading extends Pick<ExchangeLimits, 'maxBytes' | 'onBytes'> {
  readonly hop: Hop;
  readonly fail: (cause: unknown) => void;
  readonly finish: (bytes: Uint8Array) => void;
}

/** Copies chunks into one growing array: a list of millions of tiny chunks would take far more memory than their bytes. */
function readBody(response: IncomingMessage, { hop, maxBytes, onBytes, fail, finish }: BodyReading): void {
  let bytes = new Uint8Array(Math.min(maxBytes, 65_536));
  let length = 0;
  const cut = () => hop.refuse('connection', 'the connection was closed early');
  response.on('data', (chunk: Uint8Array) => {
    const start = length;
    length += chunk.length;
    onBytes(length);
    if (length > maxBytes) return fail(hop.refuse('size', `it has more than the limit of ${formatSize(maxBytes)}`));
    if (length > bytes.length) {
      const larger = new Uint8Array(Math.min(maxBytes, Math.max(length, 2 * bytes.length)));
      larger.set(bytes.subarray(0, start));
      bytes = larger;
    }
    bytes.set(chunk, start);
  });
  response.on('end', () => (response.complete ? finish(bytes.slice(0, length)) : fail(cut())));
  response.on('close', () => fail(cut()));
}

function readHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

/** Whole mebibytes as such, other sizes in bytes. */
function formatSize(bytes: number): string {
  const mebibytes = bytes / 1_048_576;
  return bytes > 0 && Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${bytes} bytes`;
}

interface TimedDownload {
  /** From now on, it shares the connection with other downloads. */
  readonly receive: () => void;
  readonly end: () => void;
}

interface Download {
  usedMs: number;
  isReceiving: boolean;
  readonly onTimeout: () => void;
}

/**
 * Limits the time of each download. While several responses arrive at the same time, a second counts only in part for each of them, so that
 * a slow connection is enough for all if it is enough for one after the other.
 */
export function createTimeLimits(limitMs: number): (onTimeout: () => void, extraMs?: number) => TimedDownload {
  const running = new Set<Download>();
  let countedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function shareOf({ isReceiving }: Download): number {
    return isReceiving ? [...running].filter((download) => download.isReceiving).length : 1;
  }

  /** The shares are those of the time before the change. */
  function change(act: () => void): void {
    const elapsed = performance.now() - countedAt;
    for (const download of running) download.usedMs += elapsed / shareOf(download);
    countedAt += elapsed;
    act();
    clearTimeout(timer);
    const left = Array.from(running, (each) => (limitMs - each.usedMs) * shareOf(each)).sort((a, b) => a - b);
    if (left.length > 0) timer = setTimeout(() => change(stopLate), Math.max(0, left[0]!));
  }

  function stopLate(): void {
    for (const download of [...running].filter(({ usedMs }) => usedMs >= limitMs)) {
      running.delete(download);
      download.onTimeout();
    }
  }

  return (onTimeout, extraMs = 0) => {
    const download: Download = { usedMs: -extraMs, isReceiving: false, onTimeout };
    change(() => void running.add(download));
    return {
      receive() {
        if (!download.isReceiving) change(() => void (download.isReceiving = true));
      },
      end: () => change(() => void running.delete(download)),
    };
  };
}

import type { ClientRequest, IncomingMessage } from 'node:http';

import { FetchError } from '../model/index.ts';
import type { Hop } from './fetch-hop.ts';
import { findRoute } from './find-route.ts';
import type { Route, RouteRules } from './find-route.ts';
import { nameStatus } from './name-status.ts';

export interface ExchangeLimits extends RouteRules {
  readonly maxBytes: number;
  /** Called with the number of bytes received so far. */
  readonly onBytes: (received: number) => void;
}

export type Answer =
  | { readonly location: string }
  | { readonly status: number; readonly bytes: Uint8Array; readonly headers: Readonly<Record<string, string>> };

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Sends one request and reads the whole response, without cookies, kept connections and compression. */
export async function exchange(hop: Hop, limits: ExchangeLimits): Promise<Answer> {
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
            hop,
            maxBytes: limits.maxBytes,
            onBytes: limits.onBytes,
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

function readBody(response: IncomingMessage, { hop, maxBytes, onBytes, fail, finish }: BodyReading): void {
  const collector = createByteCollector(maxBytes);
  let received = 0;
  const cut = () => hop.refuse('connection', 'the connection was closed early');
  response.on('data', (chunk: Uint8Array) => {
    received += chunk.length;
    onBytes(received);
    if (!collector.add(chunk)) fail(hop.refuse('size', `it has more than the limit of ${formatSize(maxBytes)}`));
  });
  response.on('end', () => (response.complete ? finish(collector.bytes()) : fail(cut())));
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

interface ByteCollector {
  /** Returns `false` and drops the chunk if it exceeds the limit. */
  readonly add: (chunk: Uint8Array) => boolean;
  readonly bytes: () => Uint8Array;
}

/** Copies chunks into one growing array: a list of millions of tiny chunks would take far more memory than their bytes. */
function createByteCollector(maxBytes: number): ByteCollector {
  let bytes = new Uint8Array(Math.min(maxBytes, 65_536));
  let length = 0;
  return {
    add(chunk) {
      const end = length + chunk.length;
      if (end > maxBytes) return false;
      if (end > bytes.length) {
        const larger = new Uint8Array(Math.min(maxBytes, Math.max(end, 2 * bytes.length)));
        larger.set(bytes.subarray(0, length));
        bytes = larger;
      }
      bytes.set(chunk, length);
      length = end;
      return true;
    },
    bytes: () => bytes.slice(0, length),
  };
}

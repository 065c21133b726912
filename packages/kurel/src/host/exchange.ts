import type { LookupAddress, LookupOptions } from 'node:dns';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';

import { FetchError } from '../model/index.ts';
import { explainConnection } from './explain-connection.ts';
import type { Hop } from './fetch-hop.ts';
import { nameAddress } from './name-address.ts';
import type { SpecialAddress } from './name-address.ts';

/** `lookup` of `node:dns` with the option `all`. */
export type Lookup = (
  host: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves a host once for check and connection, so that a name cannot resolve to one address for the check and to another for the
 * connection. One forbidden address is enough to reject the name, because any of its addresses may be used.
 */
export function checkedLookup(
  refuse: (address: string) => Error | undefined,
  lookup: Lookup = systemLookup,
): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const problem = error ?? addresses.map(({ address }) => refuse(address)).find((one) => one !== undefined);
      const [first] = addresses ?? [];
      if (problem) callback(problem, '');
      else if (options.all === true) callback(null, addresses);
      else if (first !== undefined) callback(null, first.address, first.family);
      else callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '');
    });
  };
}

const systemLookup: Lookup = (host, options, callback) => {
  process.getBuiltinModule('node:dns').lookup(host, options, callback);
};

export interface ExchangeLimits {
  readonly allowPrivate: boolean;
  readonly maxBytes: number;
  /** The reason of the signal becomes the error of the exchange. */
  readonly signal: AbortSignal;
  /** Called with the number of bytes received so far. */
  readonly onBytes: (received: number) => void;
}

export type Answer =
  | { readonly location: string }
  | { readonly status: number; readonly bytes: Uint8Array; readonly headers: Readonly<Record<string, string>> };

/** What `--allow-private` allows. The others, such as cloud metadata services, never serve charts. */
const allowable: ReadonlySet<SpecialAddress> = new Set(['loopback', 'private']);
const articles: Readonly<Partial<Record<SpecialAddress, string>>> = { unspecified: 'an' };

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Sends one request and reads the whole response, without proxies, cookies, kept connections and compression. */
export function exchange(hop: Hop, limits: ExchangeLimits): Promise<Answer> {
  const { signal } = limits;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = startRequest(hop, limits);
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
      const error = cause instanceof FetchError ? cause : hop.refuse('connection', explainConnection(cause), { cause });
      settle(() => reject(error));
    }
    signal.addEventListener('abort', onAbort, { once: true });
    // Errors may follow the end, and an error without a listener would crash the program.
    request.on('error', fail);
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

function startRequest(hop: Hop, { allowPrivate }: ExchangeLimits): ClientRequest {
  function refuseAddress(address: string): FetchError | undefined {
    const kind = nameAddress(address);
    if (kind === undefined) return undefined;
    const reason = `its host has address ${address}, ${articles[kind] ?? 'a'} ${kind} address`;
    if (!allowable.has(kind)) return hop.refuse('address-refused', reason);
    if (!allowPrivate) return hop.refuse('address', reason);
    if (hop.isNamed) return undefined;
    return hop.refuse('address-refused', `${reason}, which is allowed only for hosts that the package names`);
  }
  // The URL class normalizes an IP address, and such a host is never looked up.
  const host = hop.url.hostname.replace(/^\[(.*)\]$/, '$1');
  const problem = /^[\d.]+$|:/.test(host) ? refuseAddress(host) : undefined;
  if (problem !== undefined) throw problem;
  const { request } = process.getBuiltinModule(hop.url.protocol === 'https:' ? 'node:https' : 'node:http');
  try {
    return request(hop.url, {
      method: hop.method,
      // No shared agent: a kept connection was checked by other rules, and an agent may use a proxy.
      agent: false,
      lookup: checkedLookup(refuseAddress),
      headers: {
        'user-agent': 'kurel',
        accept: '*/*',
        ...hop.headers,
        ...(hop.body === undefined ? {} : { 'content-length': hop.body.length }),
        host: hop.url.host,
        'accept-encoding': 'identity',
      },
    });
  } catch (cause) {
    throw hop.refuse('connection', explainConnection(cause), { cause });
  }
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

/** The standard name of a status, because the server can send any text. */
function nameStatus(status: number): string {
  const name = process.getBuiltinModule('node:http').STATUS_CODES[status];
  return name === undefined ? String(status) : `${status} ${name}`;
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

import type { ClientRequest, IncomingMessage } from 'node:http';
import { FetchError } from '../model/index.ts';
import { createByteCollector } from './byte-collector.ts';
import { checkedLookup } from './checked-lookup.ts';
import { explainConnection } from './explain-connection.ts';
import type { Hop } from './fetch-hop.ts';
import { formatSize } from './format-size.ts';
import { nameAddress, type SpecialAddress } from './name-address.ts';

export interface ExchangeLimits {
  readonly allowPrivate: boolean;
  readonly maxBytes: number;
  /** Its reason is the error that the exchange ends with. */
  readonly signal: AbortSignal;
}

export type Answer =
  | { readonly location: string }
  | { readonly bytes: Uint8Array; readonly headers: Readonly<Record<string, string>> };

/** What `--allow-private` allows. Nobody has charts at the others: they lead to the credentials of clouds, to many machines, or nowhere. */
const allowable: ReadonlySet<SpecialAddress> = new Set(['loopback', 'private']);
const articles: Readonly<Partial<Record<SpecialAddress, string>>> = { unspecified: 'an' };

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** One GET to the end of its body. Takes no proxy, no cookie, no connection from before, and no encoding but the plain one. */
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
    // Errors may come after the end, too; one without a listener would end the program.
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
            fail,
            finish: (bytes) => settle(() => resolve({ ...answer, bytes })),
          });
      } catch (error) {
        fail(error);
      }
    });
    request.on('upgrade', () => fail(hop.refuse('status', 'the answer was 101 Switching Protocols', { status: 101 })));
    request.end();
  });
}

function startRequest(hop: Hop, { allowPrivate }: ExchangeLimits): ClientRequest {
  function refuseAddress(address: string): FetchError | undefined {
    const kind = nameAddress(address);
    if (kind === undefined) return undefined;
    const reason = `its host has the address ${address}, ${articles[kind] ?? 'a'} ${kind} address`;
    if (!allowable.has(kind)) return hop.refuse('address-refused', reason);
    if (!allowPrivate) return hop.refuse('address', reason);
    if (hop.isNamed) return undefined;
    return hop.refuse('address-refused', `${reason}, and only hosts that the package names may have one`);
  }
  // An address in a URL is in its one normal form, whichever way it was written, and is never looked up.
  const host = hop.url.hostname.replace(/^\[(.*)\]$/, '$1');
  const problem = /^[\d.]+$|:/.test(host) ? refuseAddress(host) : undefined;
  if (problem !== undefined) throw problem;
  const { request } = process.getBuiltinModule(hop.url.protocol === 'https:' ? 'node:https' : 'node:http');
  try {
    return request(hop.url, {
      method: 'GET',
      // A connection of its own: one kept from before was checked by other rules, and a shared agent may have a proxy.
      agent: false,
      lookup: checkedLookup(refuseAddress),
      headers: {
        'user-agent': 'kurel',
        accept: '*/*',
        ...hop.headers,
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
  | Pick<Extract<Answer, { readonly bytes: Uint8Array }>, 'headers'>;

function readHead(response: IncomingMessage, hop: Hop, { maxBytes }: ExchangeLimits): Head {
  const { statusCode: status = 0 } = response;
  const headers = readHeaders(response);
  const { location } = headers;
  if (redirects.has(status)) {
    if (location !== undefined) return { location };
    throw hop.refuse('redirects', `the answer was ${nameStatus(status)}, without a place to go to`, {
      status,
      headers,
    });
  }
  // 206 is a part of what was asked for, and nobody has asked for a part.
  if (status < 200 || status > 299 || status === 206) {
    throw hop.refuse('status', `the answer was ${nameStatus(status)}`, { status, headers });
  }
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') {
    const reason = `the answer is encoded (content-encoding ${JSON.stringify(encoding)}), which was not asked for`;
    throw hop.refuse('encoding', reason, { status, headers });
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) {
    const reason = `it has ${formatSize(Number(headers['content-length']))}, more than the ${formatSize(maxBytes)} that are taken`;
    throw hop.refuse('size', reason, { status, headers });
  }
  return { headers };
}

interface BodyReading {
  readonly hop: Hop;
  readonly maxBytes: number;
  readonly fail: (cause: unknown) => void;
  readonly finish: (bytes: Uint8Array) => void;
}

function readBody(response: IncomingMessage, { hop, maxBytes, fail, finish }: BodyReading): void {
  const collector = createByteCollector(maxBytes);
  const cut = () => hop.refuse('connection', 'the connection ended before the answer did');
  response.on('data', (chunk: Uint8Array) => {
    if (!collector.add(chunk)) fail(hop.refuse('size', `it has more than the ${formatSize(maxBytes)} that are taken`));
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

/** By the standard's words: what the server calls its status may be anything. */
function nameStatus(status: number): string {
  const name = process.getBuiltinModule('node:http').STATUS_CODES[status];
  return name === undefined ? String(status) : `${status} ${name}`;
}

import type { LookupAddress, LookupOptions } from 'node:dns';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';

import { escapeControls } from '../diagnostics/index.ts';
import { FetchError } from '../model/index.ts';
import type { Hop } from './fetch-hop.ts';
import { nameAddress } from './name-address.ts';
import type { SpecialAddress } from './name-address.ts';

/** As `lookup` of `node:dns` is, when it is asked for all addresses. */
export type Lookup = (
  host: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Gives a connection the addresses that were checked, so that a name cannot mean one address for the check and another for
 * the connection. One address that is refused is enough to refuse the name: nobody knows which one will be taken.
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

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'its host has no address'],
  ['EAI_AGAIN', 'the address of its host cannot be found now'],
  ['ECONNREFUSED', 'nobody answers at its host and port'],
  ['ECONNRESET', 'the connection ended before the answer did'],
  ['EPIPE', 'the connection ended before the answer did'],
  ['EHOSTUNREACH', 'there is no way to its host'],
  ['ENETUNREACH', 'there is no way to its host'],
  ['ETIMEDOUT', 'its host does not answer'],
]);

/** Why there is no answer, in words that complete a sentence. */
function explainConnection(cause: unknown): string {
  const { code, message } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : { message: String(cause) };
  const detail = escapeControls(message.slice(0, 200));
  if (code === undefined) return detail;
  if (/CERT|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH/.test(code)) return `its certificate is not trusted (${detail})`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'its host does not speak TLS there';
  if (code.startsWith('HPE_')) return `the answer is no HTTP (${detail})`;
  return reasons.get(code) ?? (detail === '' ? code : detail);
}

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

/** Round numbers as people say them, others to the byte. */
function formatSize(bytes: number): string {
  const mebibytes = bytes / 1_048_576;
  return bytes > 0 && Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${bytes} bytes`;
}

interface ByteCollector {
  /** `false`, and nothing kept, once there is more than the limit. */
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

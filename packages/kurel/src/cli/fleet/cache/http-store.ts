import type { ClientRequest, IncomingMessage } from 'node:http';

import { explainConnection } from '../../../host/index.ts';
import { CacheFailure } from './cache-store.ts';
import type { CacheStore } from './cache-store.ts';

interface HttpStoreOptions {
  /** Without a slash at the end. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For a request with its whole response. */
  readonly timeoutMs: number;
}

const mostConnections = 16;

/**
 * A server for Bazel's HTTP cache. The operator names it on the command line, so its address may be private. Redirects are refused: they would
 * take credentials elsewhere. Proxies are ignored.
 */
export function openHttpStore({ url, headers, timeoutMs }: HttpStoreOptions): CacheStore {
  const http = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
  const agent = new http.Agent({ keepAlive: true, maxSockets: mostConnections });

  function exchange(method: 'GET' | 'PUT', path: string, { body, maxBytes }: Exchange): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': body.length };
      const request = http.request(`${url}/${path}`, { method, agent, headers: { ...headers, ...length } });
      const timer = setTimeout(() => {
        request.destroy(new CacheFailure(`no complete response within ${timeoutMs / 1000} s`));
      }, timeoutMs);
      const fail = (error: Error): void => {
        clearTimeout(timer);
        reject(describe(error, request));
      };
      request.on('error', fail);
      request.on('response', (response) => {
        response.on('error', fail);
        readBody(response, maxBytes, (bytes) => {
          clearTimeout(timer);
          resolve({ status: response.statusCode ?? 0, bytes });
          if (!response.complete) request.destroy();
        });
      });
      request.end(body);
    });
  }

  /** A server may close a kept connection at any time; both methods can be repeated. */
  async function send(method: 'GET' | 'PUT', path: string, given: Exchange): Promise<Answer> {
    try {
      return await exchange(method, path, given);
    } catch (error) {
      if (!(error instanceof ClosedConnection)) throw error;
      return exchange(method, path, given);
    }
  }

  return {
    async get(area, name, maxBytes) {
      const { status, bytes } = await send('GET', `${area}/${name}`, { maxBytes });
      if (status === 200) return bytes;
      if (status === 404 || status === 410) return undefined;
      throw new CacheFailure(explainStatus(status));
    },
    async put(area, name, body) {
      const { status } = await send('PUT', `${area}/${name}`, { body, maxBytes: 64 * 1024 });
      if (status < 200 || status > 299) throw new CacheFailure(explainStatus(status));
    },
  };
}

interface Exchange {
  readonly body?: Uint8Array;
  readonly maxBytes: number;
}

interface Answer {
  readonly status: number;
  /** One byte more than allowed if there are more. */
  readonly bytes: Uint8Array;
}

class ClosedConnection extends CacheFailure {}

function readBody(response: IncomingMessage, maxBytes: number, onEnd: (bytes: Uint8Array) => void): void {
  const chunks: Uint8Array[] = [];
  let size = 0;
  response.on('data', (chunk: Uint8Array) => {
    if (size > maxBytes) return;
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) onEnd(Buffer.concat(chunks).subarray(0, maxBytes + 1));
  });
  response.on('end', () => {
    if (size <= maxBytes) onEnd(Buffer.concat(chunks));
  });
}

function explainStatus(status: number): string {
  if (status === 401 || status === 403) return `the server refuses access (status ${status})`;
  if (status === 507 || status === 413) return `the server has no space (status ${status})`;
  if (status >= 300 && status <= 399) return `the server redirects, which is not allowed (status ${status})`;
  return `the server answers with status ${status}`;
}

function describe(error: Error, request: ClientRequest): CacheFailure {
  if (error instanceof CacheFailure) return error;
  const reason = explainConnection(error);
  const { code } = error as NodeJS.ErrnoException;
  const isClosed = request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
  return isClosed ? new ClosedConnection(reason) : new CacheFailure(reason);
}

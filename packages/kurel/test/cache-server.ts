import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import type { SelfSigned } from './self-signed.ts';

export interface CacheServer {
  /** Without a slash at the end. */
  readonly url: string;
  /** What was stored, by path. */
  readonly entries: Map<string, Buffer>;
  /** `GET /ac/…` and so on, in order. */
  readonly requests: readonly string[];
  readonly authorizations: ReadonlySet<string | undefined>;
  readonly stop: () => Promise<void>;
}

/** Answers a request itself if it returns true. */
export type Interference = (request: IncomingMessage, response: ServerResponse, stored: Buffer | undefined) => boolean;

/** A server for Bazel's HTTP cache that can misbehave. */
export async function startCacheServer(
  interfere: Interference = () => false,
  secure?: SelfSigned,
): Promise<CacheServer> {
  const entries = new Map<string, Buffer>();
  const requests: string[] = [];
  const authorizations = new Set<string | undefined>();
  const answer: RequestListener = (request, response) => {
    const path = request.url ?? '';
    requests.push(`${request.method} ${path}`);
    authorizations.add(request.headers.authorization);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const stored = entries.get(path);
      if (interfere(request, response, stored)) return;
      if (request.method === 'PUT') {
        entries.set(path, Buffer.concat(chunks));
        response.writeHead(201).end();
      } else if (stored === undefined) response.writeHead(404).end('nothing here');
      else response.writeHead(200, { 'content-length': stored.length }).end(stored);
    });
  };
  const server = secure === undefined ? createServer(answer) : createSecureServer(secure, answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `${secure === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    entries,
    requests,
    authorizations,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

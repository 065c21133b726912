import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SelfSigned } from './self-signed.ts';

export interface LoopbackServer {
  /** Without a slash at the end. */
  readonly url: string;
  readonly host: string;
  /** The requests so far, in order. */
  readonly requests: readonly IncomingMessage[];
  /** Also ends what is still being answered. */
  readonly stop: () => Promise<void>;
}

export type Answers = Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>;

/** Serves by path, the query left out; everything else is not found. */
export async function startServer(answers: Answers, secure?: SelfSigned): Promise<LoopbackServer> {
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    const path = new URL(request.url ?? '', 'http://x').pathname;
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
    if (answer !== undefined) answer(request, response);
    else response.writeHead(404).end('nothing here');
  };
  const server = secure === undefined ? createServer(listener) : createSecureServer(secure, listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${secure === undefined ? 'http' : 'https'}://${host}`,
    host,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

import { createServer, request as sendRequest } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { SelfSigned } from './self-signed.ts';

export interface TestProxy {
  /** `127.0.0.1:41234` */
  readonly host: string;
  /** The requests so far: method, target, and the headers that matter. */
  readonly lines: readonly string[];
  readonly stop: () => Promise<void>;
}

export interface ProxyOptions {
  readonly secure?: SelfSigned | undefined;
  /** Answers instead of opening a tunnel. */
  readonly onConnect?: (request: IncomingMessage, socket: Socket) => void;
}

/** A proxy on this machine, on which it finds every host. */
export async function startProxy({ secure, onConnect }: ProxyOptions = {}): Promise<TestProxy> {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const note = ({ method, url, headers }: IncomingMessage): void => {
    const secret = headers['proxy-authorization'];
    lines.push([method, url, ...(secret === undefined ? [] : [secret])].join(' '));
  };
  const forward: RequestListener = (incoming, outgoing) => {
    note(incoming);
    const { port, pathname, search } = new URL(incoming.url!);
    const { 'proxy-authorization': _, ...headers } = incoming.headers;
    const passed = sendRequest({
      host: '127.0.0.1',
      port,
      path: `${pathname}${search}`,
      method: incoming.method,
      headers,
    });
    passed.on('error', () => outgoing.writeHead(502).end());
    passed.on('response', (response) => response.pipe(outgoing.writeHead(response.statusCode!, response.headers)));
    incoming.pipe(passed);
  };
  const server = secure === undefined ? createServer(forward) : createSecureServer(secure, forward);
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    note(request);
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (onConnect !== undefined) return onConnect(request, socket);
    const target = connect(Number(request.url!.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket);
      socket.pipe(target);
    });
    target.on('error', () => void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    socket.on('close', () => target.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of sockets) socket.destroy();
      }),
  };
}

import type { IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { ConnectionOptions, SecureContext, TLSSocket } from 'node:tls';

import type { FetchError } from '../model/index.ts';
import { explainConnection } from './explain-connection.ts';
import type { Hop } from './fetch-hop.ts';
import { nameStatus } from './name-status.ts';
import { placeOf } from './url-place.ts';

export interface TunnelOptions {
  readonly proxy: URL;
  readonly secureContext: SecureContext | undefined;
  /** The reason of the signal becomes the error. */
  readonly signal: AbortSignal;
}

/** A connection to the server of an https:// URL through a proxy, which sees only its name and port. */
export function openTunnel(hop: Hop, { proxy, secureContext, signal }: TunnelOptions): Promise<TLSSocket> {
  const { host, port, servername } = placeOf(hop.url);
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const { request } = process.getBuiltinModule(proxy.protocol === 'https:' ? 'node:https' : 'node:http');
    const headers = { 'user-agent': 'kurel', host: target, ...proxyHeaders(proxy) };
    const place: RequestOptions & Pick<ConnectionOptions, 'secureContext'> = { ...placeOf(proxy), secureContext };
    const asking = request({ ...place, method: 'CONNECT', path: target, agent: false, headers });
    let opened: Socket | undefined;

    function settle(act: () => void): void {
      signal.removeEventListener('abort', onAbort);
      act();
    }
    function fail(error: unknown): void {
      settle(() => reject(error));
      opened?.destroy();
      asking.destroy();
    }
    function onAbort(): void {
      fail(signal.reason);
    }
    function failAsProxy(cause: unknown): void {
      fail(refuseProxy(hop, proxy, explainConnection(cause)));
    }
    function refuseAnswer({ statusCode = 0 }: IncomingMessage): void {
      fail(refuseProxy(hop, proxy, `it answered ${nameStatus(statusCode)}`));
    }

    /** Only the server itself has a certificate for its name. */
    function secure(socket: Socket): void {
      const { connect } = process.getBuiltinModule('node:tls');
      const tunnel = connect({ socket, host, servername, secureContext });
      opened = tunnel;
      tunnel.on('error', (cause) => fail(hop.refuse('connection', explainConnection(cause), { cause })));
      tunnel.on('close', () => fail(hop.refuse('connection', 'the connection was closed early')));
      tunnel.on('secureConnect', () => settle(() => resolve(tunnel)));
    }

    signal.addEventListener('abort', onAbort, { once: true });
    asking.on('error', failAsProxy);
    asking.on('response', refuseAnswer);
    asking.on('connect', (response, socket, head) => {
      opened = socket;
      socket.on('error', failAsProxy);
      if (response.statusCode !== 200) refuseAnswer(response);
      // The server does not send anything before its client does.
      else if (head.length > 0) fail(refuseProxy(hop, proxy, 'it does not forward the connection'));
      else secure(socket);
    });
    asking.end();
  });
}

/** The user and password of a proxy, for the proxy alone. */
export function proxyHeaders({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

export function refuseProxy(hop: Hop, { host }: URL, reason: string): FetchError {
  return hop.refuse('connection', `the proxy ${JSON.stringify(host)} cannot be used: ${reason}`);
}

import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordingProxy {
  readonly host: string;
  /** Methods and paths in order, such as `GET /v2/shop/tags/list?n=1000`. */
  readonly requests: string[];
  readonly stop: () => Promise<void>;
}

/** Passes requests on to a server on this machine, and remembers them. */
export async function startProxy(target: string): Promise<RecordingProxy> {
  const requests: string[] = [];
  const [hostname, port] = target.split(':');
  const server = createServer((incoming, outgoing) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    const { method, url, headers } = incoming;
    const passed = request({ hostname, port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  return port;
}

interface Waiting {
  readonly attempts?: number;
  /** Asks the server in another way than with `fetch`. */
  readonly isReady?: () => Promise<boolean>;
}

/** One minute and a half, for large servers on a machine that is busy. */
export const slowStart: Waiting = { attempts: 1800 };

/** Asks until there is an answer; `failure` says that there will be none. */
export async function waitFor(
  url: string,
  failure: () => string | undefined,
  { attempts = 200, isReady = async () => (await fetch(url)).ok }: Waiting = {},
): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const reason = failure();
    if (reason !== undefined) throw new Error(`the server does not start: ${reason}`);
    try {
      if (await isReady()) return;
    } catch {
      // It does not listen yet.
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
  throw new Error(`the server does not answer at ${url}`);
}

import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../test/loopback-server.ts';
import { checkedLookup, type Lookup } from './checked-lookup.ts';

const publicAddress = { address: '8.8.8.8', family: 4 };
const otherAddress = { address: '2606:4700::1111', family: 6 };
const privateAddress = { address: '10.0.0.1', family: 4 };

function answer(...addresses: { address: string; family: number }[]): Lookup {
  return (_, __, callback) => callback(null, addresses);
}

function refuse(address: string): Error | undefined {
  return address.startsWith('10.') ? new Error(`no ${address}`) : undefined;
}

function ask(lookup: Lookup, options: { all?: boolean }): Promise<unknown[]> {
  return new Promise((resolve) => {
    checkedLookup(refuse, lookup)('example.com', options, (...given) => resolve(given));
  });
}

describe('checkedLookup', () => {
  it('returns all addresses or only the first', async () => {
    const lookup = answer(publicAddress, otherAddress);
    expect(await ask(lookup, { all: true })).toEqual([null, [publicAddress, otherAddress]]);
    expect(await ask(lookup, {})).toEqual([null, '8.8.8.8', 4]);
  });

  it.each([{ all: true }, { all: false }])(
    'rejects a name if one of its addresses is forbidden (%o)',
    async (options) => {
      expect(await ask(answer(publicAddress, privateAddress), options)).toEqual([new Error('no 10.0.0.1'), '']);
    },
  );

  it('reports an unknown name, and a name without addresses', async () => {
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    // Node omits the second argument for an error.
    const failing = ((_: unknown, __: unknown, callback: (error: Error) => void) => callback(unknown)) as Lookup;
    expect(await ask(failing, { all: true })).toEqual([unknown, '']);
    expect(await ask(answer(), {})).toMatchObject([{ code: 'ENOTFOUND' }, '']);
  });

  it('resolves once for a connection', async () => {
    const server = await startServer({ '/': (_, response) => response.end() });
    let count = 0;
    // A second lookup would return another address, as in a DNS rebinding attack.
    const rebinding: Lookup = (_, __, callback) =>
      callback(null, [count++ === 0 ? { address: '127.0.0.1', family: 4 } : privateAddress]);
    const status = await new Promise((resolve, reject) => {
      const { port } = new URL(server.url);
      const lookup = checkedLookup(refuse, rebinding);
      request({ host: 'example.invalid', port, agent: false, lookup }, ({ statusCode }) => resolve(statusCode))
        .on('error', reject)
        .end();
    });
    await server.stop();
    expect([status, count, server.requests.length]).toEqual([200, 1, 1]);
  });
});

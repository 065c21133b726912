import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../test/loopback-server.ts';
import { checkedLookup, findProxy, type Lookup } from './find-route.ts';

const proxy = 'http://proxy.example:3128';

function find(url: string, environment: Readonly<Record<string, string>>): string | undefined {
  const choice = findProxy(new URL(url), environment);
  return choice && ('proxy' in choice ? choice.proxy.href : choice.problem);
}

describe('findProxy', () => {
  it.each([
    [{ HTTPS_PROXY: proxy }, `${proxy}/`, undefined],
    [{ https_proxy: proxy }, `${proxy}/`, undefined],
    [{ HTTP_PROXY: proxy }, undefined, `${proxy}/`],
    [{ http_proxy: proxy }, undefined, `${proxy}/`],
    [{ HTTPS_PROXY: 'a:1', https_proxy: 'b:2' }, 'http://a:1/', undefined],
    [{ HTTPS_PROXY: '', https_proxy: 'b:2' }, 'http://b:2/', undefined],
    [{ HTTPS_PROXY: ' ' }, undefined, undefined],
    [{ HTTPS_PROXY: 'proxy.example' }, 'http://proxy.example/', undefined],
    [{ HTTPS_PROXY: 'https://proxy.example:8443/' }, 'https://proxy.example:8443/', undefined],
    [{ HTTPS_PROXY: 'http://ann:s%40cret@proxy.example' }, 'http://ann:s%40cret@proxy.example/', undefined],
    [{ HTTPS_PROXY: 'http://[fd00::1]:3128' }, 'http://[fd00::1]:3128/', undefined],
    [{ HTTPS_PROXY: 'http://10.0.0.1:3128' }, 'http://10.0.0.1:3128/', undefined],
    [{ ALL_PROXY: proxy, NO_PROXY: 'x' }, undefined, undefined],
    // A request to a CGI program sets it with a header.
    [{ HTTP_PROXY: proxy, REQUEST_METHOD: 'GET' }, undefined, undefined],
    [{ HTTP_PROXY: 'a:1', http_proxy: 'b:2', REQUEST_METHOD: 'GET' }, undefined, 'http://b:2/'],
  ])('%j', (environment, secure, plain) => {
    expect(find('https://a.example/x', environment)).toBe(secure);
    expect(find('http://a.example/x', environment)).toBe(plain);
  });

  it.each([
    'socks5://proxy:1080',
    'http://',
    'ftp://a',
    'http://a b',
    'http://a/path',
    'http://a?secret',
    'http://a:x',
    'http://u:%zz@a',
  ])('refuses %s', (value) => {
    const problem = 'HTTPS_PROXY must be the URL of an http:// or https:// proxy';
    expect(find('https://a.example', { HTTPS_PROXY: value })).toBe(problem);
  });

  it.each([
    'localhost',
    'a.localhost',
    'LOCALHOST',
    'localhost.',
    '127.0.0.1',
    '127.1.2.3',
    '[::1]',
    '[::ffff:127.0.0.1]',
  ])('leaves out %s', (host) => expect(find(`https://${host}:8443/`, { HTTPS_PROXY: proxy })).toBeUndefined());

  it.each(['localhost.example', 'mylocalhost', '10.0.0.1', '128.0.0.1'])('does not leave out %s', (host) =>
    expect(find(`https://${host}/`, { HTTPS_PROXY: proxy })).toBe(`${proxy}/`),
  );

  it.each([
    ['*', 'a.example', true],
    ['a.example', 'a.example', true],
    ['A.Example', 'a.EXAMPLE', true],
    ['example', 'a.example', true],
    ['a.example', 'x.a.example', true],
    ['a.example', 'xa.example', false],
    ['a.example', 'a.example.org', false],
    ['.a.example', 'x.a.example', true],
    ['.a.example', 'a.example', false],
    ['*.a.example', 'x.a.example', true],
    ['*.a.example', 'a.example', false],
    ['a.example.', 'a.example', true],
    ['a.example', 'a.example.', true],
    ['a.example:443', 'a.example', true],
    ['a.example:443', 'a.example:443', true],
    ['a.example:8443', 'a.example', false],
    ['a.example:8443', 'x.a.example:8443', true],
    ['.', 'a.example', false],
    ['', 'a.example', false],
    [',,', 'a.example', false],
    ['b.example, a.example', 'a.example', true],
    ['b.example a.example', 'a.example', true],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '10.1.2.4', false],
    ['10.1.2.3:443', '10.1.2.3', true],
    ['10.1.2.3:80', '10.1.2.3', false],
    ['10.0.0.0/8', '10.1.2.3', true],
    ['10.0.0.0/8', '11.1.2.3', false],
    ['0.0.0.0/0', '8.8.8.8', true],
    ['10.0.0.0/33', '10.0.0.0', false],
    ['10.0.0.0/x', '10.0.0.0', false],
    ['10.0.0.0/8/8', '10.0.0.0', false],
    ['10.0.0/8', '10.0.0.0', false],
    ['fd00::/8', '[fd12::1]', true],
    ['fd00::/8', '[fe12::1]', false],
    ['fd00::/8', '10.0.0.1', false],
    ['0.0.0.0/0', '[fd00::1]', false],
    ['fd00::1', '[fd00::1]', true],
    ['[fd00::1]', '[fd00:0::1]', true],
    ['[fd00::1]:443', '[fd00::1]', true],
    ['[fd00::1]:80', '[fd00::1]', false],
    ['fd00::', '[fd00::1]', false],
    ['fd00::1:443', '[fd00::1:443]', true],
    ['fd00::1:443', '[fd00::1]', false],
    ['a.example:x', 'a.example', false],
    ['[a', 'a.example', false],
  ])('NO_PROXY=%s and %s: %s', (list, host, isExempt) => {
    expect(find(`https://${host}/`, { HTTPS_PROXY: proxy, NO_PROXY: list }) === undefined).toBe(isExempt);
    expect(find(`https://${host}/`, { HTTPS_PROXY: proxy, no_proxy: list }) === undefined).toBe(isExempt);
  });
});

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
